import type { AnyTransaction } from '#contract/house/store';
import type { Outbox } from '../outbox/outbox.ts';
import { domainOf } from '../people/email-address.ts';
import type { AttemptRow } from '../records/attempts.ts';
import type { Registration } from '../records/registrations.ts';
import { keyedHash } from '../secrets/keyed-hash.ts';
import type { Attempt } from './attempt.ts';
import type { RegistrationStatus } from './claiming.ts';

const claimed = { from: 'pending_claim', to: 'claimed' } as const;

export interface ClaimNoteParts {
  readonly outbox: Outbox;
  /** Key of the hashes that stand for addresses. */
  readonly key: () => Buffer;
}

/** An attempt that was made, and for which address. */
export interface Requested {
  readonly attempt: string;
  readonly hint: string;
  /** What the registration was before. */
  readonly from: RegistrationStatus;
}

/** Whom a provider has vouched for, and with which attempt. */
export interface Vouched {
  /** Absent where none was needed. */
  readonly attempt?: string;
  readonly email: string;
  /** Id of the person. */
  readonly user: string;
  /** What the registration was before. */
  readonly from: RegistrationStatus;
}

export type ClaimNotes = ReturnType<typeof createClaimNotes>;

/**
 * Write down what becomes of claims, in the transaction in which it does: an address as a keyed
 * hash and its domain.
 */
export function createClaimNotes({ outbox, key }: ClaimNoteParts) {
  const payloadOf = (attempt: string | undefined, hint: string) => ({
    ...(attempt !== undefined && { attempt }),
    address: keyedHash(key(), 'address', hint).slice(0, 22),
    domain: domainOf(hint),
  });
  return {
    wake: () => outbox.wake(),
    async requested(
      { id }: Pick<Registration, 'id'>,
      { attempt, hint, from }: Requested,
      tx: AnyTransaction,
    ): Promise<void> {
      const facts = { subject: id, payload: payloadOf(attempt, hint) };
      const agent =
        from === 'pending_claim' ? {} : { agent: { from, to: 'pending_claim' } as const };
      const actor = { type: 'agent', id } as const;
      await outbox.add({ action: 'CLAIM_REQUESTED', actor, ...facts, ...agent }, tx);
    },
    /** A provider has vouched for the person, so that nobody had to agree on a page. */
    async vouched(
      { id, issuer }: Pick<Registration, 'id' | 'issuer'>,
      { attempt, email, user, from }: Vouched,
      tx: AnyTransaction,
    ): Promise<void> {
      const actor = { type: 'agent', id: user, registration: id } as const;
      const agent = { from, to: 'claimed' } as const;
      const payload = { ...payloadOf(attempt, email), issuer: issuer.slice(0, 500) };
      await outbox.add({ action: 'CLAIM_CONFIRMED', actor, subject: id, payload, agent }, tx);
    },
    /** An attempt has come into a state. */
    async became(
      { id }: Pick<Registration, 'id'>,
      row: Pick<AttemptRow, 'id' | 'hint'>,
      { state, user }: Pick<Attempt, 'state' | 'user'>,
      tx: AnyTransaction,
    ): Promise<void> {
      const person = { type: 'user', id: user } as const;
      const facts = { subject: id, payload: payloadOf(row.id, row.hint) };
      switch (state) {
        case 'completed':
          return outbox.add(
            { action: 'CLAIM_CONFIRMED', actor: person, ...facts, agent: claimed },
            tx,
          );
        case 'denied':
          return outbox.add(
            { action: 'CLAIM_DENIED', actor: person, outcome: 'denied', ...facts },
            tx,
          );
        case 'locked': {
          const actor = { type: 'agent', id } as const;
          return outbox.add({ action: 'CLAIM_LOCKED', actor, outcome: 'denied', ...facts }, tx);
        }
        default:
          return undefined;
      }
    },
  };
}
