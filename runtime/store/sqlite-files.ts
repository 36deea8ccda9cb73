import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../process/folders.ts';

/** The database inside of the data directory. */
export const databaseFile = 'store.db';

/** What tells our databases from others in a backup: "ATS1". */
export const applicationId = 0x41545331;

/** Another process has the data directory. */
export class DirectoryInUse extends Error {
  readonly pid: number;

  constructor(pid: number) {
    super(`process ${pid} uses the data directory`);
    this.pid = pid;
  }
}

/**
 * Make the data directory and keep every other process out for as long as the result is open.
 *
 * The lock is SQLite's own, on an empty database: the system takes it back however this process
 * ends, and its `user_version` tells the others who has it.
 *
 * @throws DirectoryInUse
 */
export function lockDirectory(directory: string): DatabaseSync {
  makeFolder(directory);
  const lock = new DatabaseSync(join(directory, 'store.lock'), { timeout: 0 });
  try {
    lock.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`);
    return lock;
  } catch (error) {
    const busy = (error as { errcode?: number }).errcode === 5;
    const pid = busy ? Number(lock.prepare('PRAGMA user_version').get()?.['user_version']) : 0;
    lock.close();
    throw busy ? new DirectoryInUse(pid) : error;
  }
}

/** Open the database so that a commit is on the disk when it is acknowledged. */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000 });
  const { application_id: id } = database.prepare('PRAGMA application_id').get() ?? {};
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF',
  );
  // Written once: a database that turns out to be damaged stays as it is.
  if (id !== applicationId) database.exec(`PRAGMA application_id = ${applicationId}`);
  return database;
}

/** Open the same database a second time, for reading beside the writer. */
export function openReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000, readOnly: true });
  database.exec('PRAGMA trusted_schema = OFF');
  return database;
}
