import { type RawBuilder, sql } from 'kysely';
import type { BusMessageRow } from '../../../generated/tables.ts';
import type { Dialect } from './dialect.ts';

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

/** What is in a stream from a sequence on, wanted or not, at most a thousand. */
export function placesFrom({
  stream,
  tenant,
  from,
}: {
  readonly stream: string;
  /** Those of one tenant alone. */
  readonly tenant?: string | undefined;
  readonly from: number;
}): RawBuilder<MessagePlace> {
  const owner = tenant === undefined ? sql`` : sql`and tenant = ${tenant}`;
  return sql<MessagePlace>`select sequence, subject, bytes from bus_message
    where stream = ${stream} ${owner} and sequence >= ${from}
    order by sequence limit ${mostScanned}`;
}

/** The messages at these places that are still there, in their order. */
export function messagesAt(
  stream: string,
  places: readonly { readonly sequence: number }[],
  dialect: Dialect,
): RawBuilder<BusMessageRow> {
  const sequences = dialect.list(places.map(({ sequence }) => sequence));
  return sql<BusMessageRow>`select * from bus_message
    where stream = ${stream} and sequence in ${sequences} order by sequence`;
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
