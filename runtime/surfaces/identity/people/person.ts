/** Somebody who has signed in with this browser. */
export interface Person {
  readonly id: string;
  /** Verified, in lower case. */
  readonly email: string;
  readonly name: string;
  /** When they proved who they are, in milliseconds since the epoch. */
  readonly authTime: number;
  /** How they did (RFC 8176). */
  readonly amr: readonly string[];
  /** Tells apart the sessions of one person; no secret. */
  readonly session: string;
}
