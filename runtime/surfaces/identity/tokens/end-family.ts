import type { Transaction } from 'kysely';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import type { OutboxNote } from '../outbox/note.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { GrantRecords } from '../records/grants.ts';
import type { Place } from '../records/place.ts';
import type { RefreshTokenRecords } from '../records/refresh-tokens.ts';
import type { RegistrationRecords } from '../records/registrations.ts';
import type { RevocationRecords } from '../records/revocations.ts';
import type { Revocations } from './revocations.ts';

/** The refresh tokens that come from one another, and whose access tokens they bring. */
export interface Family {
  readonly family: string;
  readonly kind: 'agent' | 'oauth';
  /** The registration, or the grant. */
  readonly owner: string;
}

/**
 * Ends a family with all access tokens that its owner has got so far, and writes that down: all of it
 * happens, or nothing. `also` does in the same transaction what else follows of it. Whoever comes
 * second changes nothing.
 */
export type EndFamily = (
  family: Family,
  note: OutboxNote,
  also?: (tx: Transaction<IdentityTables>) => Promise<void>,
) => Promise<void>;

/** Make what ends families of refresh tokens. */
export function familyEnd(parts: {
  readonly place: Place;
  readonly records: Pick<RefreshTokenRecords, 'removeFamily'>;
  readonly registrations: Pick<RegistrationRecords, 'find' | 'change'>;
  readonly grants: Pick<GrantRecords, 'find' | 'holdBack'>;
  readonly marks: Pick<RevocationRecords, 'raise'>;
  readonly revocations: Pick<Revocations, 'follow'>;
  readonly outbox: Outbox;
}): EndFamily {
  const { place, records, registrations, grants, marks, revocations, outbox } = parts;
  const { store, now } = place;
  async function endTokens({ kind, owner: id }: Family, tx: Transaction<IdentityTables>) {
    const earlier =
      kind === 'agent'
        ? (await registrations.find(id, tx))?.notBefore
        : (await grants.find(id, tx))?.not_before;
    // What was issued within this millisecond was issued before.
    const notBefore = Math.max(now(), earlier ?? 0) + 1;
    if (kind === 'agent') await registrations.change(id, { notBefore }, tx);
    else await grants.holdBack(id, notBefore, tx);
    await marks.raise({ kind: kind === 'agent' ? 'registration' : 'grant', id, notBefore }, tx);
  }
  return async (family, note, also) => {
    const was = await store.transaction(async (tx) => {
      if (!(await records.removeFamily(family.family, tx))) return false;
      await endTokens(family, tx);
      await also?.(tx);
      await outbox.add(note, tx);
      return true;
    });
    if (!was) return;
    outbox.wake();
    // And what somebody got meanwhile.
    await store.transaction((tx) => endTokens(family, tx));
    await revocations.follow();
  };
}
