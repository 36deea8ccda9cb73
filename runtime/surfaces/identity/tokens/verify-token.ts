import { isObject } from '#contract/json';
import type { Addresses } from '../addresses.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { parseScope, type Scopes } from '../scopes/catalogue.ts';
import { type AccessToken, InvalidToken } from './access-token.ts';
import { unverifiedKeyId } from './compact-jws.ts';
import { type OwnClaims, verifyOwnJwt } from './verify-jwt.ts';

export interface TokenVerification {
  readonly keys: Pick<SigningKeys, 'find'>;
  readonly addresses: Addresses;
  readonly scopes: Scopes;
  readonly now: () => number;
}

/** RFC 9068 section 4. */
const types = ['at+jwt', 'application/at+jwt'];

/**
 * Verify an access token of this server, all but what may change while it is kept: its times,
 * whether it was revoked, and for which of the two resources it is.
 *
 * @throws InvalidToken
 */
export async function verifyAccessToken(
  token: string,
  { keys, addresses, scopes, now }: TokenVerification,
  takesExpired = false,
): Promise<AccessToken> {
  const expected = { keys, types, issuer: addresses.base(), now: now(), takesExpired };
  const claims = await verifyOwnJwt(token, expected);
  return { ...accessTokenOf(claims, addresses, scopes), kid: unverifiedKeyId(token) };
}

function accessTokenOf(claims: OwnClaims, addresses: Addresses, scopes: Scopes): AccessToken {
  const { iss, sub, jti, exp, iat, nbf, scope, act, cnf, client_id: client } = claims;
  const resource = addresses.resource(audienceOf(claims.aud) ?? '');
  if (resource === undefined) throw new InvalidToken('it is meant for another resource');
  if (!sub || !jti || !exp || !iat || typeof client !== 'string') {
    throw new InvalidToken('it lacks claims');
  }
  const { iat_ms: exact, agent_registration_id: registration, grant_id: grant } = claims;
  const named = typeof scope === 'string' ? parseScope(scope) : [];
  return {
    ...{ id: jti, issuer: iss, subject: sub, client, resource, scopes: named },
    allScopes: scopes.expanded(named),
    issuedAt: typeof exact === 'number' ? exact : iat * 1000,
    expiresAt: exp * 1000,
    notBefore: nbf === undefined ? undefined : nbf * 1000,
    registration: textOf(registration),
    grant: textOf(grant),
    act: isObject(act) ? act : undefined,
    ...(Array.isArray(claims['parent_jtis']) && { ancestors: claims['parent_jtis'].map(String) }),
    jkt: isObject(cnf) ? textOf(cnf['jkt']) : undefined,
  };
}

/** Exactly one: a list with a foreign member is no list for us. */
function audienceOf(aud: unknown): string | undefined {
  return textOf(Array.isArray(aud) && aud.length === 1 ? aud[0] : aud);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
