import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { ServiceError } from '#contract/errors';
import type { Procedure, ProcedureFunction, ProcedureStore } from '#contract/house/procedures';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../generated/tables.ts';
import type { Part } from '../process/life.ts';
import { StartError } from '../process/start-error.ts';
import { isConflict, storeUnavailable } from './failures.ts';
import { type AppliedMigration, isUpToDate, migrate, migrations } from './migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { statementsOfNew } from './new-database.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { queryBuilder } from './query-builder.ts';
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
export interface OwnedStore extends Store<Tables>, ProcedureStore, Part {
  /** Begin what takes a while and opens nothing, because `open` will follow soon. */
  prepare(): void;
  /**
   * Open the database and bring it to the version of this code.
   *
   * @throws StartError
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

/**
 * How often a transaction that is in conflict with others is tried. Most need few tries; where the
 * machine is busy and many write the same, one may lose again and again.
 */
const maxTries = 40;

/** Create the store; nothing is opened yet. */
export function createStore({ dataDir, databaseUrl, migrations }: StoreOptions): OwnedStore {
  return databaseUrl === undefined
    ? sqliteStore(dataDir, migrations)
    : postgresStore(databaseUrl, migrations);
}

function postgresStore(url: string, known: StoreOptions['migrations']): OwnedStore {
  const make = () => new (queryBuilder().Kysely)<Tables>({ dialect: postgresDialect(url) });
  return storeOver(make, 'postgres', {
    known,
    prepare: () => {},
    connect: async () => undefined,
    disconnect: async () => {},
    ping: (db) => queryBuilder().sql`select 1`.execute(db()),
    run: (db) => (procedure, argument) => runInPostgres(db(), procedure, argument),
  });
}

function sqliteStore(directory: string, known: StoreOptions['migrations']): OwnedStore {
  const thread = new SqliteThread();
  const make = () => new (queryBuilder().Kysely)<Tables>({ dialect: sqliteDialect(thread) });
  const ping = { kind: 'execute', sql: 'select 1', parameters: [], connection: 'reader' } as const;
  return storeOver(make, 'sqlite', {
    known,
    prepare: () => thread.begin(),
    async connect() {
      try {
        return await thread.open(directory);
      } catch (error) {
        throw startErrorIn(directory, error);
      }
    },
    async makeTables(known) {
      const statements = statementsOfNew(known);
      if (statements === undefined) return false;
      return (await thread.ask({ kind: 'make', statements })).changes > 0;
    },
    disconnect: () => thread.close(),
    ping: () => thread.ask(ping),
    run:
      () =>
      (procedure, argument, durability = 'flushed') =>
        thread.run(procedure, argument, durability),
  });
}

interface Surroundings {
  readonly known: StoreOptions['migrations'];
  readonly prepare: () => void;
  /** Gives the steps that the database has been through, where that is known by then. */
  readonly connect: () => Promise<readonly AppliedMigration[] | undefined>;
  /** Bring a database that has no tables through all of it; false where that has to be step by step. */
  readonly makeTables?: (known: readonly Migration[]) => Promise<boolean>;
  readonly disconnect: () => Promise<void>;
  readonly ping: (db: () => Kysely<Tables>) => Promise<unknown>;
  readonly run: (db: () => Kysely<Tables>) => ProcedureStore['run'];
}

function storeOver(
  make: () => Kysely<Tables>,
  engine: Store['engine'],
  { prepare, connect, makeTables, disconnect, ping, run, known = migrations }: Surroundings,
): OwnedStore {
  let made: Kysely<Tables> | undefined;
  /** Made with the first query: a start whose database is up to date has none. */
  const db = () => {
    made ??= make();
    return made;
  };
  // Kysely closes only what a query has used.
  const close = async () => {
    await made?.destroy();
    await disconnect();
  };
  const open = async () => {
    try {
      const applied = await connect();
      if (applied?.length === 0 && (await makeTables?.(known))) return;
      if (applied === undefined || !isUpToDate(applied, known)) await migrate(db(), engine, known);
    } catch (error) {
      await close().catch(() => {});
      if (error instanceof ServiceError) throw new StartError(error.message, { cause: error });
      throw error;
    }
  };
  return {
    get db() {
      return db();
    },
    engine,
    transaction: (work) => transaction(db(), work),
    run: run(db),
    async check() {
      await ping(db);
      return true;
    },
    ...{ prepare, open, start: open, close, stop: close },
  };
}

function transaction<T>(
  db: Kysely<Tables>,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return insist(() => db.transaction().setIsolationLevel('serializable').execute(work));
}

/** Run a procedure over a connection: each statement goes there and back. */
async function runInPostgres<Argument, Result>(
  db: Kysely<Tables>,
  { module, name }: Procedure<Argument, Result>,
  argument: Argument,
): Promise<Result> {
  const exported: Readonly<Record<string, ProcedureFunction<Argument, Result>>> = await import(
    module
  );
  const procedure = exported[name];
  if (procedure === undefined) throw new Error(`${module} has no procedure ${name}`);
  return insist(() =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const statements = procedure(argument, 'postgres');
        let step = statements.next();
        while (!step.done) step = statements.next(await step.value.execute(tx));
        return step.value;
      }),
  );
}

/** Do a transaction again for as long as others are in its way. */
async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (tries === maxTries) throw storeUnavailable('too many write the same at once', error);
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
