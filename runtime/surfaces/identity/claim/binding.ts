import type { Transaction } from 'kysely';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import type { DelegationRecords } from '../records/delegations.ts';
import type { Registration, RegistrationRecords } from '../records/registrations.ts';
import type { RevocationRecords } from '../records/revocations.ts';

export interface BindingParts {
  readonly registrations: Pick<RegistrationRecords, 'change'>;
  readonly delegations: Pick<DelegationRecords, 'note'>;
  readonly revocationRecords: Pick<RevocationRecords, 'raise'>;
}

/** Bind a registration to a person: from now on only what it is given afterwards counts. */
export async function bindToPerson(
  registration: Registration,
  { user, now }: { readonly user: string; readonly now: number },
  { registrations, revocationRecords, delegations }: BindingParts,
  tx: Transaction<IdentityTables>,
): Promise<void> {
  const { id, epoch, issuer } = registration;
  // What was issued within this millisecond was issued before.
  const notBefore = now + 1;
  await registrations.change(id, { user, claimedAt: now, notBefore, epoch: epoch + 1 }, tx);
  await revocationRecords.raise({ kind: 'registration', id, notBefore }, tx);
  if (issuer === '') return;
  const { issuerTenant, issuerSubject: subject } = registration;
  await delegations.note({ issuer, issuerTenant, subject }, user, tx);
}
