import { sql } from 'kysely';
import type { StoredMessage } from '#contract/bus/message';
import type { ReadPage, ReadQuery, StreamDefinition, StreamState } from '#contract/bus/stream';
import { checkFilter, matches } from '#contract/bus/subject';
import type { Store } from '#contract/house/store';
import type { BusMessageRow, Tables } from '../../../generated/tables.ts';
import type { Dialect } from './dialect.ts';
import { fitting, messagesAt, mostScanned, placesFrom } from './message-places.ts';
import { messageOf, ownTenant } from './message-row.ts';

/** Reads streams. Whatever it gives was committed before, and nothing smaller comes later. */
export class StreamReader {
  readonly #store: Store<Tables>;
  readonly #dialect: Dialect;

  constructor(store: Store<Tables>, dialect: Dialect) {
    this.#store = store;
    this.#dialect = dialect;
  }

  async read(query: ReadQuery): Promise<ReadPage<StoredMessage>> {
    const { stream, filters = [], tenant, limit, fromTime } = query;
    for (const filter of filters) checkFilter(filter);
    const lastSequence = await this.lastSequence(stream);
    const since =
      fromTime === undefined ? 1 : await this.#firstSince(stream, fromTime, lastSequence);
    const from = Math.max(query.fromSequence ?? 1, since);
    const { db } = this.#store;
    const { rows: scanned } = await placesFrom({ stream, tenant, from }).execute(db);
    const wanted = scanned.filter(
      ({ subject }) => filters.length === 0 || filters.some((filter) => matches(filter, subject)),
    );
    const taken = fitting(wanted, limit);
    const messages = await this.#messages(stream, taken);
    const left = taken.length < wanted.length || scanned.length === mostScanned;
    // Where all that was scanned is taken, what follows begins behind it.
    const last = taken.length < wanted.length ? taken.at(-1) : scanned.at(-1);
    return {
      messages,
      lastSequence: Math.max(lastSequence, messages.at(-1)?.sequence ?? 0),
      ...(left && last && { next: last.sequence + 1 }),
    };
  }

  async lastSequence(stream: string): Promise<number> {
    const { rows } = await sql<{ last_sequence: number }>`select last_sequence from bus_stream
      where tenant = ${ownTenant} and name = ${stream}`.execute(this.#store.db);
    return rows[0]?.last_sequence ?? 0;
  }

  /** The newest message of a subject. */
  async newest(stream: string, subject: string): Promise<StoredMessage | undefined> {
    const { rows } = await sql<BusMessageRow>`select * from bus_message
      where stream = ${stream} and subject = ${subject}
      order by sequence desc limit 1`.execute(this.#store.db);
    return rows[0] && messageOf(rows[0]);
  }

  /** The newest message of each subject, in the order of their sequences. */
  async newestOfAll(stream: string): Promise<readonly StoredMessage[]> {
    const { rows } = await sql<BusMessageRow>`select * from bus_message
      where stream = ${stream} and sequence in (
        select max(sequence) from bus_message where stream = ${stream} group by subject)
      order by sequence`.execute(this.#store.db);
    return rows.map(messageOf);
  }

  /** What is kept of a subject, the oldest first. */
  async allOf(stream: string, subject: string): Promise<readonly StoredMessage[]> {
    const { rows } = await sql<BusMessageRow>`select * from bus_message
      where stream = ${stream} and subject = ${subject}
      order by sequence limit ${mostScanned}`.execute(this.#store.db);
    return rows.map(messageOf);
  }

  async states(streams: readonly StreamDefinition[]): Promise<readonly StreamState[]> {
    const { db } = this.#store;
    const { rows: standings } = await sql<Standing>`select name, last_sequence, messages, bytes,
        (select min(sequence) from bus_message where stream = name) as first
      from bus_stream where tenant = ${ownTenant}`.execute(db);
    const { rows: consumers } = await sql<ConsumerStanding>`
      select stream, name, filter, delivered, (select count(*) from bus_pending as pending
        where pending.stream = bus_consumer.stream and consumer = name) as pending
      from bus_consumer where tenant = ${ownTenant} order by name`.execute(db);
    return streams.map(({ name, subjects }) => {
      const found = standings.find((row) => row.name === name);
      const { last_sequence: lastSequence = 0, messages = 0, bytes = 0 } = found ?? {};
      return {
        ...{ name, subjects, messages, bytes, lastSequence },
        firstSequence: found?.first ?? 0,
        consumers: consumers
          .filter(({ stream }) => stream === name)
          .map(({ name: consumer, filter, delivered, pending }) => ({
            ...{ name: consumer, filter, delivered, pending },
            waiting: Math.max(0, lastSequence - delivered),
          })),
      };
    });
  }

  async #messages(
    stream: string,
    taken: readonly { readonly sequence: number }[],
  ): Promise<readonly StoredMessage[]> {
    if (taken.length === 0) return [];
    const { rows } = await messagesAt(stream, taken, this.#dialect).execute(this.#store.db);
    return rows.map(messageOf);
  }

  /** The first sequence that was stored at a time or later: times grow with the sequences. */
  async #firstSince(stream: string, time: number, last: number): Promise<number> {
    let low = 1;
    let high = last + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { rows } = await sql<{ sequence: number; stored_at: number }>`
        select sequence, stored_at from bus_message
        where stream = ${stream} and sequence >= ${middle}
        order by sequence limit 1`.execute(this.#store.db);
      const [found] = rows;
      if (found === undefined || found.stored_at >= time) high = middle;
      else low = found.sequence + 1;
    }
    return low;
  }
}

interface Standing {
  readonly name: string;
  readonly last_sequence: number;
  readonly messages: number;
  readonly bytes: number;
  readonly first: number | null;
}

interface ConsumerStanding {
  readonly stream: string;
  readonly name: string;
  readonly filter: string;
  readonly delivered: number;
  readonly pending: number;
}
