import { sql, type Transaction } from 'kysely';
import type { OutgoingMessage } from '#contract/bus/message';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../generated/tables.ts';

/** A message that waits, with its place among all. */
export interface Waiting {
  readonly tenant: string;
  readonly id: string;
  readonly message: OutgoingMessage;
}

/** Microseconds, so that what one transaction writes after another has the larger number. */
const databaseMicroseconds = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)`;
const databaseMilliseconds = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/**
 * Events that were written with the rows that they tell of (transactional outbox). The order is kept
 * of transactions that began after another had ended.
 */
export class Outbox {
  readonly #store: Store<Tables>;

  constructor(store: Store<Tables>) {
    this.#store = store;
  }

  /** Store a message in a transaction of its author; PostgreSQL tells all relays when it is committed. */
  async add(
    tx: Transaction<Tables>,
    message: OutgoingMessage & { readonly id: string },
  ): Promise<void> {
    const { tenant, id } = message;
    const json = JSON.stringify({ ...message, data: message.data.toWellFormed() });
    if (this.#store.engine === 'sqlite') {
      await sql`insert into bus_outbox (tenant, id, position, message, created_at)
        values (${tenant}, ${id}, (select coalesce(max(position), 0) + 1 from bus_outbox), ${json},
          ${Date.now()}) on conflict do nothing`.execute(tx);
      return;
    }
    await sql`with added as (
        insert into bus_outbox (tenant, id, position, message, created_at)
        values (${tenant}, ${id}, ${databaseMicroseconds}, ${json}, ${databaseMilliseconds})
        on conflict do nothing)
      select pg_notify('bus_outbox', '')`.execute(tx);
  }

  /** What waits for longest, in its order. A transaction that writes in SQLite is waited for. */
  async oldest(limit: number): Promise<readonly Waiting[]> {
    const rows = await this.#store.db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const found = await sql<{
          tenant: string;
          id: string;
          message: string;
          created_at: number;
        }>`
          select tenant, id, message, created_at from bus_outbox
          order by position, id limit ${limit}`.execute(tx);
        return found.rows;
      });
    return rows.map(({ tenant, id, message, created_at: mayBeThereSince }) => ({
      ...{ tenant, id },
      message: { ...JSON.parse(message), mayBeThereSince },
    }));
  }

  /** Forget what was published. */
  async remove(published: readonly Waiting[]): Promise<void> {
    if (published.length === 0) return;
    const keys = published.map(({ tenant, id }) => sql`(${tenant}, ${id})`);
    await sql`delete from bus_outbox
      where (tenant, id) in (values ${sql.join(keys)})`.execute(this.#store.db);
  }

  async count(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from bus_outbox`.execute(
      this.#store.db,
    );
    return rows[0]?.count ?? 0;
  }
}
