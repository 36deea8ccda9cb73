import { sql } from 'kysely';
import type { StreamDefinition } from '#contract/bus/stream';
import { rowsOf, type Statements } from '#contract/house/procedures';
import type { Dialect } from './dialect.ts';
import { type MessageRow, ownTenant } from './message-row.ts';
import { removeOldest, removeOldOfSubjects } from './retention.ts';

/** Messages for a stream, in their order. */
export interface Batch {
  readonly stream: StreamDefinition;
  readonly rows: readonly MessageRow[];
  /** Whether nothing is stored behind one that cannot be; otherwise each is for itself. */
  readonly stops?: boolean;
}

/** Where a message is. */
export interface Place {
  readonly sequence: number;
  readonly duplicate: boolean;
}

/** Why a message has no place: a number that its stream does not go with. */
export type Refusal =
  | { readonly refused: 'expected'; readonly expected: number; readonly found: number }
  | { readonly refused: 'size'; readonly bytes: number }
  | { readonly refused: 'full'; readonly bytes: number }
  /** It is behind one that was refused, and was not tried. */
  | { readonly refused: 'behind' };

/** What became of each message. */
export type Appended = Place | Refusal;

/** A stream while its row is locked. */
interface Standing {
  readonly now: number;
  last_sequence: number;
  bytes: number;
}

interface Known {
  readonly sequence: number;
  readonly stored_at: number;
}

/**
 * Append messages to a stream, in their order. The row of the stream is locked until the transaction
 * ends: whoever reads a sequence has seen, or will see, all that are smaller.
 */
export function* append(
  { stream, rows, stops = false }: Batch,
  dialect: Dialect,
): Statements<readonly Appended[]> {
  const standing = yield* lockStream(stream.name, dialect);
  const known = yield* knownIds(stream, rows, dialect);
  const newest = yield* newestOfSubjects(stream, rows, dialect);
  const first = standing.last_sequence + 1;
  const bytesBefore = standing.bytes;
  const stored: MessageRow[] = [];

  const place = (row: MessageRow): Appended => {
    const { subject, bytes, expected } = row;
    const there = known.get(keyOf(row));
    const since = Math.min(standing.now - stream.duplicateWindowMs, row.since ?? Infinity);
    if (there !== undefined && there.stored_at >= since) {
      return { sequence: there.sequence, duplicate: true };
    }
    const found = newest.get(subject) ?? 0;
    if (expected !== undefined && expected !== found)
      return { refused: 'expected', expected, found };
    if (bytes > stream.maxMessageBytes) return { refused: 'size', bytes };
    if (stream.discard === 'new' && standing.bytes + bytes > stream.maxBytes) {
      return { refused: 'full', bytes: standing.bytes };
    }
    const sequence = ++standing.last_sequence;
    standing.bytes += bytes;
    stored.push(row);
    if (!row.isNew) known.set(keyOf(row), { sequence, stored_at: standing.now });
    newest.set(subject, sequence);
    return { sequence, duplicate: false };
  };

  let isStopped = false;
  const outcomes = rows.map((row): Appended => {
    if (isStopped) return { refused: 'behind' };
    const outcome = place(row);
    isStopped = stops && 'refused' in outcome;
    return outcome;
  });
  if (stored.length === 0) return outcomes;
  yield insertion({ stream: stream.name, rows: stored, first, at: standing.now, dialect });
  yield sql`update bus_stream set messages = messages + ${stored.length},
      bytes = bytes + ${standing.bytes - bytesBefore},
      last_sequence = ${standing.last_sequence}, last_at = ${standing.now}
    where tenant = ${ownTenant} and name = ${stream.name}`;
  if (stream.maxPerSubject !== undefined) {
    const subjects = [...new Set(stored.map(({ subject }) => subject))];
    yield* removeOldOfSubjects(stream, { subjects, dialect });
  }
  if (standing.bytes > stream.maxBytes) {
    yield* removeOldest(stream.name, standing.bytes - stream.maxBytes);
  }
  return outcomes;
}

