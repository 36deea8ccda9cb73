import { chmodSync, cpSync, existsSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { copyAuditLog } from '../audit/copy/index.ts';
import { databasePath } from '../audit/log/database-path.ts';
import { lockDirectory as lockLog } from '../audit/log/directory-lock.ts';
import { readNewest } from '../audit/postgres/succeed.ts';
import { makeDataFolder } from '../process/folders.ts';
import { StartError } from '../process/start-error.ts';
import { copyBetween } from '../store/copy.ts';
import { createStore, lockDataDirectory, type StoreOptions } from '../store/index.ts';
import { applicationId, databaseFile } from '../store/sqlite-files.ts';
import { auditFile, type KeptLog, readKeptLog } from './kept-log.ts';
import { readManifest } from './manifest.ts';
import { inWorkFolder, synchronize } from './work-folder.ts';

/** What became of the audit log: that of the backup is there now, or the one that was there. */
export interface RestoredLog extends KeptLog {
  readonly was: 'restored' | 'kept';
}

/**
 * Put a backup in the place of an empty store, in SQLite or PostgreSQL, and its audit log where there
 * is none: one that is there has at least as much to prove and is never turned back. No server runs
 * meanwhile.
 *
 * @throws StartError
 */
export async function restore(
  options: StoreOptions,
  backup: string,
): Promise<RestoredLog | undefined> {
  const { files } = await readManifest(backup);
  if (files[databaseFile] === undefined) {
    throw new StartError(`the backup ${backup} is incomplete: it holds no ${databaseFile}`);
  }
  const { dataDir } = options;
  makeDataFolder(dataDir);
  const unlock = lock(options);
  try {
    return await inWorkFolder(dataDir, async (work) => {
      for (const name of Object.keys(files)) copyInto(work, backup, name);
      // The log first: interrupted here, the same again finds it and goes on.
      const log = await restoreLog(join(work, auditFile), options);
      await restoreStore(options, work);
      return log;
    });
  } finally {
    unlock();
  }
}

function lock({ dataDir, databaseUrl }: StoreOptions): () => void {
  const unlockLog = lockLog(dataDir);
  try {
    if (databaseUrl !== undefined) return unlockLog;
    requireNone(join(dataDir, databaseFile));
    const held = lockDataDirectory(dataDir);
    return () => {
      held.close();
      unlockLog();
    };
  } catch (error) {
    unlockLog();
    throw error;
  }
}

/** Beside the write-ahead log of another one, a database would be damaged by it. */
function requireNone(path: string): void {
  const there = [path, `${path}-wal`, `${path}-shm`].find((file) => existsSync(file));
  if (there === undefined) return;
  throw new StartError(
    `there is a database already: move ${basename(there)} away (${there}) first`,
  );
}

function copyInto(work: string, backup: string, name: string): void {
  const copied = join(work, name);
  cpSync(join(backup, name), copied);
  chmodSync(copied, 0o600);
  requireSound(copied, join(backup, name));
}

async function restoreLog(
  copied: string,
  { dataDir, databaseUrl }: StoreOptions,
): Promise<RestoredLog | undefined> {
  if (databaseUrl !== undefined) return restoreIntoDatabase(copied, databaseUrl);
  const path = databasePath(dataDir);
  const there = readKeptLog(path);
  if (there !== undefined) return { ...there, was: 'kept' };
  const log = readKeptLog(copied);
  if (log === undefined) return undefined;
  requireNone(path);
  synchronize(copied);
  renameSync(copied, path);
  synchronize(dataDir);
  return { ...log, was: 'restored' };
}

async function restoreIntoDatabase(copied: string, url: string): Promise<RestoredLog | undefined> {
  const there = await readNewest(url);
  if (there !== undefined) return { origin: there.origin, size: there.size, was: 'kept' };
  const log = await copyAuditLog({ file: copied }, { url });
  return log && { origin: log.origin, size: log.size, was: 'restored' };
}

async function restoreStore(options: StoreOptions, work: string): Promise<void> {
  const { dataDir, databaseUrl } = options;
  if (databaseUrl !== undefined) {
    await copyBetween({ dataDir: work }, options);
    return;
  }
  // Brings it to the version of this code, or refuses it.
  const store = createStore({ dataDir: work });
  await store.open();
  await store.close();
  const made = join(work, databaseFile);
  synchronize(made);
  renameSync(made, join(dataDir, databaseFile));
  synchronize(dataDir);
}

function requireSound(path: string, name: string): void {
  let check: unknown;
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    const id = database.prepare('PRAGMA application_id').get()?.['application_id'];
    check = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
    database.close();
    const foreign = path.endsWith(databaseFile) && id !== applicationId;
    if (!foreign && check === 'ok') return;
  } catch (error) {
    throw new StartError(`${name} is not a database of this server`, { cause: error });
  }
  throw new StartError(`${name} is damaged or not a database of this server`);
}
