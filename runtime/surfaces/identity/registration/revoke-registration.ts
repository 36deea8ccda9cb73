import type { AuditActor } from '#contract/house/audit';
import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
import type { RefreshTokenRecords } from '../records/refresh-tokens.ts';
import type { RegistrationRecords } from '../records/registrations.ts';
import type { Revocations } from '../tokens/revocations.ts';

export interface RevokeRegistrationParts {
  readonly records: Pick<RegistrationRecords, 'find' | 'change'>;
  readonly refreshTokens: Pick<RefreshTokenRecords, 'removeOwned'>;
  readonly revocations: Pick<Revocations, 'raise'>;
  readonly events: Pick<IdentityEvents, 'registrationRevoked'>;
  readonly tenant: string;
  readonly now: () => number;
}

/** Revokes a registration with every token of it; gives whether there was one to revoke. */
export type RevokeRegistration = (id: string, actor: AuditActor) => Promise<boolean>;

/** Make what revokes registrations. What is worth most goes first: all of it may be tried again. */
export function revokeRegistrations(parts: RevokeRegistrationParts): RevokeRegistration {
  const { records, refreshTokens, revocations, events, tenant, now } = parts;
  return async (id, actor) => {
    const registration = await records.find(id);
    if (!registration || registration.revokedAt !== undefined) return false;
    const at = now();
    await records.change(id, { revokedAt: at, notBefore: at, epoch: registration.epoch + 1 });
    await revocations.raise({ kind: 'registration', id, notBefore: at });
    await refreshTokens.removeOwned(id);
    await events.registrationRevoked({ tenant, actor, subject: id, payload: {} });
    return true;
  };
}
