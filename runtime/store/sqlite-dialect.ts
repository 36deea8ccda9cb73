import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  DialectAdapter,
  Driver,
  QueryResult,
} from 'kysely';
import { queryBuilder } from './query-builder.ts';
import type { SqliteThread } from './sqlite-thread.ts';
import type { TurnLock } from './turn-lock.ts';

/** Kysely over the thread that has the database. */
export function sqliteDialect(thread: SqliteThread): Dialect {
  const { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } = queryBuilder();
  return {
    createDriver: () => new ThreadDriver(thread),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => withManyConnections(new SqliteAdapter()),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Otherwise Kysely lets readers wait for writers too. */
function withManyConnections(adapter: DialectAdapter): DialectAdapter {
  return Object.defineProperty(adapter, 'supportsMultipleConnections', { value: true });
}

/** SQLite has one writer: whoever writes waits for a turn, whoever only reads does not. */
class ThreadDriver implements Driver {
  readonly #thread: SqliteThread;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ThreadConnection> {
    return new ThreadConnection(this.#thread);
  }

  async beginTransaction(connection: ThreadConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: ThreadConnection): Promise<void> {
    await connection.end('commit');
  }

  async rollbackTransaction(connection: ThreadConnection): Promise<void> {
    await connection.end('rollback');
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#thread.close();
  }
}

/** Whether a query changes nothing, however it was written: it needs no turn. */
function onlyReads({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*select\b/.test(sql));
}

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

function statement(sql: string): Statement {
  return { sql, parameters: [] };
}

class ThreadConnection implements DatabaseConnection {
  readonly #thread: SqliteThread;
  readonly #turns: TurnLock;
  #inTransaction = false;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
    this.#turns = thread.turns;
  }

  async begin(): Promise<void> {
    await this.#turns.acquire();
    try {
      await this.#execute(statement('begin immediate'), 'writer');
      this.#inTransaction = true;
    } catch (error) {
      this.#turns.release();
      throw error;
    }
  }

  /** Commit or roll back. A commit that fails leaves the transaction open: Kysely rolls it back. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (!this.#inTransaction) return;
    try {
      await this.#execute(statement(how), 'writer');
    } catch (error) {
      // SQLite itself rolls back when the disk is full or fails: nothing is left to be undone.
      if (how === 'commit') throw error;
    }
    this.#inTransaction = false;
    this.#turns.release();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#inTransaction) return this.#execute(query, 'writer');
    if (onlyReads(query)) return this.#execute(query, 'reader');
    await this.#turns.acquire();
    try {
      return await this.#execute(query, 'writer');
    } finally {
      this.#turns.release();
    }
  }

  // biome-ignore lint/correctness/useYield: the interface wants a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are read in pages, not streamed');
  }

  async #execute<R>(
    { sql, parameters }: Statement,
    connection: 'reader' | 'writer',
  ): Promise<QueryResult<R>> {
    const reply = await this.#thread.ask({ kind: 'execute', sql, parameters, connection });
    return { rows: reply.rows as R[], numAffectedRows: BigInt(reply.changes) };
  }
}
