import type { Arrival } from '../arrival.ts';
import type { Caller } from '../caller.ts';

/** Somebody who has signed in with a browser, at most an hour ago. */
export interface Visitor {
  readonly tenant: string;
  readonly id: string;
  /** Verified, in lower case. */
  readonly email: string;
  /** Tells apart the browsers of one person; no secret. */
  readonly session: string;
}

/** Who asked for something, as far as it tells for whom that was. */
export interface Asker extends Pick<Caller, 'tenant' | 'subject' | 'registration' | 'grant'> {
  /** When; what was revoked since then speaks for nobody. Milliseconds since the epoch. */
  readonly askedAt: number;
}

/**
 * Whether something acts for a person: `foreign` acts for somebody else or for nobody, `ended` did
 * act for this very person and was revoked.
 */
export type Standing = 'acts' | 'ended' | 'foreign';

/** Why no person can decide for a caller, and what its agent can do about that. */
export interface NobodyDecides {
  readonly why: string;
  /** Where an agent that acts for nobody yet asks to be claimed. */
  readonly claimUrl?: string;
}

/** The people who sign in with a browser. */
export interface SignedInPeople {
  /** Who has signed in with this browser. */
  visitor(http: Arrival | undefined): Promise<Visitor | undefined>;
  /**
   * Path of the page where somebody of a tenant signs in and comes back to `path`; nothing where nobody
   * can.
   */
  signInPath(path: string, tenant: string): string | undefined;
  /** Whether who has asked acts for this person now. */
  standing(asker: Asker, person: Visitor): Promise<Standing>;
  /** Nothing where a person, or the operator, can decide for this caller on a page. */
  nobodyDecides(caller: Caller): NobodyDecides | undefined;
}
