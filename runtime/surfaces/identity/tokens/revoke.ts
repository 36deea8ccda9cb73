import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
import type { OwnsToken } from '../clients/token-owner.ts';
import type { RegistrationRecords } from '../records/registrations.ts';
import { type AccessToken, InvalidToken } from './access-token.ts';
import type { VerifiedAssertion } from './assertion.ts';
import type { EndFamily } from './end-family.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { Revocations } from './revocations.ts';

export interface RevokeParts {
  readonly records: Pick<RegistrationRecords, 'withdraw'>;
  readonly revocations: Revocations;
  readonly refreshTokens: Pick<RefreshTokens, 'familyOf'>;
  readonly endFamily: EndFamily;
  readonly events: Pick<IdentityEvents, 'tokenRevoked'>;
  readonly tenant: string;
  readonly now: () => number;
  /** Also of one that has expired. @throws InvalidToken */
  readonly verify: (token: string) => Promise<AccessToken>;
  /** The registration of an own assertion. @throws InvalidToken */
  readonly verifyAssertion: (
    jwt: string,
  ) => Promise<Pick<VerifiedAssertion, 'registration' | 'epoch'>>;
}

/** What was revoked, and of whom. */
interface Revoked {
  readonly kind: 'access_token' | 'refresh_token' | 'assertion';
  readonly owner: string;
  readonly token?: string;
}

/**
 * Revoke whatever a value is (RFC 7009 section 2.1): an access token alone, a refresh token with all
 * tokens of its family, an assertion with all that came before. What is unknown is revoked already,
 * and what is another client's stays as it is: neither can be told from the other.
 */
export function createRevoke(
  parts: RevokeParts,
): (value: string, owns: OwnsToken) => Promise<void> {
  const { events, tenant } = parts;
  return async (value, owns) => {
    const revoked = await revoke(value, owns, parts);
    if (!revoked) return;
    const { kind, owner, token } = revoked;
    const actor = { type: 'agent', id: owner } as const;
    const payload = { kind, ...(token !== undefined && { jti: token }) };
    await events.tokenRevoked({ tenant, actor, subject: owner, payload });
  };
}

async function revoke(
  value: string,
  owns: OwnsToken,
  parts: RevokeParts,
): Promise<Revoked | undefined> {
  if (/^(art|ort)_/.test(value)) return revokeFamily(value, owns, parts);
  try {
    const token = await parts.verify(value);
    if (token.expiresAt <= parts.now()) return undefined;
    if (token.registration === undefined && !(await owns(token.client))) return undefined;
    await parts.revocations.deny(token);
    return { kind: 'access_token', owner: token.registration ?? token.client, token: token.id };
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    return revokeAssertion(value, parts);
  }
}

async function revokeFamily(
  value: string,
  owns: OwnsToken,
  parts: RevokeParts,
): Promise<Revoked | undefined> {
  const family = await parts.refreshTokens.familyOf(value);
  if (!family) return undefined;
  if (family.kind === 'oauth' && !(await owns(family.client))) return undefined;
  await parts.endFamily(family);
  return { kind: 'refresh_token', owner: family.owner };
}

/** Whoever has it gets no more tokens for it; those that it has given go on (AMD, revocation). */
async function revokeAssertion(value: string, parts: RevokeParts): Promise<Revoked | undefined> {
  const { records, verifyAssertion } = parts;
  try {
    const { registration: id, epoch } = await verifyAssertion(value);
    // One that was withdrawn already ends no newer one.
    if (!(await records.withdraw(id, epoch))) return undefined;
    return { kind: 'assertion', owner: id };
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    return undefined;
  }
}
