import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '#contract/config/config';

/**
 * Make a folder that its owner alone may enter, with the folders above it. Node's own `recursive`
 * never comes back where a file system has the parent and calls the child missing, as /proc does.
 *
 * @throws NodeJS.ErrnoException
 */
export function makeFolder(path: string): void {
  for (const folder of missingFolders(path)) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (!isThere(folder, error)) throw error;
    }
  }
}

/** The same without keeping the process waiting. */
export async function makeFolderLater(path: string): Promise<void> {
  for (const folder of missingFolders(path)) {
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (!isThere(folder, error)) throw error;
    });
  }
}

/**
 * Make the folder in which the server keeps its state.
 *
 * @throws ConfigError
 */
export function makeDataFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw noDataFolder(path, (error as NodeJS.ErrnoException).code);
  }
}

/**
 * Refuse a data directory that cannot be made, as far as that is seen without making it.
 *
 * @throws ConfigError
 */
export function requireDataFolder(path: string): void {
  const there = nearestFolder(path);
  if (!statSync(there).isDirectory()) throw noDataFolder(path, `${there} is no folder`);
  // What only reads gets along with one that is there and takes no writes.
  if (there !== resolve(path)) requireWritable(path);
}

/**
 * Refuse a data directory that takes no writes, before anything is made in it.
 *
 * @throws ConfigError
 */
export function requireWritable(path: string): void {
  try {
    accessSync(nearestFolder(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw noDataFolder(path, (error as NodeJS.ErrnoException).code);
  }
}

/** The folder itself, or the lowest one above it that is there. */
function nearestFolder(path: string): string {
  const [highest = resolve(path)] = missingFolders(path);
  return existsSync(highest) ? highest : dirname(highest);
}

function noDataFolder(path: string, why: string | undefined): ConfigError {
  const expected = 'a folder that this user may write to';
  const received = `${JSON.stringify(path)} (${why})`;
  return new ConfigError([{ variable: 'SERVICE_DATA_DIR', expected, received }]);
}

/** Those that are not there, the highest one first. */
function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) {
    missing.unshift(folder);
  }
  // What is there may be no folder: making it again says so.
  return missing.length > 0 ? missing : [resolve(path)];
}

/** Somebody else was faster, or it was there before; a file of that name is no folder. */
function isThere(folder: string, error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(folder).isDirectory();
}