/** Lock the row of a stream, which is made where there is none. */
function* lockStream(name: string, dialect: Dialect): Statements<Standing> {
  const read = sql<Standing & { last_at: number }>`
    select last_sequence, bytes, last_at, ${dialect.now} as now from bus_stream
    where tenant = ${ownTenant} and name = ${name} ${dialect.lock}`;
  const delivered = sql`(select coalesce(max(delivered), 0) from bus_consumer
    where tenant = ${ownTenant} and stream = ${name})`;
  let [row] = yield* rowsOf(read);
  if (row === undefined) {
    // Where somebody has deleted the row, its stream goes on behind all that there was.
    yield sql`insert into bus_stream (tenant, name, last_sequence, messages, bytes, last_at)
      select cast(${ownTenant} as text), cast(${name} as text), case
          when coalesce(max(sequence), 0) > ${delivered} then max(sequence) else ${delivered} end,
        count(*), coalesce(sum(bytes), 0), coalesce(max(stored_at), 0)
      from bus_message where stream = ${name} on conflict do nothing`;
    [row] = yield* rowsOf(read);
  }
  if (row === undefined) throw new Error(`the stream ${name} is there and cannot be read`);
  // The clock may be set back; the times of a stream are not.
  return { ...row, now: Math.max(row.now, row.last_at) };
}

/** An id counts within one tenant. A tenant is a token, and holds no slash. */
function keyOf({ tenant, message_id: id }: Pick<MessageRow, 'tenant' | 'message_id'>): string {
  return `${tenant}/${id}`;
}

/** Where the messages are that have one of these ids, the newest of each, by their keys. */
function* knownIds(
  stream: StreamDefinition,
  rows: readonly MessageRow[],
  dialect: Dialect,
): Statements<Map<string, Known>> {
  const ids = rows.flatMap(({ message_id: id, isNew }) => (isNew ? [] : [id]));
  if (ids.length === 0) return new Map();
  const found = yield* rowsOf(sql<Known & { tenant: string; message_id: string }>`
    select tenant, message_id, sequence, stored_at from bus_message
    where stream = ${stream.name} and message_id in ${dialect.list(ids)}
    order by sequence`);
  return new Map(
    found.map(({ tenant, message_id, ...there }) => [keyOf({ tenant, message_id }), there]),
  );
}

/** The newest sequence of each subject of which a message expects one. */
function* newestOfSubjects(
  stream: StreamDefinition,
  rows: readonly MessageRow[],
  dialect: Dialect,
): Statements<Map<string, number>> {
  const expecting = rows.filter(({ expected }) => expected !== undefined);
  if (expecting.length === 0) return new Map();
  const subjects = [...new Set(expecting.map(({ subject }) => subject))];
  const found = yield* rowsOf(sql<{ subject: string; newest: number }>`
    select subject, max(sequence) as newest from bus_message
    where stream = ${stream.name} and subject in ${dialect.list(subjects)}
    group by subject`);
  return new Map(found.map(({ subject, newest }) => [subject, newest]));
}

const columns = {
  tenant: 'text',
  subject: 'text',
  message_id: 'text',
  headers: 'text',
  data: 'text',
  bytes: 'integer',
} as const;

function insertion({
  stream,
  rows,
  first,
  at,
  dialect,
}: {
  readonly stream: string;
  readonly rows: readonly MessageRow[];
  readonly first: number;
  readonly at: number;
  readonly dialect: Dialect;
}) {
  return sql`insert into bus_message
      (tenant, stream, sequence, subject, message_id, headers, data, bytes, stored_at)
    select tenant, cast(${stream} as text), n + cast(${first} as bigint), subject, message_id, headers, data,
      bytes, cast(${at} as bigint)
    from ${dialect.rows(rows, columns)}`;
}
