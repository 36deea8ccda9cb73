import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { copyAuditLog } from '../audit/copy/index.ts';
import { databasePath } from '../audit/log/database-path.ts';
import { openReadOnly } from '../process/read-only-database.ts';
import { StartError } from '../process/start-error.ts';
import { copyBetween } from '../store/copy.ts';
import type { StoreOptions } from '../store/index.ts';
import { databaseFile } from '../store/sqlite-files.ts';
import { auditFile, type KeptLog, readKeptLog } from './kept-log.ts';
import { writeManifest } from './manifest.ts';
import { inWorkFolder, synchronize } from './work-folder.ts';

/**
 * Write the store and the audit log into a new folder, also while a server runs. The signing key of
 * the log stays out: a copy that is given away must not be able to sign.
 *
 * @returns the log that is in the backup, if there was one
 * @throws StartError
 */
export async function backUp(
  { dataDir, databaseUrl }: StoreOptions,
  target: string,
): Promise<KeptLog | undefined> {
  requireFree(target);
  const parent = dirname(resolve(target));
  return inWorkFolder(parent, async (work) => {
    const made = join(work, databaseFile);
    if (databaseUrl === undefined) vacuumInto(join(dataDir, databaseFile), made);
    else await copyBetween({ dataDir, databaseUrl }, { dataDir: work });
    // After the store: so the log proves at least what the store speaks of.
    const log = await copyLog({ dataDir, databaseUrl }, join(work, auditFile));
    const names = log === undefined ? [databaseFile] : [databaseFile, auditFile];
    for (const name of names) settle(join(work, name));
    for (const other of readdirSync(work).filter((name) => !names.includes(name))) {
      rmSync(join(work, other));
    }
    for (const name of names) chmodSync(join(work, name), 0o600);
    for (const name of names) synchronize(join(work, name));
    await writeManifest(work, names);
    synchronize(work);
    requireFree(target);
    renameSync(work, target);
    synchronize(parent);
    return log;
  });
}

function requireFree(target: string): void {
  if (existsSync(target)) throw new StartError(`${target} is already there`);
}

async function copyLog(
  { dataDir, databaseUrl }: StoreOptions,
  made: string,
): Promise<KeptLog | undefined> {
  const path = databasePath(dataDir);
  if (databaseUrl !== undefined) await copyAuditLog({ url: databaseUrl }, { file: made });
  else if (readKeptLog(path) !== undefined) vacuumInto(path, made);
  return readKeptLog(made);
}

/** Have all of a database in its one file. */
function settle(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = DELETE');
  database.close();
}

/** What is committed now, in a file of its own: writers go on meanwhile. */
function vacuumInto(path: string, file: string): void {
  if (!existsSync(path)) throw new StartError(`there is no database ${path}`);
  try {
    using database = openReadOnly(path);
    database.prepare('VACUUM INTO ?').run(file);
  } catch (error) {
    throw new StartError(`the backup of ${path} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
