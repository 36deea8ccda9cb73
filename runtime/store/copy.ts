import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { tableKeys } from '../../generated/migrations.ts';
import type { Tables } from '../../generated/tables.ts';
import { StartError } from '../process/start-error.ts';
import { createStore, type OwnedStore, type StoreOptions } from './index.ts';

type Row = Readonly<Record<string, unknown>>;

/** What a table held, so that two of them can be compared. */
export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of all rows in the order of their keys. */
  readonly hash: string;
}

/** Small enough for the 65,535 parameters of one statement. */
const pageSize = 500;

/** Copy all rows from the one database to the other, which is empty. */
export async function copyBetween(from: StoreOptions, to: StoreOptions) {
  const source = createStore(from);
  const target = createStore(to);
  try {
    await source.open();
    await target.open();
    return await copyStore(source, target);
  } finally {
    await target.close();
    await source.close();
  }
}

/**
 * Copy everything from one store into another one that is empty, and compare what has arrived,
 * all in one transaction.
 *
 * @throws StartError when the target is not empty or something has not arrived as it was
 */
async function copyStore(source: OwnedStore, target: OwnedStore): Promise<readonly TableDigest[]> {
  const read = source.db.transaction().setIsolationLevel('repeatable read');
  return read.execute((from) =>
    target.db.transaction().execute(async (to) => {
      const digests: TableDigest[] = [];
      for (const [table, keys] of Object.entries(tableKeys)) {
        await requireEmpty(to, table);
        const sent = await digest(table, copyRows(from, to, table, keys));
        const arrived = await digest(table, readPages(to, table, keys));
        if (sent.rows !== arrived.rows || sent.hash !== arrived.hash) {
          throw new StartError(`${table} has not arrived as it was: nothing is copied`);
        }
        digests.push(arrived);
      }
      return digests;
    }),
  );
}

/** Read every row there is, and say what each table held at one moment. */
export function digestTables(db: Kysely<Tables>): Promise<readonly TableDigest[]> {
  const read = db.transaction().setIsolationLevel('repeatable read');
  return read.execute(async (from) => {
    const digests: TableDigest[] = [];
    for (const [table, keys] of Object.entries(tableKeys)) {
      digests.push(await digest(table, readPages(from, table, keys)));
    }
    return digests;
  });
}

async function requireEmpty(to: Transaction<Tables>, table: string): Promise<void> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(to);
  if (rows.length === 0) return;
  throw new StartError(`the target is not empty: there are rows in ${table}; nothing is copied`);
}

async function* copyRows(
  from: Kysely<Tables>,
  to: Transaction<Tables>,
  table: string,
  keys: readonly string[],
): AsyncGenerator<readonly Row[]> {
  for await (const page of readPages(from, table, keys)) {
    const columns = Object.keys(page[0] ?? {});
    const tuples = page.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
      values ${sql.join(tuples)}`.execute(to);
    yield page;
  }
}

async function* readPages(
  db: Kysely<Tables>,
  table: string,
  keys: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const order = sql.join(keys.map((key) => sql.ref(key)));
  let last: Row | undefined;
  do {
    const before = last;
    const rest = before
      ? sql`where (${order}) > (${sql.join(keys.map((key) => before[key]))})`
      : sql``;
    const page = await sql<Row>`select * from ${sql.table(table)} ${rest}
      order by ${order} limit ${sql.lit(pageSize)}`.execute(db);
    if (page.rows.length > 0) yield page.rows;
    last = page.rows.length < pageSize ? undefined : page.rows.at(-1);
  } while (last);
}

async function digest(table: string, pages: AsyncGenerator<readonly Row[]>): Promise<TableDigest> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of pages) {
    for (const row of page) hash.update(`${canonicalRow(row)}\n`);
    rows += page.length;
  }
  return { table, rows, hash: hash.digest('hex') };
}

/** The same text for the same row, whichever database and driver it comes from. */
function canonicalRow(row: Row): string {
  const columns = Object.keys(row).sort();
  return JSON.stringify(columns.map((column) => [column, canonicalValue(row[column])]));
}

function canonicalValue(value: unknown): unknown {
  return value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value;
}
