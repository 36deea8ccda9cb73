import pg from 'pg';

/** Type of PostgreSQL's 8-byte integers; ours are all safe in a JavaScript number. */
const int8 = 20;

/** How long one statement may take: waiting for another replica's batch is part of it. */
const statementMs = 8000;

export type Row = Readonly<Record<string, unknown>>;

/** One connection; it is thrown away after its first failure. */
export interface Connection {
  /** Run one statement, or several without parameters, of which the last one answers. */
  query(sql: string, parameters?: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/**
 * Connect to the database. A commit is acknowledged only once it is on disk; a stricter setting of
 * the server (a standby that has to have it too) stays as it is.
 */
export async function connect(url: string): Promise<Connection> {
  const client = new pg.Client(settings(url));
  // A connection that breaks while nobody uses it would end the process; its next query says so.
  client.on('error', () => {});
  await client.connect();
  await client.query(
    "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local')",
  );
  return {
    async query(sql, parameters) {
      const result: pg.QueryResult | pg.QueryResult[] = await (parameters === undefined
        ? client.query(sql)
        : client.query(sql, [...parameters]));
      return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
    },
    close: () => client.end().catch(() => {}),
  };
}

/** Open connections for reads, as many as are needed at a time; they close when nobody reads. */
export function openPool(url: string): Pick<Connection, 'query'> {
  const pool = new pg.Pool({ ...settings(url), max: 4, idleTimeoutMillis: 10_000 });
  // A connection that breaks while nobody uses it is replaced.
  pool.on('error', () => {});
  return {
    async query(sql, parameters = []) {
      const read = () => pool.query(sql, [...parameters]);
      // The database may have been started anew since the connection was last used.
      const { rows } = await read().catch((error) =>
        passes(error) ? read() : Promise.reject(error),
      );
      return rows;
    },
  };
}

function settings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'agent-tool-server audit',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    statement_timeout: statementMs,
    // For the connection that is cut without a word.
    query_timeout: statementMs + 2000,
    // A replica that is gone in the middle of a batch must not keep the others out.
    idle_in_transaction_session_timeout: statementMs,
    types: {
      getTypeParser: (oid, format) =>
        oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
    },
  };
}

/** Run `work` on a connection of its own. */
export async function connected<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(url);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Run `work` in a transaction, `begin` of which may say of what kind it is. */
export async function inTransaction<T>(
  connection: Connection,
  work: () => Promise<T>,
  begin = 'begin',
): Promise<T> {
  await connection.query(begin);
  try {
    const result = await work();
    await connection.query('commit');
    return result;
  } catch (error) {
    // On a broken connection the server does it by itself.
    await connection.query('rollback').catch(() => {});
    throw error;
  }
}

/** What all reads of one question see: the log as it was committed at its beginning. */
export const oneMoment = 'begin isolation level repeatable read read only';

/**
 * Failures that pass: the connection, a server that stops or starts, a standby that is not yet the
 * primary, a lock that was waited for too long (SQLSTATE classes 08, 40, 57P, 25006, 55P03, 57014).
 */
export function passes(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  // The client's own failures have no code, and are no errors of ours either.
  const ofClient = Object.getPrototypeOf(error) === Error.prototype;
  if (code === undefined) {
    return ofClient && /connect|terminated|timeout|closed/i.test(error.message);
  }
  return /^(08|40|57P|25006|55P03|57014|53300)/.test(code) || /^E[A-Z_]+$/.test(code);
}

/** What went wrong, without the address, which holds a password. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as Error & { code?: string };
  if (code === undefined) return message;
  return /^E[A-Z_]+$/.test(code) ? `PostgreSQL cannot be reached (${code})` : message;
}
