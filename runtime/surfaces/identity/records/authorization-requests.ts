import type { Transaction } from 'kysely';
import type {
  IdentityAuthorizationRequestRow,
  IdentityTables,
} from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

export type AuthorizationRequestRow = Omit<IdentityAuthorizationRequestRow, 'tenant'>;

type Database = Pick<Transaction<IdentityTables>, 'deleteFrom'>;

/** Requests of clients that wait for a person, and those that were pushed (RFC 9126). */
export function createAuthorizationRequestRecords({ store, tenant, now }: Place) {
  return {
    async insert(row: AuthorizationRequestRow): Promise<void> {
      await store.db
        .insertInto('identity_authorization_request')
        .values({ ...row, tenant })
        .execute();
    },
    async find(hash: string): Promise<AuthorizationRequestRow | undefined> {
      return store.db
        .selectFrom('identity_authorization_request')
        .selectAll()
        .where((where) => where.and({ tenant, hash }))
        .where('expires_at', '>', now())
        .executeTakeFirst();
    },
    /** Take a request away; it comes back to the one who was first. */
    async take(
      hash: string,
      db: Database = store.db,
    ): Promise<AuthorizationRequestRow | undefined> {
      return db
        .deleteFrom('identity_authorization_request')
        .where((where) => where.and({ tenant, hash }))
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst();
    },
  };
}

export type AuthorizationRequestRecords = ReturnType<typeof createAuthorizationRequestRecords>;
