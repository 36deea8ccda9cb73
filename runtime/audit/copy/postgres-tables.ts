import { StartError } from '../../process/start-error.ts';
import { movedNote } from '../keys/log-identity.ts';
import { type Connection, connected, inTransaction, oneMoment } from '../postgres/connection.ts';
import { newestLog } from '../postgres/logs.ts';
import { ensureTables, isCurrent, schemaLock } from '../postgres/schema.ts';
import { bytesOf } from '../postgres/stored-tree.ts';
import {
  type Cells,
  type LogSink,
  type LogTable,
  type LogTables,
  logTables,
  pagesBy,
  rowsAtATime,
} from './log-tables.ts';

/** Read the newest log of a database, as it is at one moment; `undefined` when there is none. */
export function fromDatabase<T>(
  url: string,
  work: (log: LogTables) => Promise<T>,
): Promise<T | undefined> {
  const read = async (connection: Connection) => {
    const log = (await isCurrent(connection)) ? await newestLog(connection) : undefined;
    if (log === undefined) return undefined;
    const { id, identity } = log;
    const [head] = await connection.query('select size, root from audit_head where log = $1', [id]);
    if (head?.['size'] === 0) return undefined;
    await connection.query(patience);
    const root = bytesOf(head?.['root']).toString('base64');
    return work({ identity, root, pages: (table) => pages(connection, id, table) });
  };
  return connected(url, (connection) =>
    inTransaction(connection, () => read(connection), oneMoment),
  );
}

/**
 * Make the log of a database that has none, in one transaction.
 *
 * @throws StartError when it has one
 */
export function intoDatabase<T>(url: string, work: (log: LogSink) => Promise<T>): Promise<T> {
  return connected(url, async (connection) => {
    await ensureTables(connection);
    return inTransaction(connection, async () => {
      await connection.query('select pg_advisory_xact_lock($1)', [schemaLock]);
      await connection.query(patience);
      const there = await newestLog(connection);
      if (there === undefined) return work(sinkIn(connection));
      throw new StartError(
        `the target has an audit log already, ${there.identity.origin}; nothing is copied`,
      );
    });
  });
}

/** Between two statements the other database is at work, and nobody else waits for this one. */
const patience = 'set local idle_in_transaction_session_timeout = 0';

const log = 1;

function sinkIn(connection: Connection): LogSink {
  return {
    async begin({ origin }) {
      await connection.query('insert into audit_log (id, origin) values ($1, $2)', [log, origin]);
    },
    async insert(table, rows) {
      const { columns } = logTables[table];
      const width = columns.length;
      const tuples = rows.map((row, at) => {
        const places = row.map((_, column) => `$${at * width + column + 1}`);
        return `(${log}, ${places})`;
      });
      await connection.query(
        `insert into audit_${table} (log, ${columns}) values ${tuples}`,
        rows.flat(),
      );
    },
    pages: (table) => pages(connection, log, table),
    async end({ size, hash, root, edge, time }) {
      await connection.query(
        `insert into audit_head (log, size, hash, root, edge, time) values ($1, $2, $3, $4, $5, $6)`,
        [log, size, hash, root, edge, time],
      );
    },
  };
}

function pages(
  connection: Connection,
  id: number,
  table: LogTable,
): AsyncIterable<readonly Cells[]> {
  const { columns, keys } = logTables[table];
  const key = columns.slice(0, keys);
  const own = table === 'meta' ? `and name <> '${movedNote}'` : '';
  return pagesBy(table, async (last) => {
    const places = key.map((_, at) => `$${at + 2}`);
    const after = last === undefined ? '' : `and (${key}) > (${places})`;
    const rows = await connection.query(
      `select ${columns} from audit_${table} where log = $1 ${own} ${after}
       order by ${key} limit ${rowsAtATime}`,
      [id, ...(last ?? [])],
    );
    return rows.map((row) => columns.map((column) => row[column]));
  });
}
