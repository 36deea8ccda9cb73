import { sql } from 'kysely';
import type { StoredMessage } from '#contract/bus/message';
import type { ReadPage, ReadQuery, StreamDefinition, StreamState } from '#contract/bus/stream';
import { checkFilter, matches } from '#contract/bus/subject';
import type { Store } from '#contract/house/store';
import type { BusMessageRow, Tables } from '../../../generated/tables.ts';
import type { Dialect } from './dialect.ts';
import { messageOf, ownTenant } from './message-row.ts';

/** Whoever runs queries: the store, or one transaction of it. */
type Database = Store<Tables>['db'];

/** What tells whether a message is wanted, without its data. */
export interface MessagePlace {
  readonly sequence: number;
  readonly subject: string;
  readonly bytes: number;
}

/** Messages that one page looks at, wanted or not: what is scanned keeps others waiting. */
export const mostScanned = 1000;
/** Bytes of one page; its first message is always given. */
const mostPageBytes = 4 * 1024 * 1024;

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
    const scanned = await this.places(this.#store.db, { stream, tenant, from });
    const wanted = scanned.filter(
      ({ subject }) => filters.length === 0 || filters.some((filter) => matches(filter, subject)),
    );
    const taken = fitting(wanted, limit);
    const messages = await this.messages(this.#store.db, stream, taken);
    const left = taken.length < wanted.length || scanned.length === mostScanned;
    // Where all that was scanned is taken, what follows begins behind it.
    const last = taken.length < wanted.length ? taken.at(-1) : scanned.at(-1);
    return {
      messages,
      lastSequence: Math.max(lastSequence, messages.at(-1)?.sequence ?? 0),
      ...(left && last && { next: last.sequence + 1 }),
    };
  }

  /** What is there from a sequence on, wanted or not, at most a thousand. */
  async places(
    db: Database,
    {
      stream,
      tenant,
      from,
    }: {
      readonly stream: string;
      readonly tenant?: string | undefined;
      readonly from: number;
    },
  ): Promise<readonly MessagePlace[]> {
    const owner = tenant === undefined ? sql`` : sql`and tenant = ${tenant}`;
    const { rows } = await sql<MessagePlace>`select sequence, subject, bytes from bus_message
      where stream = ${stream} ${owner} and sequence >= ${from}
      order by sequence limit ${mostScanned}`.execute(db);
    return rows;
  }

  /** The messages at these places that are still there, in their order. */
  async messages(
    db: Database,
    stream: string,
    places: readonly { readonly sequence: number }[],
  ): Promise<readonly StoredMessage[]> {
    if (places.length === 0) return [];
    const sequences = this.#dialect.list(places.map(({ sequence }) => sequence));
    const { rows } = await sql<BusMessageRow>`select * from bus_message
      where stream = ${stream} and sequence in ${sequences} order by sequence`.execute(db);
    return rows.map(messageOf);
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

/** As many of the first as fit into one page. */
export function fitting<Place extends { readonly bytes: number }>(
  places: readonly Place[],
  limit: number,
): readonly Place[] {
  let bytes = 0;
  const end = places.slice(0, limit).findIndex((place, index) => {
    bytes += place.bytes;
    return index > 0 && bytes > mostPageBytes;
  });
  return places.slice(0, end < 0 ? limit : end);
}
