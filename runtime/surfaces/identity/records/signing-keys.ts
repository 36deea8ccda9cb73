import type { ExpressionBuilder, Transaction } from 'kysely';
import type {
  IdentitySigningKeyRow,
  IdentityTables,
} from '../../../../generated/surfaces/identity/tables.ts';
import { farthestMs } from '../numeric-date.ts';
import type { Place } from './place.ts';

export type SigningKeyRow = Omit<IdentitySigningKeyRow, 'tenant'>;

/** What becomes of the keys of a tenant. */
export interface KeyChange {
  readonly add: readonly SigningKeyRow[];
  readonly change: readonly (Pick<SigningKeyRow, 'kid'> & Partial<SigningKeyRow>)[];
}

/** A key as far as it can be read whatever its row holds. */
type FoundKey = Pick<SigningKeyRow, 'kid' | 'alg' | 'public'> & { readonly hasTimes: 0 | 1 };

const times = ['created_at', 'active_at', 'retiring_at', 'retired_at'] as const;

function hasTimes({ eb, lit, and, or }: ExpressionBuilder<IdentityTables, 'identity_signing_key'>) {
  const areTimes = times.map((time) =>
    or([eb(time, 'is', null), eb.between(time, lit(0), lit(farthestMs))]),
  );
  return eb.case().when(and(areTimes)).then(lit(1)).else(lit(0)).end().as('hasTimes');
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
    /** All that are not retired, without the numbers that a damaged row may have. */
    async look(): Promise<readonly FoundKey[]> {
      return store.db
        .selectFrom('identity_signing_key')
        .select(['kid', 'alg', 'public'])
        .select(hasTimes)
        .where((where) => where.and({ tenant }))
        .where('state', '!=', 'retired')
        .execute();
    },
    /** Retire one, also where it cannot be read; `leave` does in the same transaction what follows. */
    async retire(kid: string, leave: (tx: Transaction<IdentityTables>) => Promise<void>) {
      await store.transaction(async (tx) => {
        const retired = await tx
          .updateTable('identity_signing_key')
          .set({ state: 'retired', private: '' })
          .where((where) => where.and({ tenant, kid }))
          .where('state', '!=', 'retired')
          .returning('kid')
          .executeTakeFirst();
        if (retired) await leave(tx);
      });
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
