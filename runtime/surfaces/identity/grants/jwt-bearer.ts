import type { Grant, TokenAnswer, TokenRequest } from './grant.ts';
import { refusal } from './grant.ts';
import type { OwnAssertions } from './own-assertion.ts';

/** Takes assertions of others that are trusted here; nothing where one is of nobody of them. */
export type TrustedAssertions = (
  assertion: string,
  request: TokenRequest,
) => Promise<TokenAnswer | undefined>;

export interface JwtBearerParts {
  readonly own: OwnAssertions;
  readonly trusted?: TrustedAssertions | undefined;
}

export const jwtBearerType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const mostBytes = 16_384;

/** Give an access token for an assertion (RFC 7523 section 2.1); its issuer says by which rules. */
export function jwtBearer({ own, trusted }: JwtBearerParts): Grant {
  return async (request) => {
    const { assertion } = request.form;
    if (assertion === undefined) throw refusal('invalid_request', 'assertion is missing');
    if (assertion.length > mostBytes) throw refusal('invalid_grant', 'the assertion is too long');
    const answer = await (own(assertion, request) ?? trusted?.(assertion, request));
    if (answer) return answer;
    throw refusal('invalid_grant', 'the assertion is of no issuer that is trusted here');
  };
}
