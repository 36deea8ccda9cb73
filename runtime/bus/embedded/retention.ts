import { sql } from 'kysely';
import type { StreamDefinition } from '#contract/bus/stream';
import { rowsOf, type Statements } from '#contract/house/procedures';
import type { Dialect } from './dialect.ts';
import { ownTenant } from './message-row.ts';

/** Messages that are removed in one statement, while others wait. */
const removedAtOnce = 1000;

interface Removed {
  readonly sequence: number;
  readonly bytes: number;
}

/** Remove the oldest messages until a stream has so many bytes less; its row is locked. */
export function* removeOldest(stream: string, bytes: number): Statements<void> {
  for (let left = bytes; left > 0; ) {
    const rows = yield* rowsOf(sql<Removed>`select sequence, bytes from bus_message
      where stream = ${stream} order by sequence limit ${removedAtOnce}`);
    let last = 0;
    for (const row of rows) {
      if (left <= 0) break;
      left -= row.bytes;
      last = row.sequence;
    }
    if (last === 0) return;
    yield* removeUpTo(stream, last);
  }
}

/**
 * Remove messages that were stored before this time, some of them; gives how many. The row of the
 * stream is locked by the change of what it counts.
 */
export function* removeOlder(stream: string, before: number): Statements<number> {
  const rows = yield* rowsOf(sql<Removed & { stored_at: number }>`
    select sequence, bytes, stored_at from bus_message
    where stream = ${stream} order by sequence limit ${removedAtOnce}`);
  const younger = rows.findIndex(({ stored_at: at }) => at >= before);
  const old = younger < 0 ? rows : rows.slice(0, younger);
  const last = old.at(-1);
  if (last !== undefined) yield* removeUpTo(stream, last.sequence);
  return old.length;
}

/** Keep only the newest messages of these subjects, as many as the stream says. */
export function* removeOldOfSubjects(
  { name, maxPerSubject = 1 }: StreamDefinition,
  { subjects, dialect }: { readonly subjects: readonly string[]; readonly dialect: Dialect },
): Statements<void> {
  const rows = yield* rowsOf(sql<Removed>`delete from bus_message
    where stream = ${name} and sequence in (
      select sequence from (
        select sequence, row_number() over (partition by subject order by sequence desc) as place
        from bus_message where stream = ${name} and subject in ${dialect.list(subjects)}
      ) as ranked where place > ${maxPerSubject})
    returning sequence, bytes`);
  yield* countRemoved(name, rows);
}

/** Remove one message; false where it was not there. */
export function* removeOne(stream: string, sequence: number): Statements<boolean> {
  const rows = yield* rowsOf(sql<Removed>`delete from bus_message
    where stream = ${stream} and sequence = ${sequence} returning sequence, bytes`);
  yield* countRemoved(stream, rows);
  return rows.length > 0;
}

function* removeUpTo(stream: string, last: number): Statements<void> {
  const rows = yield* rowsOf(sql<Removed>`delete from bus_message
    where stream = ${stream} and sequence <= ${last} returning sequence, bytes`);
  yield* countRemoved(stream, rows);
}

function* countRemoved(stream: string, removed: readonly Removed[]): Statements<void> {
  if (removed.length === 0) return;
  const bytes = removed.reduce((sum, row) => sum + row.bytes, 0);
  yield sql`update bus_stream
    set messages = messages - ${removed.length}, bytes = bytes - ${bytes}
    where tenant = ${ownTenant} and name = ${stream}`;
}
