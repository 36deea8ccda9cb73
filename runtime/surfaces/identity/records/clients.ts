import type { Transaction } from 'kysely';
import type {
  IdentityClientRow,
  IdentityTables,
} from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

export type ClientRow = Omit<IdentityClientRow, 'tenant'>;

type Database = Pick<Transaction<IdentityTables>, 'updateTable'>;

/** Clients that have registered themselves. */
export function createClientRecords({ store, tenant, now }: Place) {
  return {
    async find(id: string): Promise<ClientRow | undefined> {
      return store.db
        .selectFrom('identity_client')
        .selectAll()
        .where((where) => where.and({ tenant, id }))
        .where((where) =>
          where.or([where('expires_at', 'is', null), where('expires_at', '>', now())]),
        )
        .executeTakeFirst();
    },
    /**
     * Store a client, unless there is one of its digest that still counts: that one comes back. `leave`
     * does in the same transaction what follows of a new one.
     */
    async addOnce(
      row: ClientRow,
      leave: (tx: Transaction<IdentityTables>) => Promise<void>,
    ): Promise<ClientRow> {
      return store.transaction(async (tx) => {
        const known = row.digest === '' ? undefined : await this.sameAs(tx, row.digest);
        if (known) return known;
        await tx
          .insertInto('identity_client')
          .values({ ...row, tenant })
          .execute();
        await leave(tx);
        return row;
      });
    },
    async sameAs(tx: Transaction<IdentityTables>, digest: string): Promise<ClientRow | undefined> {
      return tx
        .selectFrom('identity_client')
        .selectAll()
        .where((where) => where.and({ tenant, digest }))
        .where((where) =>
          where.or([where('expires_at', 'is', null), where('expires_at', '>', now())]),
        )
        .executeTakeFirst();
    },
    /** A client that somebody has used stays. */
    async keep(id: string, db: Database = store.db): Promise<void> {
      await db
        .updateTable('identity_client')
        .set({ used_at: now(), expires_at: null })
        .where((where) => where.and({ tenant, id }))
        .execute();
    },
  };
}

export type ClientRecords = ReturnType<typeof createClientRecords>;
