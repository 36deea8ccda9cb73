import type { AuditActor } from '#contract/house/audit';
import type { Outbox } from '../outbox/outbox.ts';
import type { Place } from '../records/place.ts';
import type { RefreshTokenRecords } from '../records/refresh-tokens.ts';
import type { RegistrationRecords } from '../records/registrations.ts';
import type { RevocationRecords } from '../records/revocations.ts';
import type { Revocations } from '../tokens/revocations.ts';

export interface RevokeRegistrationParts {
  readonly records: Pick<RegistrationRecords, 'find' | 'change'>;
  readonly refreshTokens: Pick<RefreshTokenRecords, 'removeOwned'>;
  readonly marks: Pick<RevocationRecords, 'raise'>;
  readonly revocations: Pick<Revocations, 'follow'>;
  readonly outbox: Outbox;
  readonly place: Place;
}

/** Revokes a registration with every token of it; gives whether there was one to revoke. */
export type RevokeRegistration = (id: string, actor: AuditActor) => Promise<boolean>;

/** A token that was asked for before, and is minted only now, is revoked as well. */
const lateMs = 5000;

/** Make what revokes registrations, and writes that down: all of it happens, or nothing. */
export function revokeRegistrations(parts: RevokeRegistrationParts): RevokeRegistration {
  const { place, records, refreshTokens, marks, revocations, outbox } = parts;
  const { store, now } = place;
  return async (id, actor) => {
    const was = await store.transaction(async (tx) => {
      const registration = await records.find(id, tx);
      if (!registration || registration.revokedAt !== undefined) return false;
      const at = now();
      const notBefore = at + lateMs;
      const epoch = registration.epoch + 1;
      await records.change(id, { revokedAt: at, notBefore, epoch }, tx);
      await marks.raise({ kind: 'registration', id, notBefore }, tx);
      await refreshTokens.removeOwned(id, tx);
      const from = registration.claimedAt === undefined ? undefined : 'claimed';
      const agent = { from, to: 'revoked' } as const;
      const note = { action: 'REGISTRATION_REVOKED', actor, subject: id, payload: {} } as const;
      await outbox.add({ ...note, agent }, tx);
      return true;
    });
    if (!was) return false;
    outbox.wake();
    await revocations.follow();
    return true;
  };
}
