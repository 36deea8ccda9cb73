import { randomUUID } from 'node:crypto';
import type { Addresses } from '../addresses.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { accessTokenMs } from '../numbers.ts';
import type { IssuedToken, TokenGrant } from './access-token.ts';
import { signCompactJws } from './compact-jws.ts';

/** What every token is signed with. */
export interface Minting {
  readonly keys: Pick<SigningKeys, 'current'>;
  readonly addresses: Addresses;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A token that was issued, with the id by which it is revoked and written down. */
export interface MintedToken extends IssuedToken {
  readonly id: string;
}

/** Mint an access token (RFC 9068). */
export async function issueAccessToken(
  { keys, addresses, now }: Minting,
  grant: TokenGrant,
): Promise<MintedToken> {
  const { kid, key } = await keys.current();
  const issuedMs = now();
  const issuedAt = Math.floor(issuedMs / 1000);
  const lifetime = Math.floor((grant.lifetimeMs ?? accessTokenMs) / 1000);
  // Of a form that cannot be taken for a secret: an entry of the audit log tells it.
  const id = randomUUID();
  const scope = grant.scopes.join(' ');
  const { registration, act, ancestors, jkt, authTime, amr } = grant;
  const claims = {
    iss: addresses.base(),
    aud: grant.resource,
    sub: grant.subject,
    client_id: grant.client,
    scope,
    iat: issuedAt,
    exp: issuedAt + lifetime,
    jti: id,
    // A watermark may lie within the same second, or be of a replica whose clock is ahead.
    iat_ms: Math.max(issuedMs, grant.notBefore ?? 0),
    ...(registration !== undefined && { agent_registration_id: registration }),
    ...(grant.grant !== undefined && { grant_id: grant.grant }),
    ...(act && { act }),
    ...(ancestors && { parent_jtis: ancestors }),
    ...(jkt !== undefined && { cnf: { jkt } }),
    ...(authTime !== undefined && { auth_time: Math.floor(authTime / 1000) }),
    ...(amr && amr.length > 0 && { amr }),
  };
  const token = signCompactJws({ typ: 'at+jwt', kid }, claims, key);
  const token_type = jkt === undefined ? 'Bearer' : 'DPoP';
  return { id, access_token: token, token_type, expires_in: lifetime, scope };
}
