import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { makeDataFolder } from '../../process/folders.ts';
import { moduleFile } from '../../process/module-file.ts';
import { StartError } from '../../process/start-error.ts';
import { type KeySource, readSeeds } from '../keys/key-files.ts';
import { KeyRing, mustRotate } from '../keys/key-ring.ts';
import { identityOf } from '../keys/log-identity.ts';
import { databasePath } from '../log/database-path.ts';
import { lockDirectory } from '../log/directory-lock.ts';
import type { LogPlace } from '../log/log-place.ts';
import { refuseMoved } from '../log/moved-log.ts';
import type { WriterData } from '../log/writer-messages.ts';
import { readIdentity } from './schema.ts';
import { completeSuccession } from './succession-files.ts';

/**
 * Claim the directory and find out which log lives there: its origin was fixed when it was created,
 * else `origin` names the new one; a successor that is being made has a `path` of its own. The keys are given, or come from files beside the log.
 *
 * @throws StartError when the folder cannot be used, the log has moved away, or the key is neither that of the log nor a new
 * one with that of the log beside it
 */
export function openLogFolder(
  source: KeySource,
  origin: string,
  path = databasePath(source.directory),
): LogPlace {
  const { directory } = source;
  const unlock = claim(directory);
  try {
    completeSuccession(directory);
    const existing = existsSync(path) ? readIdentity(path) : undefined;
    if (existing !== undefined) refuseMoved(existing);
    const seeds = readSeeds(source, existing === undefined);
    const name = existing?.origin ?? checkedOrigin(origin);
    const ring = new KeyRing(name, seeds);
    const identity = existing ?? identityOf(name, ring.vkey);
    return {
      identity,
      nextKey: mustRotate(identity, ring) ? ring.vkey : undefined,
      shared: false,
      startWriter({ outside, opening, rotation }) {
        const handover = rotation && { opening, rotation };
        const workerData: WriterData = { path, identity, seeds, outside, handover };
        return new Worker(moduleFile('./writer-thread', import.meta.url), { workerData });
      },
      startReader: () =>
        new Worker(moduleFile('./reader-thread', import.meta.url), { workerData: path }),
      release: unlock,
    };
  } catch (error) {
    unlock();
    throw asStartError(directory, error);
  }
}

function claim(directory: string): () => void {
  try {
    makeDataFolder(directory);
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
