/** What an access token is to say. */
export interface TokenGrant {
  /** The person who has claimed the agent, or consented; else the registration. */
  readonly subject: string;
  /** The registration, or the client of OAuth. */
  readonly client: string;
  readonly scopes: readonly string[];
  /** One of the two resources of this server. */
  readonly resource: string;
  /** The agent's registration. */
  readonly registration?: string | undefined;
  /** The consent that it comes from, in the browser flow. */
  readonly grant?: string | undefined;
  /** Who acts for the subject (RFC 8693 section 4.1). */
  readonly act?: object | undefined;
  /** Ids of the tokens that it was exchanged for: when one of them is revoked, so is it. */
  readonly ancestors?: readonly string[] | undefined;
  /** Thumbprint of the key that it is bound to (RFC 9449 section 6.1). */
  readonly jkt?: string | undefined;
  /** When, and how, the person has signed in; milliseconds since the epoch. */
  readonly authTime?: number | undefined;
  readonly amr?: readonly string[] | undefined;
  /**
   * What was issued before this counts for nothing; the token counts as issued then where that is a
   * moment ahead. Milliseconds since the epoch.
   */
  readonly notBefore?: number | undefined;
  /** An hour when absent, in milliseconds. */
  readonly lifetimeMs?: number | undefined;
}

/** A token as it goes out (RFC 6749 section 5.1). */
export interface IssuedToken {
  readonly access_token: string;
  readonly token_type: 'Bearer' | 'DPoP';
  /** Seconds. */
  readonly expires_in: number;
  readonly scope: string;
}

/** What a verified access token says. Times in milliseconds since the epoch. */
export interface AccessToken {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly client: string;
  /** One of the two resources of this server. */
  readonly resource: string;
  /** As they stand in it. */
  readonly scopes: readonly string[];
  /** With those that they imply. */
  readonly allScopes: ReadonlySet<string>;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly notBefore: number | undefined;
  readonly registration: string | undefined;
  readonly grant: string | undefined;
  readonly act: object | undefined;
  /** Ids of the tokens that it was exchanged for; absent for others. */
  readonly ancestors?: readonly string[];
  readonly jkt: string | undefined;
  /** Id of the key of this server with which it is signed; absent for tokens of others. */
  readonly kid?: string | undefined;
  /** Until when its issuer need not be asked again; absent for what need not be asked for. */
  readonly believedUntil?: number;
}

/** Why a token is refused, in words for whoever presents it. */
export class InvalidToken extends Error {}
