import type { Transaction } from 'kysely';
import type {
  IdentitySigningKeyRow,
  IdentityTables,
} from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

export type SigningKeyRow = Omit<IdentitySigningKeyRow, 'tenant'>;

/** What becomes of the keys of a tenant. */
export interface KeyChange {
  readonly add: readonly SigningKeyRow[];
  readonly change: readonly (Pick<SigningKeyRow, 'kid'> & Partial<SigningKeyRow>)[];
}

/** The keys that sign tokens. */
export function createSigningKeyRecords({ store, tenant }: Place) {
  return {
    /** All that are not retired, the oldest first. */
    async list(): Promise<readonly SigningKeyRow[]> {
      return store.db
        .selectFrom('identity_signing_key')
        .selectAll()
        .where((where) => where.and({ tenant }))
        .where('state', '!=', 'retired')
        .orderBy('created_at')
        .orderBy('kid')
        .execute();
    },
    /**
     * Let `plan` see the keys and change them, as if no other replica did so meanwhile; `leave`
     * does in the same transaction what follows of it.
     */
    async change(
      plan: (keys: readonly SigningKeyRow[]) => KeyChange,
      leave: (changed: KeyChange, tx: Transaction<IdentityTables>) => Promise<void>,
    ): Promise<KeyChange> {
      return store.transaction(async (tx) => {
        const keys = await tx
          .selectFrom('identity_signing_key')
          .selectAll()
          .where((where) => where.and({ tenant }))
          .where('state', '!=', 'retired')
          .orderBy('created_at')
          .orderBy('kid')
          .execute();
        const planned = plan(keys);
        for (const row of planned.add) {
          await tx
            .insertInto('identity_signing_key')
            .values({ ...row, tenant })
            .execute();
        }
        for (const { kid, ...values } of planned.change) {
          await tx
            .updateTable('identity_signing_key')
            .set(values)
            .where((where) => where.and({ tenant, kid }))
            .execute();
        }
        await leave(planned, tx);
        return planned;
      });
    },
  };
}

export type SigningKeyRecords = ReturnType<typeof createSigningKeyRecords>;
