import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { movedNote } from '../keys/log-identity.ts';
import { openForReading, openForWriting, readIdentity } from '../sqlite/schema.ts';
import {
  type Cells,
  type LogSink,
  type LogTable,
  type LogTables,
  logTables,
  pagesBy,
  rowsAtATime,
} from './log-tables.ts';

/** Read the log in a file, as it is at one moment; `undefined` when there is none. */
export async function fromFile<T>(
  path: string,
  work: (log: LogTables) => Promise<T>,
): Promise<T | undefined> {
  const identity = readIdentity(path);
  if (identity === undefined) return undefined;
  const database = openForReading(path);
  try {
    database.exec('BEGIN');
    const head = database.prepare("SELECT value FROM meta WHERE name = 'head'").get()?.['value'];
    // Nothing was ever written.
    if (head === undefined) return undefined;
    const { root } = JSON.parse(String(head));
    return await work({ identity, root: String(root), pages: (table) => pages(database, table) });
  } finally {
    database.close();
  }
}

/** Make the log in a new file. */
export async function intoFile<T>(path: string, work: (log: LogSink) => Promise<T>): Promise<T> {
  let database: DatabaseSync | undefined;
  const opened = () => {
    if (database === undefined) throw new Error('the copy has not begun');
    return database;
  };
  try {
    return await work({
      async begin(identity) {
        database = openForWriting(path, identity);
        database.exec('BEGIN IMMEDIATE');
      },
      async insert(table, rows) {
        const places = logTables[table].columns.map(() => '?');
        const statement = opened().prepare(`INSERT OR REPLACE INTO ${table} VALUES (${places})`);
        for (const row of rows) statement.run(...(row as SQLInputValue[]));
      },
      pages: (table) => pages(opened(), table),
      async end({ size, hash, root }) {
        const head = {
          size,
          hash: Buffer.from(hash).toString('hex'),
          root: Buffer.from(root).toString('base64'),
        };
        opened().prepare("INSERT INTO meta VALUES ('head', ?)").run(JSON.stringify(head));
        opened().exec('COMMIT');
      },
    });
  } finally {
    database?.close();
  }
}

function pages(database: DatabaseSync, table: LogTable): AsyncIterable<readonly Cells[]> {
  const { columns, keys } = logTables[table];
  const key = columns.slice(0, keys);
  const order = `ORDER BY ${key} LIMIT ${rowsAtATime}`;
  const own = table === 'meta' ? `name NOT IN ('head', '${movedNote}')` : 'TRUE';
  const first = database.prepare(`SELECT ${columns} FROM ${table} WHERE ${own} ${order}`);
  const others = database.prepare(
    `SELECT ${columns} FROM ${table} WHERE ${own} AND (${key}) > (${key.map(() => '?')}) ${order}`,
  );
  for (const statement of [first, others]) statement.setReturnArrays(true);
  return pagesBy(table, async (last) => {
    const rows = last === undefined ? first.all() : others.all(...(last as SQLInputValue[]));
    // An array for each row, as set above.
    return rows as unknown as readonly Cells[];
  });
}
