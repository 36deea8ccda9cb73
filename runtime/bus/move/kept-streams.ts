import { sql, type Transaction } from 'kysely';
import type { StoredMessage } from '#contract/bus/message';
import type { Store } from '#contract/house/store';
import type {
  BusConsumerRow,
  BusMessageRow,
  BusPendingRow,
  BusStreamRow,
  Tables,
} from '../../../generated/tables.ts';
import { messageOf, ownTenant } from '../embedded/message-row.ts';

/** Messages that are read at a time. */
const pageSize = 500;
/** Numbers of messages that are read at a time. */
const numbersAtOnce = 10_000;

/** A stream as the store keeps it. */
export type KeptStream = Pick<BusStreamRow, 'name' | 'last_sequence' | 'messages'>;

/** Where a durable consumer stands. */
export interface KeptConsumer extends Pick<BusConsumerRow, 'name' | 'filter' | 'delivered'> {
  readonly pending: readonly Pick<BusPendingRow, 'sequence' | 'deliveries' | 'due_at'>[];
}

/** Messages whose numbers follow each other, from the first to the last. */
export interface Run {
  readonly first: number;
  readonly last: number;
}

/** The streams of the embedded bus, read past its driver; no server runs meanwhile. */
export class KeptStreams {
  readonly #store: Store<Tables>;

  constructor(store: Store<Tables>) {
    this.#store = store;
  }

  async all(): Promise<readonly KeptStream[]> {
    const { rows } = await sql<KeptStream>`select name, last_sequence, messages from bus_stream
      where tenant = ${ownTenant} order by name`.execute(this.#store.db);
    return rows;
  }

  /** What follows a number, in the order of the stream. */
  async after(stream: string, sequence: number): Promise<readonly StoredMessage[]> {
    const { rows } = await sql<BusMessageRow>`select * from bus_message
      where stream = ${stream} and sequence > ${sequence}
      order by sequence limit ${pageSize}`.execute(this.#store.db);
    return rows.map(messageOf);
  }

  /** All messages of a stream, in their order. */
  async *messages(stream: string): AsyncGenerator<StoredMessage, undefined> {
    for (let at = 0; ; ) {
      const page = await this.after(stream, at);
      const last = page.at(-1);
      if (last === undefined) return;
      yield* page;
      at = last.sequence;
    }
  }

  /** How many messages there are behind a number. */
  async countAfter(stream: string, sequence: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from bus_message
      where stream = ${stream} and sequence > ${sequence}`.execute(this.#store.db);
    return Number(rows[0]?.count ?? 0);
  }

  /** Numbers and subjects of the messages of a stream, in their order. */
  async *places(
    stream: string,
    { first, last }: Run,
  ): AsyncGenerator<Pick<BusMessageRow, 'sequence' | 'subject'>> {
    for (let from = first; from <= last; ) {
      const { rows } = await sql<Pick<BusMessageRow, 'sequence' | 'subject'>>`
        select sequence, subject from bus_message
        where stream = ${stream} and sequence >= ${from} and sequence <= ${last}
        order by sequence limit ${numbersAtOnce}`.execute(this.#store.db);
      yield* rows;
      const end = rows.at(-1);
      if (end === undefined) return;
      from = end.sequence + 1;
    }
  }

  /** How many messages are kept of the subject that has most: the history of a bucket. */
  async longestHistory(stream: string): Promise<number> {
    const { rows } = await sql<{ longest: number | null }>`select max(kept) as longest from
      (select count(*) as kept from bus_message where stream = ${stream} group by subject) counted
    `.execute(this.#store.db);
    return Number(rows[0]?.longest ?? 1);
  }

  async consumers(stream: string): Promise<readonly KeptConsumer[]> {
    const { rows } = await sql<BusConsumerRow>`select * from bus_consumer
      where tenant = ${ownTenant} and stream = ${stream} order by name`.execute(this.#store.db);
    const pending = await sql<BusPendingRow>`select * from bus_pending
      where tenant = ${ownTenant} and stream = ${stream} order by sequence`.execute(this.#store.db);
    return rows.map(({ name, filter, delivered }) => ({
      ...{ name, filter, delivered },
      pending: pending.rows.filter(({ consumer }) => consumer === name),
    }));
  }

  /**
   * Forget all of it, if nothing has come since it was read.
   *
   * @throws Error that names the stream to which something has come
   */
  async forget(moved: readonly KeptStream[]): Promise<void> {
    await this.#store.transaction(async (tx) => {
      const now = await lastSequences(tx);
      for (const [name, last] of now) {
        const known = moved.find((stream) => stream.name === name)?.last_sequence ?? 0;
        if (last !== known) throw new Error(`events have come to ${name} while it was moved`);
      }
      await sql`delete from bus_pending`.execute(tx);
      await sql`delete from bus_consumer`.execute(tx);
      await sql`delete from bus_message`.execute(tx);
      await sql`delete from bus_stream`.execute(tx);
    });
  }
}

async function lastSequences(tx: Transaction<Tables>): Promise<readonly [string, number][]> {
  const { rows } = await sql<KeptStream>`select name, last_sequence from bus_stream
    where tenant = ${ownTenant}`.execute(tx);
  return rows.map(({ name, last_sequence: last }) => [name, last]);
}
