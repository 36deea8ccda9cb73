import type { Transaction } from 'kysely';
import type {
  IdentityTables,
  IdentityUserRow,
} from '../../../../generated/surfaces/identity/tables.ts';
import { makeSecret } from '../secrets/secret.ts';
import type { Place } from './place.ts';

type Database = Pick<Transaction<IdentityTables>, 'selectFrom' | 'insertInto'>;

export type UserRow = Omit<IdentityUserRow, 'tenant'>;

/** The people who have signed in, each known by a verified address. */
export function createUserRecords({ store, tenant, now }: Place) {
  return {
    /** The person with this address, who is there from now on. */
    async at(email: string, name: string, db: Database = store.db): Promise<UserRow> {
      const row = { id: makeSecret('usr'), email, name, created_at: now(), not_before: 0 };
      await db
        .insertInto('identity_user')
        .values({ ...row, tenant })
        .onConflict((user) => user.columns(['tenant', 'email']).doNothing())
        .execute();
      return db
        .selectFrom('identity_user')
        .selectAll()
        .where((where) => where.and({ tenant, email }))
        .executeTakeFirstOrThrow();
    },
    async find(id: string, db: Database = store.db): Promise<UserRow | undefined> {
      return db
        .selectFrom('identity_user')
        .selectAll()
        .where((where) => where.and({ tenant, id }))
        .executeTakeFirst();
    },
  };
}

export type UserRecords = ReturnType<typeof createUserRecords>;
