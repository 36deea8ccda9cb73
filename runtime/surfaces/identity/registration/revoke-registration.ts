import type { AuditActor } from '#contract/house/audit';
import type { AnyTransaction } from '#contract/house/store';
import type { Place } from '../records/place.ts';
import type { RefreshTokenRecords } from '../records/refresh-tokens.ts';
import type { RegistrationRecords } from '../records/registrations.ts';
import type { RevocationRecords } from '../records/revocations.ts';
import type { Revocations } from '../tokens/revocations.ts';
import type { Outbox } from './outbox.ts';

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

/** Make what revokes registrations, and writes that down. */
export function revokeRegistrations(parts: RevokeRegistrationParts): RevokeRegistration {
  const { outbox } = parts;
  const revoke = revokeQuietly(parts);
  return async (id, actor) => {
    const note = { action: 'REGISTRATION_REVOKED', actor, subject: id, payload: {} } as const;
    const was = await revoke(id, (tx) => outbox.add(note, tx));
    if (was) outbox.wake();
    return was;
  };
}

/** A token that was asked for before, and is minted only now, is revoked as well. */
const lateMs = 5000;

/** Revokes a registration, and leaves in the same transaction what is to be written down of it. */
export type RevokeQuietly = (
  id: string,
  leave: (tx: AnyTransaction) => Promise<void>,
) => Promise<boolean>;

/** The same for whoever writes it down in another way: all of it happens, or nothing. */
export function revokeQuietly({
  place: { store, now },
  records,
  refreshTokens,
  marks,
  revocations,
}: Omit<RevokeRegistrationParts, 'outbox'>): RevokeQuietly {
  return async (id, leave) => {
    const was = await store.transaction(async (tx) => {
      const registration = await records.find(id, tx);
      if (!registration || registration.revokedAt !== undefined) return false;
      const at = now();
      const notBefore = at + lateMs;
      const epoch = registration.epoch + 1;
      await records.change(id, { revokedAt: at, notBefore, epoch }, tx);
      await marks.raise({ kind: 'registration', id, notBefore }, tx);
      await refreshTokens.removeOwned(id, tx);
      await leave(tx);
      return true;
    });
    if (was) await revocations.follow();
    return was;
  };
}
