import type { TokenRevokedPayload } from '../../../../generated/surfaces/identity/events.ts';
import type { OwnsToken } from '../clients/token-owner.ts';
import type { OutboxNote } from '../outbox/note.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Place } from '../records/place.ts';
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
  readonly outbox: Outbox;
  readonly place: Pick<Place, 'store'>;
  readonly now: () => number;
  /** Also of one that has expired. @throws InvalidToken */
  readonly verify: (token: string) => Promise<AccessToken>;
  /** The registration of an own assertion. @throws InvalidToken */
  readonly verifyAssertion: (
    jwt: string,
  ) => Promise<Pick<VerifiedAssertion, 'registration' | 'epoch'>>;
}

/**
 * Revoke whatever a value is (RFC 7009 section 2.1): an access token alone, a refresh token with all
 * tokens of its family, an assertion with all that came before. What is unknown is revoked already,
 * and what is another client's stays as it is: neither can be told from the other. What was revoked is
 * written down with it, or it was not revoked.
 */
export function createRevoke(
  parts: RevokeParts,
): (value: string, owns: OwnsToken) => Promise<void> {
  return async (value, owns) => {
    if (/^(art|ort)_/.test(value)) return revokeFamily(value, owns, parts);
    const token = await verified(value, parts);
    return token ? revokeAccess(token, owns, parts) : revokeAssertion(value, parts);
  };
}

function noteOf(owner: string, payload: TokenRevokedPayload): OutboxNote {
  const actor = { type: 'agent', id: owner } as const;
  return { action: 'TOKEN_REVOKED', actor, subject: owner.slice(0, 500), payload };
}

async function verified(value: string, { verify }: RevokeParts): Promise<AccessToken | undefined> {
  try {
    return await verify(value);
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    return undefined;
  }
}

async function revokeAccess(
  token: AccessToken,
  owns: OwnsToken,
  { revocations, outbox, now }: RevokeParts,
): Promise<void> {
  if (token.expiresAt <= now()) return;
  if (token.registration === undefined && !(await owns(token.client))) return;
  const owner = token.registration ?? token.client;
  const note = noteOf(owner, { kind: 'access_token', jti: token.id.slice(0, 64) });
  await revocations.deny(token, (tx) => outbox.add(note, tx));
  outbox.wake();
}

async function revokeFamily(value: string, owns: OwnsToken, parts: RevokeParts): Promise<void> {
  const family = await parts.refreshTokens.familyOf(value);
  if (!family) return;
  if (family.kind === 'oauth' && !(await owns(family.client))) return;
  await parts.endFamily(family, noteOf(family.owner, { kind: 'refresh_token' }));
}

/** Whoever has it gets no more tokens for it; those that it has given go on (AMD, revocation). */
async function revokeAssertion(value: string, parts: RevokeParts): Promise<void> {
  const { place, records, outbox, verifyAssertion } = parts;
  try {
    const { registration: id, epoch } = await verifyAssertion(value);
    await place.store.transaction(async (tx) => {
      // One that was withdrawn already ends no newer one.
      if (!(await records.withdraw(id, epoch, tx))) return;
      await outbox.add(noteOf(id, { kind: 'assertion' }), tx);
    });
    outbox.wake();
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
  }
}
