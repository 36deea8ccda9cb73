import type { JsonObject } from '#contract/json';
import type { Addresses } from '../addresses.ts';
import type { Registration } from '../records/registrations.ts';
import type { Assertion } from '../tokens/assertion.ts';
import type { RefreshToken } from '../tokens/refresh-tokens.ts';

/** A time as agents read it (RFC 3339). */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

/** An assertion, under the flat and the nested names. */
export function assertionMembers(
  { jwt, expiresAt }: Assertion,
  refresh?: RefreshToken,
): JsonObject {
  const expires = timeText(expiresAt);
  const refreshToken = refresh && {
    value: refresh.value,
    expires_at: timeText(refresh.expiresAt),
  };
  return {
    identity_assertion: jwt,
    assertion_expires: expires,
    identity: {
      assertion: jwt,
      expires_at: expires,
      ...(refreshToken && { refresh_token: refreshToken }),
    },
    ...(refresh && {
      refresh_token: refresh.value,
      refresh_token_expires: timeText(refresh.expiresAt),
    }),
  };
}

/** Which registration it is, under the names of all dialects. */
export function registrationMembers({ id, kind }: Pick<Registration, 'id' | 'kind'>): JsonObject {
  return { registration_id: id, id, registration_type: kind, type: kind };
}

/** The scopes before and after the claim. */
export function scopeMembers({
  preScopes,
  postScopes,
}: Pick<Registration, 'preScopes' | 'postScopes'>): JsonObject {
  return {
    pre_claim_scopes: preScopes,
    post_claim_scopes: postScopes,
    scopes: { pre_claim: preScopes, post_claim: postScopes },
  };
}

/** How it is claimed; `attempt` adds what a bundled attempt says. */
export function claimMembers(
  addresses: Addresses,
  token: string,
  expiresAt: number,
  attempt: JsonObject = {},
): JsonObject {
  const url = addresses.url('/agent/identity/claim');
  const expires = timeText(expiresAt);
  return {
    claim_url: url,
    claim_token: token,
    claim_token_expires: expires,
    claim: { token, url, expires_at: expires, ...attempt },
  };
}
