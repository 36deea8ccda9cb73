import type { Caller } from '../caller.ts';

/** A credential that a person has connected; the secret in it stays sealed until it is used. */
export interface PersonCredential {
  /** Tells it from all others, of all people and vendors. */
  readonly id: string;
  /** Grows with each new secret. */
  readonly version: number;
  /** The scheme of the provider as which it travels (`ConnectWays.id`). */
  readonly scheme: string;
  /** @throws ServiceError with status 503 where no key of this server opens it */
  open(): Promise<string>;
}

/** Where a person connects, or why nobody can. */
export type ConnectPlace =
  | { readonly url: string }
  | { readonly url?: undefined; readonly why: string; readonly claimUrl?: string | undefined };

/** The credentials that people have connected, for the way out to the vendors. */
export interface PersonCredentials {
  /**
   * The credential of the person for whom somebody calls, renewed where it is about to expire;
   * `broken` where the vendor has refused it for good.
   *
   * @throws ToolError `upstream_error` where it has expired and the vendor cannot be asked for another
   */
  find(caller: Caller, provider: string): Promise<PersonCredential | 'broken' | undefined>;
  /**
   * What takes the place of one with which a call was refused; nothing where the vendor still takes
   * it, so that another one would not help.
   */
  renew(
    caller: Caller,
    provider: string,
    refused: PersonCredential,
  ): Promise<PersonCredential | 'broken' | undefined>;
  /** Nothing where this process serves no pages. */
  place(caller: Caller, provider: string): ConnectPlace | undefined;
}
