import { hash } from 'node:crypto';
import { identityFrom, type LogIdentity } from '../keys/log-identity.ts';
import { type Connection, inTransaction } from './connection.ts';
import { schemaLock } from './schema.ts';
import type { Queries } from './stored-tree.ts';

/** A log of the database: the newest one is the one that is written. */
export interface KnownLog {
  readonly id: number;
  readonly identity: LogIdentity;
}

/** Find the newest log, if there is any. */
export async function newestLog(connection: Connection): Promise<KnownLog | undefined> {
  const [row] = await connection.query('select max(id) as id from audit_log');
  const id = Number(row?.['id'] ?? 0);
  return id === 0 ? undefined : { id, identity: await readIdentity(connection, id) };
}

/** Read who a log is; whoever has its lock reads which keys it has by now. */
export async function readIdentity(queries: Queries, log: number): Promise<LogIdentity> {
  const rows = await queries.query('select name, value from audit_meta where log = $1', [log]);
  const meta = new Map(rows.map(({ name, value }) => [name, String(value)]));
  return identityFrom(meta);
}

/**
 * Add a log after `previous`, empty. Of several replicas that want to at the same time, one does,
 * and the others get what that one has added.
 */
export async function addLog(
  connection: Connection,
  identity: LogIdentity,
  previous: number | undefined,
): Promise<KnownLog> {
  return inTransaction(connection, async () => {
    // Against others that add one; those that write are not held up.
    await connection.query('select pg_advisory_xact_lock($1)', [schemaLock]);
    const newest = await newestLog(connection);
    if (newest !== undefined && newest.id !== previous) return newest;
    const id = (previous ?? 0) + 1;
    const { origin, vkey } = identity;
    await connection.query('insert into audit_log (id, origin) values ($1, $2)', [id, origin]);
    await connection.query(`insert into audit_meta values ($1, 'origin', $2), ($1, 'vkey', $3)`, [
      id,
      origin,
      vkey,
    ]);
    await connection.query(
      `insert into audit_head (log, size, hash, root, edge, time) values ($1, 0, $2, $3, '', 0)`,
      [id, Buffer.alloc(32), hash('sha256', '', 'buffer')],
    );
    // Replicas that still write the old one are told to let it be.
    await connection.query('update audit_head set successor = $2 where log = $1', [
      previous ?? 0,
      origin,
    ]);
    return { id, identity };
  });
}
