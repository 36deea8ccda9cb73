import type { Transaction } from 'kysely';
import type {
  IdentitySignInRow,
  IdentityTables,
} from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

export type SignInRow = Omit<IdentitySignInRow, 'tenant'>;

/** Sign-ins that have begun. */
export function createSignInRecords({ store, tenant, now }: Place) {
  return {
    /**
     * Begin one, unless there are `most` for this address already; `more` is done with it or not at
     * all.
     */
    async insert(
      row: SignInRow,
      most: number,
      more: (tx: Transaction<IdentityTables>) => Promise<void> = async () => {},
    ): Promise<boolean> {
      return store.transaction(async (tx) => {
        if (row.email !== '') {
          const { count } = await tx
            .selectFrom('identity_sign_in')
            .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
            .where((where) => where.and({ tenant, email: row.email }))
            .where('expires_at', '>', now())
            .executeTakeFirstOrThrow();
          if (Number(count) >= most) return false;
        }
        await tx
          .insertInto('identity_sign_in')
          .values({ ...row, tenant })
          .execute();
        await more(tx);
        return true;
      });
    },
    /** One that is open, left as it is. */
    async find(hash: string, kind: SignInRow['kind']): Promise<SignInRow | undefined> {
      return store.db
        .selectFrom('identity_sign_in')
        .selectAll()
        .where((where) => where.and({ tenant, hash, kind }))
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .executeTakeFirst();
    },
    /** Take it; of several who try, one gets it. */
    async take(hash: string, kind: SignInRow['kind']): Promise<SignInRow | undefined> {
      return store.db
        .updateTable('identity_sign_in')
        .set({ used_at: now() })
        .where((where) => where.and({ tenant, hash, kind }))
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst();
    },
  };
}

export type SignInRecords = ReturnType<typeof createSignInRecords>;
