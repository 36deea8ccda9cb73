import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql, type Transaction } from 'kysely';
import { ServiceError } from '#contract/errors';
import type { Store, Tables } from '#contract/house/store';
import { StartError } from '../process/start-error.ts';
import { isConflict } from './failures.ts';
import { migrate, migrations } from './migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { lockDirectory } from './sqlite-files.ts';
import { SqliteThread } from './sqlite-thread.ts';

export interface StoreOptions {
  readonly dataDir: string;
  /** PostgreSQL takes the place of the files in `dataDir`. */
  readonly databaseUrl?: string | undefined;
  /** What the database is brought through; without it, the migrations of this code. */
  readonly migrations?: readonly Migration[] | undefined;
}

/** A store whose owner opens and closes it; those who use it get a `Store`. */
export interface OwnedStore extends Store {
  /**
   * Open the database and bring it to the version of this code.
   *
   * @throws StartError
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** How often a transaction that is in conflict with others is tried. */
const maxTries = 12;

/** Create the store; nothing is opened yet. */
export function createStore({ dataDir, databaseUrl, migrations }: StoreOptions): OwnedStore {
  if (databaseUrl === undefined) return sqliteStore(dataDir, migrations);
  const db = new Kysely<Tables>({ dialect: postgresDialect(databaseUrl) });
  const nothing = async () => {};
  return storeOver(db, 'postgres', { connect: nothing, disconnect: nothing, known: migrations });
}

function sqliteStore(directory: string, known: StoreOptions['migrations']): OwnedStore {
  const thread = new SqliteThread();
  const db = new Kysely<Tables>({ dialect: sqliteDialect(thread) });
  return storeOver(db, 'sqlite', {
    known,
    async connect() {
      try {
        await thread.open(directory);
      } catch (error) {
        throw startErrorIn(directory, error);
      }
    },
    disconnect: () => thread.close(),
  });
}

interface Surroundings extends Record<'connect' | 'disconnect', () => Promise<void>> {
  readonly known: StoreOptions['migrations'];
}

function storeOver(
  db: Kysely<Tables>,
  engine: Store['engine'],
  { connect, disconnect, known = migrations }: Surroundings,
): OwnedStore {
  // Kysely closes only what a query has used.
  const close = async () => {
    await db.destroy();
    await disconnect();
  };
  return {
    db,
    engine,
    transaction: (work) => transaction(db, work),
    async open() {
      try {
        await connect();
        await migrate(db, engine, known);
      } catch (error) {
        await close().catch(() => {});
        if (error instanceof ServiceError) throw new StartError(error.message, { cause: error });
        throw error;
      }
    },
    async check() {
      await sql`select 1`.execute(db);
      return true;
    },
    close,
  };
}

async function transaction<T>(
  db: Kysely<Tables>,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().setIsolationLevel('serializable').execute(work);
    } catch (error) {
      if (!isConflict(error) || tries === maxTries) throw error;
      // Spread out, so that the same ones do not meet again.
      await sleep(Math.random() * 5 * 2 ** Math.min(tries, 6));
    }
  }
}

/**
 * Keep servers out of a data directory for as long as the result is open.
 *
 * @throws StartError
 */
export function lockDataDirectory(directory: string): { close(): void } {
  try {
    return lockDirectory(directory);
  } catch (error) {
    throw startErrorIn(directory, error);
  }
}

function startErrorIn(directory: string, error: unknown): unknown {
  const { pid } = error as { pid?: number };
  if (pid !== undefined) {
    return new StartError(
      `process ${pid} already uses the data directory ${directory}; ` +
        'stop it first, or set SERVICE_DATA_DIR to another one',
      { cause: error },
    );
  }
  if (!(error instanceof ServiceError)) return error;
  const reason = String(error.detail['reason']);
  return new StartError(`the data directory ${directory} cannot be used: ${reason}`, {
    cause: error,
  });
}
