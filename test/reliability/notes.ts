import { sql } from 'kysely';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../generated/tables.ts';

/** Make two tables without any key that would hide what is written twice. */
export async function makeNotes({ db }: Store<Tables>): Promise<void> {
  await sql`create table if not exists kept_note (id text not null)`.execute(db);
  await sql`create table if not exists note_count (value integer not null)`.execute(db);
  await sql`insert into note_count select 0 where not exists (select 1 from note_count)`.execute(
    db,
  );
}

/** Write a note and count it, both or neither. */
export function addNote(store: Store<Tables>, id: string): Promise<void> {
  return store.transaction(async (tx) => {
    const { rows } = await sql<{ value: number }>`select value from note_count`.execute(tx);
    await sql`insert into kept_note values (${id})`.execute(tx);
    await sql`update note_count set value = ${Number(rows[0]?.value) + 1}`.execute(tx);
  });
}

/** All notes, and what does not fit; in one statement, because others may write meanwhile. */
export async function readNotes({ db }: Store<Tables>) {
  const { rows } = await sql<{ id: string; counted: number }>`
    select id, (select value from note_count) as counted from kept_note`.execute(db);
  const counted = rows[0]?.counted ?? 0;
  const problems = counted === rows.length ? [] : [`${rows.length} notes, ${counted} counted`];
  return { ids: rows.map(({ id }) => id), problems };
}

/** The ids of all notes. */
export async function readNoteIds({ db }: Store<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from kept_note`.execute(db);
  return rows.map(({ id }) => id);
}
