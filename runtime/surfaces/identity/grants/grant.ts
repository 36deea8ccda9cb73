import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { IssuedToken } from '../tokens/access-token.ts';

/** A request to the token endpoint (RFC 6749 section 3.2): every member came once, none is empty. */
export interface TokenRequest {
  readonly form: Readonly<Record<string, string>>;
  readonly context: CallContext;
  /** Thumbprint of the key whose proof came along (RFC 9449 section 5). */
  readonly jkt: string | undefined;
}

/** What the token endpoint answers; some grants say more. */
export interface TokenAnswer extends IssuedToken {
  readonly refresh_token?: string;
  /** The members of an identity assertion, as a registration is answered. */
  readonly identity_assertion?: string;
  readonly assertion_expires?: string;
  readonly identity?: object;
  /** RFC 8693 section 2.2.1. */
  readonly issued_token_type?: string;
}

/** Gives a token for one kind of grant. @throws ServiceError with a code of RFC 6749 section 5.2 */
export type Grant = (request: TokenRequest) => Promise<TokenAnswer>;

/** The grants by the values of `grant_type`; each room adds a file, and the table a line. */
export type Grants = Readonly<Record<string, Grant>>;

/** Refuse a request to the token endpoint (RFC 6749 section 5.2). */
export function refusal(error: string, description: string, status = 400): ServiceError {
  return new ServiceError(error, status, description);
}
