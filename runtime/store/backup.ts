import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';
import { copyStore } from './copy.ts';
import { createStore, type StoreOptions } from './index.ts';
import { applicationId, databaseFile, lockDirectory } from './sqlite-files.ts';

/**
 * Write everything into one new SQLite file, also while a server runs.
 *
 * @throws StartError
 */
export async function backUp({ dataDir, databaseUrl }: StoreOptions, file: string): Promise<void> {
  if (existsSync(file)) throw new StartError(`${file} is already there`);
  await inWorkFolder(dirname(resolve(file)), async (folder) => {
    const made = join(folder, databaseFile);
    if (databaseUrl === undefined) vacuumInto(join(dataDir, databaseFile), made);
    else await copyBetween({ dataDir, databaseUrl }, { dataDir: folder });
    chmodSync(made, 0o600);
    synchronize(made);
    // Unlike a rename, a link never takes the place of another file.
    linkSync(made, file);
    synchronize(dirname(resolve(file)));
  });
}

/**
 * Put a backup in the place of an empty store, in SQLite or PostgreSQL. No server runs meanwhile.
 *
 * @throws StartError
 */
export async function restore(options: StoreOptions, file: string): Promise<void> {
  const { dataDir, databaseUrl } = options;
  const beside = databaseUrl === undefined ? dataDir : dirname(resolve(file));
  const lock = databaseUrl === undefined ? lockForRestore(dataDir) : undefined;
  try {
    await inWorkFolder(beside, async (folder) => {
      const copied = join(folder, databaseFile);
      cpSync(file, copied);
      chmodSync(copied, 0o600);
      requireSound(copied, file);
      if (databaseUrl !== undefined) {
        await copyBetween({ dataDir: folder }, options);
        return;
      }
      // Brings it to the version of this code, or refuses it.
      const store = createStore({ dataDir: folder });
      await store.open();
      await store.close();
      synchronize(copied);
      renameSync(copied, join(dataDir, databaseFile));
      synchronize(dataDir);
    });
  } finally {
    lock?.close();
  }
}

/** Copy all rows from the one database to the other, which is empty. */
export async function copyBetween(from: StoreOptions, to: StoreOptions) {
  const source = createStore(from);
  const target = createStore(to);
  try {
    await source.open();
    await target.open();
    return await copyStore(source, target);
  } finally {
    await target.close();
    await source.close();
  }
}

function vacuumInto(path: string, file: string): void {
  if (!existsSync(path)) throw new StartError(`there is no database ${path}`);
  const database = new DatabaseSync(path, { timeout: 5000, readOnly: true });
  try {
    database.prepare('VACUUM INTO ?').run(file);
  } catch (error) {
    throw new StartError(`the backup failed: ${(error as Error).message}`, { cause: error });
  } finally {
    database.close();
  }
}

function lockForRestore(dataDir: string): DatabaseSync {
  if (existsSync(join(dataDir, databaseFile))) {
    const path = join(dataDir, databaseFile);
    throw new StartError(
      `there is a database already: move ${basename(path)} away (${path}) first`,
    );
  }
  return lockDirectory(dataDir);
}

function requireSound(path: string, name: string): void {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    const id = database.prepare('PRAGMA application_id').get()?.['application_id'];
    const check = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
    database.close();
    if (id === applicationId && check === 'ok') return;
  } catch (error) {
    throw new StartError(`${name} is not a backup of this server`, { cause: error });
  }
  throw new StartError(`${name} is damaged or not a backup of this server`);
}

/** Do something in a folder on the same disk that is gone afterwards, whatever happens. */
async function inWorkFolder(parent: string, work: (folder: string) => Promise<unknown>) {
  const folder = mkdtempSync(join(parent, '.store-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Put a file, or the names in a folder, on the disk. */
function synchronize(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
