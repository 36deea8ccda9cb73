import { sql, type Transaction } from 'kysely';
import type { BusDriver } from '#contract/bus/driver';
import { isRefusal } from '#contract/bus/faults';
import type { OutgoingMessage } from '#contract/bus/message';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../generated/tables.ts';
import type { Left } from './relay.ts';

/** A message that waits, with its place among all. */
interface Waiting {
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
  async #oldest(limit: number): Promise<readonly Waiting[]> {
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
          select tenant, id, message, created_at from bus_outbox where refused is null
          order by position, id limit ${limit}`.execute(tx);
        return found.rows;
      });
    return rows.map(({ tenant, id, message, created_at: mayBeThereSince }) => ({
      ...{ tenant, id },
      message: { ...JSON.parse(message), mayBeThereSince },
    }));
  }

  /**
   * Publish the oldest ones; each leaves after it is in its stream, and is tried again under its id. One
   * that no stream takes is set aside, and those behind it go on.
   */
  async forwardTo(driver: Pick<BusDriver, 'publishAll'>, limit: number): Promise<Left> {
    const refused: unknown[] = [];
    let waiting = await this.#oldest(limit);
    let count = 0;
    while (waiting.length > 0) {
      const { receipts, failure } = await driver.publishAll(waiting.map(({ message }) => message));
      await this.#remove(waiting.slice(0, receipts.length));
      count += receipts.length;
      if (failure === undefined) break;
      const [first, ...behind] = waiting.slice(receipts.length);
      if (first === undefined || !isRefusal(failure)) return { count, refused, failure };
      await this.#refuse(first, failure.message);
      refused.push(failure);
      count += 1;
      waiting = behind;
    }
    return { count, refused };
  }

  /** How many wait to be published. */
  async count(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from bus_outbox
      where refused is null`.execute(this.#store.db);
    return rows[0]?.count ?? 0;
  }

  /** How many no stream takes. */
  async countRefused(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from bus_outbox
      where refused is not null`.execute(this.#store.db);
    return rows[0]?.count ?? 0;
  }

  /** Let all wait again that no stream took: another version or another server of NATS may take them. */
  async tryAgain(): Promise<void> {
    await sql`update bus_outbox set refused = null where refused is not null`.execute(
      this.#store.db,
    );
  }

  async #refuse({ tenant, id }: Waiting, reason: string): Promise<void> {
    await sql`update bus_outbox set refused = ${reason}
      where tenant = ${tenant} and id = ${id}`.execute(this.#store.db);
  }

  /** Forget what was published. */
  async #remove(published: readonly Waiting[]): Promise<void> {
    if (published.length === 0) return;
    const keys = published.map(({ tenant, id }) => sql`(${tenant}, ${id})`);
    await sql`delete from bus_outbox
      where (tenant, id) in (values ${sql.join(keys)})`.execute(this.#store.db);
  }
}
