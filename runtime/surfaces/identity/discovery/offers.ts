/** What of it all this server does: nothing is told of that does not work. */
export interface Offers {
  /** Ways of an agent to register itself. */
  readonly registrations: readonly ('anonymous' | 'service_auth' | 'identity_assertion')[];
  /** Whether a person can claim an agent here. */
  readonly canClaim: boolean;
  /** Grants of the token endpoint. */
  readonly grants: readonly string[];
  readonly canRevoke: boolean;
  readonly canIntrospect: boolean;
  /** Whether people can let clients in with their browser. */
  readonly canAuthorize: boolean;
  /** Whether clients can register themselves (RFC 7591). */
  readonly canRegisterClients: boolean;
  readonly hasDpop: boolean;
  /** Events that issuers can send (RFC 8417). */
  readonly events: readonly string[];
  /** Issuer of the tokens where they come from somewhere else. */
  readonly externalIssuer: string | undefined;
}
