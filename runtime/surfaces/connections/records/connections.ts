import type { Transaction } from 'kysely';
import type { Store } from '#contract/house/store';
import type {
  ConnectionRow,
  ConnectionsTables,
} from '../../../../generated/surfaces/connections/tables.ts';
import { readableRow } from './readable-row.ts';

/** A person in a tenant. */
export interface Owner {
  readonly tenant: string;
  readonly subject: string;
}

/** What a connection keeps of its tokens. */
export type KeptTokens = Pick<ConnectionRow, 'sealed' | 'key_id' | 'scopes' | 'expires_at'>;

/** What is needed to seal a connection anew, and no more: nothing else in a row can hinder it. */
export type SealedRow = Pick<
  ConnectionRow,
  'tenant' | 'subject' | 'provider' | 'id' | 'version' | 'sealed'
>;

/** Done with the change of a row, or not at all. */
type WithRow = (row: ConnectionRow, tx: Transaction<ConnectionsTables>) => Promise<void>;
type WithReplaced = (
  row: ConnectionRow | undefined,
  tx: Transaction<ConnectionsTables>,
) => Promise<void>;

/** What people have connected. */
export function createConnectionRecords(store: Store<ConnectionsTables>, now: () => number) {
  const same = ({ tenant, subject, provider, id, version }: Omit<SealedRow, 'sealed'>) => ({
    ...{ tenant, subject, provider, id, version },
  });
  return {
    async find({ tenant, subject }: Owner, provider: string): Promise<ConnectionRow | undefined> {
      return store.db
        .selectFrom('connection')
        .select(readableRow)
        .where((where) => where.and({ tenant, subject, provider }))
        .executeTakeFirst();
    },
    async list({ tenant, subject }: Owner): Promise<readonly ConnectionRow[]> {
      return store.db
        .selectFrom('connection')
        .select(readableRow)
        .where((where) => where.and({ tenant, subject }))
        .orderBy('provider')
        .execute();
    },
    /** All of a tenant, for its operator. */
    async listAll(tenant: string, limit: number): Promise<readonly ConnectionRow[]> {
      return store.db
        .selectFrom('connection')
        .select(readableRow)
        .where((where) => where.and({ tenant }))
        .orderBy('subject')
        .orderBy('provider')
        .limit(limit)
        .execute();
    },
    /** Keep one in the place of what this person had at this vendor, if anything; `more` is done with it. */
    async put(row: ConnectionRow, more: WithReplaced): Promise<void> {
      const { tenant, subject, provider, ...rest } = row;
      await store.transaction(async (tx) => {
        const replaced = await tx
          .deleteFrom('connection')
          .where((where) => where.and({ tenant, subject, provider }))
          .returning(readableRow)
          .executeTakeFirst();
        await tx
          .insertInto('connection')
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(['tenant', 'subject', 'provider']).doUpdateSet(rest),
          )
          .execute();
        await more(replaced, tx);
      });
    },
    /** Let one of several who try renew it alone, until `until`. */
    async lease(row: ConnectionRow, until: number): Promise<boolean> {
      const taken = await store.db
        .updateTable('connection')
        .set({ lease_until: until })
        .where((where) => where.and({ ...same(row), state: 'connected' }))
        .where((where) =>
          where.or([where('lease_until', 'is', null), where('lease_until', '<=', now())]),
        )
        .returning('id')
        .executeTakeFirst();
      return taken !== undefined;
    },
    /** Let others try; `more` is done with it, whether there is still something to let go of or not. */
    async release(
      row: ConnectionRow,
      more: (tx: Transaction<ConnectionsTables>) => Promise<void>,
    ): Promise<void> {
      await store.transaction(async (tx) => {
        await tx
          .updateTable('connection')
          .set({ lease_until: null })
          .where((where) => where.and(same(row)))
          .execute();
        await more(tx);
      });
    },
    /** Keep new tokens, unless there are newer ones. */
    async renew(row: ConnectionRow, tokens: KeptTokens): Promise<ConnectionRow | undefined> {
      return store.db
        .updateTable('connection')
        .set({ ...tokens, version: row.version + 1, lease_until: null, changed_at: now() })
        .where((where) => where.and(same(row)))
        .returning(readableRow)
        .executeTakeFirst();
    },
    /** Mark it as refused; whether nobody has done so before. */
    async breakOff(row: ConnectionRow, more: WithRow): Promise<void> {
      await store.transaction(async (tx) => {
        const broken = await tx
          .updateTable('connection')
          .set({ state: 'broken', lease_until: null, changed_at: now() })
          .where((where) => where.and({ ...same(row), state: 'connected' }))
          .returning('id')
          .executeTakeFirst();
        if (broken) await more(row, tx);
      });
    },
    /** Remove it; `more` is done with it or not at all. */
    async remove(
      { tenant, subject }: Owner,
      provider: string,
      more: WithRow,
    ): Promise<ConnectionRow | undefined> {
      return store.transaction(async (tx) => {
        const row = await tx
          .deleteFrom('connection')
          .where((where) => where.and({ tenant, subject, provider }))
          .returning(readableRow)
          .executeTakeFirst();
        if (row) await more(row, tx);
        return row;
      });
    },
    /** Some, of all tenants, that one of these keys has sealed: those that come after another one. */
    async sealedWith(
      keyIds: readonly string[],
      limit: number,
      after: SealedRow | undefined,
    ): Promise<readonly SealedRow[]> {
      if (keyIds.length === 0) return [];
      let rows = store.db
        .selectFrom('connection')
        .select(['tenant', 'subject', 'provider', 'id', 'version', 'sealed'])
        .where('key_id', 'in', [...keyIds]);
      if (after) rows = rows.where('id', '>', after.id);
      return rows.orderBy('id').limit(limit).execute();
    },
    /** Keep the same tokens, sealed anew, unless they have changed meanwhile. */
    async reseal(row: SealedRow, next: Pick<ConnectionRow, 'sealed' | 'key_id'>): Promise<void> {
      await store.db
        .updateTable('connection')
        .set(next)
        .where((where) => where.and({ ...same(row), sealed: row.sealed }))
        .execute();
    },
    /** Whether there is none at all, or some, of any tenant, that one of these keys has sealed. */
    async isAnySealedWith(keyIds: readonly string[]): Promise<boolean> {
      const one = store.db.selectFrom('connection').select('id').limit(1);
      const known = await one.where('key_id', 'in', [...keyIds]).executeTakeFirst();
      return known !== undefined || (await one.executeTakeFirst()) === undefined;
    },
  };
}

export type ConnectionRecords = ReturnType<typeof createConnectionRecords>;
