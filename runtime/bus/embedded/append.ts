import { sql, type Transaction } from 'kysely';
import { busBackpressure, busConflict, busPayloadTooLarge } from '#contract/bus/faults';
import type { OutgoingMessage, PublishReceipt } from '#contract/bus/message';
import type { StreamDefinition } from '#contract/bus/stream';
import type { Tables } from '../../../generated/tables.ts';
import type { Dialect } from './dialect.ts';
import { type MessageRow, ownTenant, rowOf } from './message-row.ts';
import { removeOldest, removeOldOfSubjects } from './retention.ts';

/** A message and the id under which it is published. */
export interface Identified {
  readonly message: OutgoingMessage;
  readonly id: string;
}

/** What became of each message: its place, or why it has none. */
export type Appended = PublishReceipt | Error;

/** A stream while its row is locked. */
interface Standing {
  readonly now: number;
  last_sequence: number;
  bytes: number;
}

/**
 * Append messages to a stream, in their order. The row of the stream is locked until the transaction
 * ends: whoever reads a sequence has seen, or will see, all that are smaller.
 */
export async function append(
  tx: Transaction<Tables>,
  {
    stream,
    messages,
    dialect,
  }: {
    readonly stream: StreamDefinition;
    readonly messages: readonly Identified[];
    readonly dialect: Dialect;
  },
): Promise<readonly Appended[]> {
  const standing = await lockStream(tx, stream.name, dialect);
  const known = await knownIds(tx, stream, messages, dialect);
  const newest = await newestOfSubjects(tx, stream, messages, dialect);
  const first = standing.last_sequence + 1;
  const bytesBefore = standing.bytes;
  const rows: MessageRow[] = [];

  const place = ({ message, id }: Identified): Appended => {
    const there = known.get(id);
    const since = Math.min(
      standing.now - stream.duplicateWindowMs,
      message.mayBeThereSince ?? Infinity,
    );
    if (there !== undefined && there.stored_at >= since) {
      return { stream: stream.name, sequence: there.sequence, duplicate: true };
    }
    const { subject, expectedLastSequence: expected } = message;
    const found = newest.get(subject) ?? 0;
    if (expected !== undefined && expected !== found) return busConflict(subject, expected, found);
    const row = rowOf(message, id);
    const { bytes } = row;
    if (bytes > stream.maxMessageBytes) {
      return busPayloadTooLarge(stream.name, bytes, stream.maxMessageBytes);
    }
    if (stream.discard === 'new' && standing.bytes + bytes > stream.maxBytes) {
      return busBackpressure(stream.name, `it holds ${standing.bytes} of ${stream.maxBytes} bytes`);
    }
    const sequence = ++standing.last_sequence;
    standing.bytes += bytes;
    rows.push(row);
    known.set(id, { sequence, stored_at: standing.now });
    newest.set(subject, sequence);
    return { stream: stream.name, sequence, duplicate: false };
  };

  const outcomes = messages.map(place);
  if (rows.length > 0) {
    await insert(tx, { stream, rows, first, at: standing.now, dialect });
    await addToStream(tx, stream.name, {
      messages: rows.length,
      bytes: standing.bytes - bytesBefore,
      last: standing,
    });
    if (stream.maxPerSubject !== undefined) {
      await removeOldOfSubjects(tx, stream, {
        subjects: [...new Set(rows.map(({ subject }) => subject))],
        dialect,
      });
    }
    if (standing.bytes > stream.maxBytes) {
      await removeOldest(tx, stream.name, standing.bytes - stream.maxBytes);
    }
  }
  return outcomes;
}

/** Lock the row of a stream, which is made where there is none. */
async function lockStream(
  tx: Transaction<Tables>,
  name: string,
  dialect: Dialect,
): Promise<Standing> {
  const read = async () => {
    const { rows } = await sql<Standing & { last_at: number }>`
      select last_sequence, bytes, last_at, ${dialect.now} as now from bus_stream
      where tenant = ${ownTenant} and name = ${name} ${dialect.lock}`.execute(tx);
    const [row] = rows;
    // The clock may be set back; the times of a stream are not.
    return row && { ...row, now: Math.max(row.now, row.last_at) };
  };
  const found = await read();
  if (found !== undefined) return found;
  await sql`insert into bus_stream (tenant, name, last_sequence, messages, bytes, last_at)
    values (${ownTenant}, ${name}, 0, 0, 0, 0) on conflict do nothing`.execute(tx);
  const made = await read();
  if (made === undefined) throw new Error(`the stream ${name} is there and cannot be read`);
  return made;
}

/** Where the messages are that have one of these ids, the newest of each. */
async function knownIds(
  tx: Transaction<Tables>,
  stream: StreamDefinition,
  messages: readonly Identified[],
  dialect: Dialect,
): Promise<Map<string, { sequence: number; stored_at: number }>> {
  const ids = messages.map(({ id }) => id);
  const { rows } = await sql<{ message_id: string; sequence: number; stored_at: number }>`
    select message_id, sequence, stored_at from bus_message
    where stream = ${stream.name} and message_id in ${dialect.list(ids)}
    order by sequence`.execute(tx);
  return new Map(rows.map(({ message_id: id, ...there }) => [id, there]));
}

/** The newest sequence of each subject of which a message expects one. */
async function newestOfSubjects(
  tx: Transaction<Tables>,
  stream: StreamDefinition,
  messages: readonly Identified[],
  dialect: Dialect,
): Promise<Map<string, number>> {
  const expecting = messages.filter(({ message }) => message.expectedLastSequence !== undefined);
  if (expecting.length === 0) return new Map();
  const subjects = [...new Set(expecting.map(({ message }) => message.subject))];
  const { rows } = await sql<{ subject: string; newest: number }>`
    select subject, max(sequence) as newest from bus_message
    where stream = ${stream.name} and subject in ${dialect.list(subjects)}
    group by subject`.execute(tx);
  return new Map(rows.map(({ subject, newest }) => [subject, newest]));
}

const columns = {
  tenant: 'text',
  subject: 'text',
  message_id: 'text',
  headers: 'text',
  data: 'text',
  bytes: 'integer',
} as const;

async function insert(
  tx: Transaction<Tables>,
  {
    stream,
    rows,
    first,
    at,
    dialect,
  }: {
    readonly stream: StreamDefinition;
    readonly rows: readonly MessageRow[];
    readonly first: number;
    readonly at: number;
    readonly dialect: Dialect;
  },
): Promise<void> {
  await sql`insert into bus_message
      (tenant, stream, sequence, subject, message_id, headers, data, bytes, stored_at)
    select tenant, cast(${stream.name} as text), n + cast(${first} as bigint), subject, message_id, headers, data,
      bytes, cast(${at} as bigint)
    from ${dialect.rows(rows, columns)}`.execute(tx);
}

async function addToStream(
  tx: Transaction<Tables>,
  name: string,
  {
    messages,
    bytes,
    last,
  }: {
    readonly messages: number;
    readonly bytes: number;
    readonly last: Standing;
  },
): Promise<void> {
  await sql`update bus_stream set messages = messages + ${messages}, bytes = bytes + ${bytes},
      last_sequence = ${last.last_sequence}, last_at = ${last.now}
    where tenant = ${ownTenant} and name = ${name}`.execute(tx);
}
