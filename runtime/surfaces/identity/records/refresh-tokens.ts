import type { Transaction } from 'kysely';
import type {
  IdentityRefreshTokenRow,
  IdentityTables,
} from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

export type RefreshTokenRow = Omit<IdentityRefreshTokenRow, 'tenant'>;

type Database = Pick<Transaction<IdentityTables>, 'insertInto' | 'deleteFrom'>;

/** What came of spending a token. */
export type Spending =
  | { readonly kind: 'spent'; readonly row: RefreshTokenRow }
  /** It was spent so little time ago that its client may have lost the answer. */
  | { readonly kind: 'repeated'; readonly row: RefreshTokenRow }
  | { readonly kind: 'reused'; readonly row: RefreshTokenRow }
  | { readonly kind: 'unknown' };

/** What takes the place of a token. */
export interface Successor {
  readonly hash: string;
  readonly sealed: string;
  readonly expiresAt: number;
  /** Hash of what took the place of one that is spent. */
  hashOf(spent: RefreshTokenRow): Promise<string>;
}

/** Refresh tokens: of one family only the newest can be spent. */
export function createRefreshTokenRecords({ store, tenant, now }: Place) {
  return {
    async add(row: RefreshTokenRow, db: Database = store.db): Promise<void> {
      await db
        .insertInto('identity_refresh_token')
        .values({ ...row, tenant })
        .execute();
    },
    async find(hash: string): Promise<RefreshTokenRow | undefined> {
      return store.db
        .selectFrom('identity_refresh_token')
        .selectAll()
        .where((where) => where.and({ tenant, hash }))
        .where('expires_at', '>', now())
        .executeTakeFirst();
    },
    /**
     * Spend a token and add its successor, both or none. Whoever brings a spent one within `graceMs`
     * gets that again, unless that was spent too; else one of two has stolen it, and the whole family
     * is to end (RFC 9700 section 4.14.2).
     */
    async spend(hash: string, next: Successor, graceMs: number): Promise<Spending> {
      const at = now();
      return store.transaction(async (tx) => {
        const row = await tx
          .selectFrom('identity_refresh_token')
          .selectAll()
          .where((where) => where.and({ tenant, hash }))
          .where('expires_at', '>', at)
          .executeTakeFirst();
        if (!row) return { kind: 'unknown' };
        if (row.spent_at !== null) {
          if (at - row.spent_at >= graceMs) return { kind: 'reused', row };
          // Which one came of it is written in the row: times may be equal, and clocks be set back.
          const successor = await tx
            .selectFrom('identity_refresh_token')
            .select('spent_at')
            .where((where) => where.and({ tenant, family: row.family }))
            .where('hash', '=', await next.hashOf(row))
            .executeTakeFirst();
          // Whoever has spent the next one has had the answer.
          return { kind: successor?.spent_at === null ? 'repeated' : 'reused', row };
        }
        const spent = { spent_at: at, successor: next.sealed };
        await tx
          .updateTable('identity_refresh_token')
          .set(spent)
          .where((where) => where.and({ tenant, hash }))
          .execute();
        const fresh = { spent_at: null, successor: '', created_at: at, expires_at: next.expiresAt };
        await tx
          .insertInto('identity_refresh_token')
          .values({ ...row, ...fresh, hash: next.hash })
          .execute();
        return { kind: 'spent', row };
      });
    },
    /** Forget all that come from one another; gives whether there were any. */
    async removeFamily(family: string, db: Database = store.db): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('identity_refresh_token')
        .where((where) => where.and({ tenant, family }))
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
    /** Forget all of a registration or a grant. */
    async removeOwned(owner: string, db: Database = store.db): Promise<void> {
      await db
        .deleteFrom('identity_refresh_token')
        .where((where) => where.and({ tenant, owner }))
        .execute();
    },
  };
}

export type RefreshTokenRecords = ReturnType<typeof createRefreshTokenRecords>;
