import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { requireSound } from './soundness.ts';
import { databaseFile, lockDirectory, openDatabase, openReader } from './sqlite-files.ts';
import { loadProcedure, runProcedure } from './sqlite-procedures.ts';
import type { Statement, WorkerReply, WorkerRequest } from './worker-protocol.ts';

/** A connection with the statements that it has compiled. */
interface Connection {
  readonly database: DatabaseSync;
  readonly statements: LRUCache<string, Compiled>;
}

interface Compiled {
  readonly compiled: StatementSync;
  /** Asking for its columns takes as long as a small query. */
  readonly givesRows: boolean;
}

type Opened = { readonly lock: DatabaseSync } & Readonly<Record<'reader' | 'writer', Connection>>;

let opened: Opened | undefined;

parentPort?.on('message', (request: WorkerRequest) => {
  // A module is loaded with its first procedure; whatever else is asked meanwhile does not wait for it.
  const loading = request.kind === 'run' ? loadProcedure(request.procedure.module) : undefined;
  if (loading === undefined) return parentPort?.postMessage(answer(request));
  const serveLater = () => parentPort?.postMessage(answer(request));
  void loading.then(serveLater, (error) => parentPort?.postMessage(failure(request.id, error)));
});

function answer(request: WorkerRequest): WorkerReply {
  const { id } = request;
  try {
    return { id, kind: 'result', ...serve(request) };
  } catch (error) {
    return failure(id, error);
  }
}

function failure(id: number, error: unknown): WorkerReply {
  const { message, code, errcode, pid } = error as Error & Record<string, never>;
  return { id, kind: 'failure', failure: { message, code, errcode, pid } };
}

function serve(request: WorkerRequest): { rows: unknown[]; changes: number } {
  switch (request.kind) {
    case 'open':
      opened = open(request.directory);
      return { rows: stepsOf(opened.writer), changes: 0 };
    case 'execute':
      if (!opened) throw new Error('the database is not open');
      return execute(opened[request.connection], request.sql, request.parameters);
    case 'run': {
      if (!opened) throw new Error('the database is not open');
      const { writer } = opened;
      const run = (sql: string, parameters: readonly unknown[]) => execute(writer, sql, parameters);
      return { rows: [runProcedure(writer.database, run, request)], changes: 0 };
    }
    case 'make':
      if (!opened) throw new Error('the database is not open');
      return { rows: [], changes: makeTables(opened.writer.database, request.statements) };
    case 'close':
      close();
      return { rows: [], changes: 0 };
  }
}

function open(directory: string): Opened {
  const lock = lockDirectory(directory);
  try {
    const path = join(directory, databaseFile);
    const writer = connection(openDatabase(path));
    requireSound(writer.database);
    return { lock, writer, reader: connection(openReader(path)) };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** The steps that the database has been through, read as one who may also write. */
function stepsOf({ database }: Connection): unknown[] {
  database.exec('BEGIN IMMEDIATE');
  try {
    const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migration'";
    if (database.prepare(table).get() === undefined) return [];
    return database.prepare('SELECT name FROM schema_migration').all();
  } finally {
    database.exec('ROLLBACK');
  }
}

/** Do all of it where there are no tables yet; gives how many statements that was. */
function makeTables(database: DatabaseSync, statements: readonly Statement[]): number {
  database.exec('BEGIN IMMEDIATE');
  try {
    if (database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) return 0;
    for (const { sql, parameters } of statements) {
      database.prepare(sql).run(...(parameters as readonly SQLInputValue[]));
    }
    database.exec('COMMIT');
    return statements.length;
  } finally {
    // SQLite itself rolls back when the disk is full or fails.
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

function connection(database: DatabaseSync): Connection {
  return { database, statements: new LRUCache({ max: 500 }) };
}

function execute(
  { database, statements }: Connection,
  sql: string,
  parameters: readonly unknown[],
): { rows: unknown[]; changes: number } {
  let statement = statements.get(sql);
  if (!statement) {
    const compiled = database.prepare(sql);
    statement = { compiled, givesRows: compiled.columns().length > 0 };
    statements.set(sql, statement);
  }
  const values = parameters as readonly SQLInputValue[];
  if (statement.givesRows) return { rows: statement.compiled.all(...values), changes: 0 };
  return { rows: [], changes: Number(statement.compiled.run(...values).changes) };
}

/** The writer last but one: it alone may fold the log into the database when it is the last. */
function close(): void {
  opened?.reader.database.close();
  opened?.writer.database.close();
  opened?.lock.close();
  opened = undefined;
}
