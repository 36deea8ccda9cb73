import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { requireSound } from './soundness.ts';
import { databaseFile, lockDirectory, openDatabase, openReader } from './sqlite-files.ts';
import type { WorkerReply, WorkerRequest } from './worker-protocol.ts';

/** A connection with the statements that it has compiled. */
interface Connection {
  readonly database: DatabaseSync;
  readonly statements: LRUCache<string, StatementSync>;
}

type Opened = { readonly lock: DatabaseSync } & Readonly<Record<'reader' | 'writer', Connection>>;

let opened: Opened | undefined;

parentPort?.on('message', (request: WorkerRequest) => {
  parentPort?.postMessage(answer(request));
});

function answer(request: WorkerRequest): WorkerReply {
  const { id } = request;
  try {
    return { id, kind: 'result', ...serve(request) };
  } catch (error) {
    const { message, code, errcode, pid } = error as Error & Record<string, never>;
    return { id, kind: 'failure', failure: { message, code, errcode, pid } };
  }
}

function serve(request: WorkerRequest): { rows: unknown[]; changes: number } {
  switch (request.kind) {
    case 'open':
      opened = open(request.directory);
      return { rows: stepsOf(opened.writer), changes: 0 };
    case 'execute':
      if (!opened) throw new Error('the database is not open');
      return execute(opened[request.connection], request.sql, request.parameters);
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
    statement = database.prepare(sql);
    statements.set(sql, statement);
  }
  const values = parameters as readonly SQLInputValue[];
  if (statement.columns().length > 0) return { rows: statement.all(...values), changes: 0 };
  return { rows: [], changes: Number(statement.run(...values).changes) };
}

/** The writer last but one: it alone may fold the log into the database when it is the last. */
function close(): void {
  opened?.reader.database.close();
  opened?.writer.database.close();
  opened?.lock.close();
  opened = undefined;
}
