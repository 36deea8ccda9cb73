import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StartError } from '../start-error.ts';
import { lockDirectory } from './directory-lock.ts';
import type { LogPlace } from './log-place.ts';
import { readIdentity } from './schema.ts';
import { parseSeed, readOrCreateSeed, Signer } from './signing-key.ts';
import { threadFile } from './thread-file.ts';
import type { WriterData } from './writer-messages.ts';

/**
 * Claim `directory` and find out which log lives there: its origin and key were fixed when it was
 * created, else `origin` names the new one. The key comes from `key` or from the file beside the log.
 *
 * @throws StartError when the folder cannot be used, or the key is not that of the log
 */
export function openLogFolder(
  directory: string,
  origin: string,
  key: string | undefined,
): LogPlace {
  const unlock = claim(directory);
  try {
    const path = databasePath(directory);
    const existing = existsSync(path) ? readIdentity(path) : undefined;
    const mayCreate = existing === undefined;
    const seed =
      key === undefined
        ? readOrCreateSeed(join(directory, 'audit.key'), mayCreate)
        : parseSeed(key);
    const name = existing?.origin ?? checkedOrigin(origin);
    const { vkey } = new Signer(name, seed);
    if (existing !== undefined && existing.vkey !== vkey) {
      throw new StartError(
        `the audit log ${name} was created with another signing key: expected that of ${existing.vkey}, found that of ${vkey}`,
      );
    }
    const identity = { origin: name, vkey };
    return {
      identity,
      shared: false,
      startWriter(outside) {
        const workerData: WriterData = { path, identity, seed, outside };
        return new Worker(threadFile('writer-thread'), { workerData });
      },
      startReader: () => new Worker(threadFile('reader-thread'), { workerData: path }),
      release: unlock,
    };
  } catch (error) {
    unlock();
    throw asStartError(directory, error);
  }
}

export function databasePath(directory: string): string {
  return join(directory, 'audit.sqlite');
}

function claim(directory: string): () => void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return lockDirectory(directory);
  } catch (error) {
    throw asStartError(directory, error);
  }
}

/** A key name has neither spaces nor plus signs (C2SP signed-note); an origin is one. */
export function checkedOrigin(origin: string): string {
  if (/^[^\s+]{1,255}$/.test(origin)) return origin;
  throw new StartError(
    `the origin of the audit log: expected a name such as tools.example.com/audit, found ${JSON.stringify(origin)}`,
  );
}

function asStartError(directory: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError(`the audit log in ${directory} cannot be opened: ${reason}`, {
    cause: error,
  });
}
