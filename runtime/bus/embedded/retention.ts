import { sql, type Transaction } from 'kysely';
import type { StreamDefinition } from '#contract/bus/stream';
import type { Tables } from '../../../generated/tables.ts';
import type { Dialect } from './dialect.ts';
import { ownTenant } from './message-row.ts';

/** Messages that are removed in one statement, while others wait. */
const removedAtOnce = 1000;

interface Removed {
  readonly sequence: number;
  readonly bytes: number;
}

/** Remove the oldest messages until a stream has so many bytes less; its row is locked. */
export async function removeOldest(
  tx: Transaction<Tables>,
  stream: string,
  bytes: number,
): Promise<void> {
  for (let left = bytes; left > 0; ) {
    const { rows } = await sql<Removed>`select sequence, bytes from bus_message
      where stream = ${stream} order by sequence limit ${removedAtOnce}`.execute(tx);
    let last = 0;
    for (const row of rows) {
      if (left <= 0) break;
      left -= row.bytes;
      last = row.sequence;
    }
    if (last === 0) return;
    await removeUpTo(tx, stream, last);
  }
}

/**
 * Remove messages that were stored before this time, some of them; gives how many. The row of the
 * stream is locked by the change of what it counts.
 */
export async function removeOlder(
  tx: Transaction<Tables>,
  stream: string,
  before: number,
): Promise<number> {
  const { rows } = await sql<Removed & { stored_at: number }>`
    select sequence, bytes, stored_at from bus_message
    where stream = ${stream} order by sequence limit ${removedAtOnce}`.execute(tx);
  const younger = rows.findIndex(({ stored_at: at }) => at >= before);
  const old = younger < 0 ? rows : rows.slice(0, younger);
  const last = old.at(-1);
  if (last !== undefined) await removeUpTo(tx, stream, last.sequence);
  return old.length;
}

/** Keep only the newest messages of these subjects, as many as the stream says. */
export async function removeOldOfSubjects(
  tx: Transaction<Tables>,
  { name, maxPerSubject = 1 }: StreamDefinition,
  { subjects, dialect }: { readonly subjects: readonly string[]; readonly dialect: Dialect },
): Promise<void> {
  const { rows } = await sql<Removed>`delete from bus_message
    where stream = ${name} and sequence in (
      select sequence from (
        select sequence, row_number() over (partition by subject order by sequence desc) as place
        from bus_message where stream = ${name} and subject in ${dialect.list(subjects)}
      ) as ranked where place > ${maxPerSubject})
    returning sequence, bytes`.execute(tx);
  await countRemoved(tx, name, rows);
}

/** Remove one message; false where it was not there. */
export async function removeOne(
  tx: Transaction<Tables>,
  stream: string,
  sequence: number,
): Promise<boolean> {
  const { rows } = await sql<Removed>`delete from bus_message
    where stream = ${stream} and sequence = ${sequence} returning sequence, bytes`.execute(tx);
  await countRemoved(tx, stream, rows);
  return rows.length > 0;
}

async function removeUpTo(tx: Transaction<Tables>, stream: string, last: number): Promise<void> {
  const { rows } = await sql<Removed>`delete from bus_message
    where stream = ${stream} and sequence <= ${last} returning sequence, bytes`.execute(tx);
  await countRemoved(tx, stream, rows);
}

async function countRemoved(
  tx: Transaction<Tables>,
  stream: string,
  removed: readonly Removed[],
): Promise<void> {
  if (removed.length === 0) return;
  const bytes = removed.reduce((sum, row) => sum + row.bytes, 0);
  await sql`update bus_stream
    set messages = messages - ${removed.length}, bytes = bytes - ${bytes}
    where tenant = ${ownTenant} and name = ${stream}`.execute(tx);
}
