import type { Transaction } from 'kysely';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

/** Ids of tokens of others (JWT `jti`), so that none is used more often than it may be. */
export function createSeenIdRecords({ store, tenant, now }: Place) {
  return {
    /** Count one use of an id; false where it has been used `most` times already. */
    async use(
      issuer: string,
      jti: string,
      expiresAt: number,
      most = 1,
      db: Pick<Transaction<IdentityTables>, 'insertInto'> = store.db,
    ): Promise<boolean> {
      const row = await db
        .insertInto('identity_seen_id')
        .values({ tenant, issuer, jti, uses: 1, expires_at: expiresAt })
        .onConflict((seen) =>
          seen.columns(['tenant', 'issuer', 'jti']).doUpdateSet(({ eb }) => ({
            uses: eb('identity_seen_id.uses', '+', 1),
            // A row that was only not swept yet begins anew where the id comes again.
            expires_at: expiresAt,
          })),
        )
        .returning('uses')
        .executeTakeFirstOrThrow();
      return row.uses <= most;
    },
    async has(issuer: string, jti: string): Promise<boolean> {
      const row = await store.db
        .selectFrom('identity_seen_id')
        .select('uses')
        .where((where) => where.and({ tenant, issuer, jti }))
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export type SeenIdRecords = ReturnType<typeof createSeenIdRecords>;
