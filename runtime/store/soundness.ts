import type { DatabaseSync } from 'node:sqlite';

/** What a quick check reads in some 30 milliseconds: a start must not take longer for it. */
const mostChecked = 16 * 1024 * 1024;
const mostProblems = 20;

/** The pages of the database contradict each other. */
export class DamagedDatabase extends Error {
  /** SQLite's own code for it. */
  readonly errcode = 11;
}

/**
 * Look for damage as far as a start can wait for it: everywhere in a small database, in a large one
 * at both ends of each table, where a file that was cut off shows.
 *
 * @throws DamagedDatabase, or what SQLite says
 */
export function requireSound(database: DatabaseSync): void {
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {};
  const { page_size: size } = database.prepare('PRAGMA page_size').get() ?? {};
  if (Number(pages) * Number(size) > mostChecked) {
    readEnds(database);
    return;
  }
  const found = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (found !== 'ok') throw new DamagedDatabase(String(found));
}

function readEnds(database: DatabaseSync): void {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables) {
    for (const order of ['ASC', 'DESC']) {
      database.prepare(`SELECT * FROM "${name}" ORDER BY rowid ${order} LIMIT 1`).get();
    }
  }
}

/** Look for damage everywhere: in every page, in every row and in what indexes say of it. */
export function findDamage(database: DatabaseSync): readonly string[] {
  const rows = database.prepare(`PRAGMA integrity_check(${mostProblems})`).all();
  const broken = database.prepare('PRAGMA foreign_key_check').all().slice(0, mostProblems);
  return [
    ...rows.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok'),
    ...broken.map(({ table, parent }) => `a row of ${table} names a row of ${parent} that is gone`),
  ];
}
