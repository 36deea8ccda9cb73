import type { RegistrationRecords } from '../records/registrations.ts';
import { type AssertedPerson, mintAssertion } from '../tokens/assertion.ts';
import type { Minting } from '../tokens/issue-token.ts';
import type { RefreshTokens } from '../tokens/refresh-tokens.ts';
import { assertionMembers, registrationMembers } from './answer.ts';
import { type Register, refusedRegistration } from './register.ts';

export interface RefreshParts {
  readonly records: Pick<RegistrationRecords, 'find'>;
  readonly refreshTokens: RefreshTokens;
  readonly minting: Minting;
  /** Whom a claimed registration acts for. */
  readonly personOf: (user: string) => Promise<AssertedPerson | undefined>;
}

/** Give a claimed agent a new assertion for its refresh token, which is spent. */
export function refreshRegistration(parts: RefreshParts): Register {
  const { records, refreshTokens, minting, personOf } = parts;
  return async ({ refresh_token: value }) => {
    if (typeof value !== 'string') {
      throw refusedRegistration('invalid_request', 400, 'refresh_token is missing');
    }
    const found = await refreshTokens.find(value);
    const registration = found?.kind === 'agent' ? await records.find(found.owner) : undefined;
    if (found && registration?.revokedAt !== undefined) await refreshTokens.revoke(value);
    const isLive = found && registration && registration.revokedAt === undefined;
    const refreshed = isLive ? await refreshTokens.spend(value) : undefined;
    if (!refreshed || !registration) {
      const message = 'the refresh token is unknown, was used, revoked, or has expired';
      throw refusedRegistration('invalid_refresh_token', 400, message);
    }
    const { user } = registration;
    const person = user === undefined ? undefined : await personOf(user);
    const assertion = await mintAssertion(minting, registration, person);
    const members = registrationMembers(registration);
    return {
      status: 200,
      body: { ...members, type: 'refresh', ...assertionMembers(assertion, refreshed.next) },
    };
  };
}
