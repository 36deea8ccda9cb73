import type { JsonObject } from '#contract/json';
import type { RegistrationRecords } from '../records/registrations.ts';
import { type AccessToken, InvalidToken } from './access-token.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { Revocations } from './revocations.ts';

export interface IntrospectParts {
  readonly records: Pick<RegistrationRecords, 'find'>;
  readonly revocations: Revocations;
  readonly refreshTokens: RefreshTokens;
  readonly now: () => number;
  /** @throws InvalidToken */
  readonly verify: (token: string) => Promise<AccessToken>;
}

const inactive = { active: false } as const;

/** Say what a token is worth now (RFC 7662 section 2.2). */
export function createIntrospect(parts: IntrospectParts): (value: string) => Promise<JsonObject> {
  return async (value) => {
    if (/^(art|ort)_/.test(value)) return ofRefreshToken(value, parts);
    try {
      return await ofAccessToken(await parts.verify(value), parts);
    } catch (error) {
      if (error instanceof InvalidToken) return inactive;
      throw error;
    }
  };
}

async function ofAccessToken(token: AccessToken, parts: IntrospectParts): Promise<JsonObject> {
  const { revocations, records, now } = parts;
  if (!revocations.isFresh) await revocations.follow();
  if (token.expiresAt <= now() || revocations.has(token)) return inactive;
  const { registration: id, notBefore, act, jkt } = token;
  const registration = id === undefined ? undefined : await records.find(id);
  if (id !== undefined && (!registration || registration.revokedAt !== undefined)) return inactive;
  return {
    active: true,
    scope: token.scopes.join(' '),
    client_id: token.client,
    token_type: jkt === undefined ? 'Bearer' : 'DPoP',
    exp: Math.floor(token.expiresAt / 1000),
    iat: Math.floor(token.issuedAt / 1000),
    ...(notBefore !== undefined && { nbf: Math.floor(notBefore / 1000) }),
    sub: token.subject,
    aud: token.resource,
    iss: token.issuer,
    jti: token.id,
    ...(act && { act: act as JsonObject }),
    ...(jkt !== undefined && { cnf: { jkt } }),
    ...(id !== undefined && { agent_registration_id: id }),
    ...(registration && { claimed: registration.claimedAt !== undefined }),
  };
}

async function ofRefreshToken(value: string, parts: IntrospectParts): Promise<JsonObject> {
  const grant = await parts.refreshTokens.find(value);
  if (!grant || grant.isSpent) return inactive;
  const { client, scopes, kind, owner } = grant;
  return {
    active: true,
    client_id: client,
    scope: scopes.join(' '),
    ...(kind === 'agent' && { agent_registration_id: owner }),
  };
}
