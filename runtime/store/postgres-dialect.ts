import type { Dialect, PostgresPool } from 'kysely';
import { explainFailure } from './failures.ts';
import { queryBuilder } from './query-builder.ts';

/** Type of PostgreSQL's 8-byte integers; ours are all safe in a JavaScript number. */
const int8 = 20;

/** Kysely over a pool of connections, loaded when the first one is needed. */
export function postgresDialect(url: string): Dialect {
  const { PostgresDialect } = queryBuilder();
  return new PostgresDialect({ pool: () => openPool(url) });
}

async function openPool(connectionString: string): Promise<PostgresPool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString,
    application_name: 'agent-tool-server',
    max: 10,
    connectionTimeoutMillis: 5000,
    // A transaction that nobody goes on with must not hold its locks forever.
    idle_in_transaction_session_timeout: 60_000,
    types: {
      getTypeParser: (oid, format) =>
        oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // A connection that breaks while nobody uses it is replaced; without a listener it ends the
  // process. While it is in use, its query reports the same.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(rethrow);
      return {
        // Kysely hands in cursors only where one is configured.
        query: ((sql: string, parameters: unknown[]) =>
          client.query(sql, parameters).catch(rethrow)) as never,
        release: (destroy?: boolean) => client.release(destroy),
      };
    },
  };
}

function rethrow(error: unknown): never {
  throw explainFailure(error);
}
