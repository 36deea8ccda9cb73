import type { Transaction } from 'kysely';
import type {
  IdentityElevationRow,
  IdentityTables,
} from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

export type ElevationRow = Omit<IdentityElevationRow, 'tenant'>;

type Database = Pick<Transaction<IdentityTables>, 'insertInto'>;

/** Requests for more scopes that somebody has decided. */
export function createElevationRecords({ store, tenant }: Place) {
  return {
    /** Whether one was decided, by its hash. */
    async isDecided(hash: string): Promise<boolean> {
      const row = await store.db
        .selectFrom('identity_elevation')
        .select('hash')
        .where((where) => where.and({ tenant, hash }))
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Note that one was decided; true for the one who was first. */
    async decide(row: ElevationRow, db: Database): Promise<boolean> {
      const noted = await db
        .insertInto('identity_elevation')
        .values({ ...row, tenant })
        .onConflict((known) => known.columns(['tenant', 'hash']).doNothing())
        .returning('hash')
        .executeTakeFirst();
      return noted !== undefined;
    },
  };
}

export type ElevationRecords = ReturnType<typeof createElevationRecords>;
