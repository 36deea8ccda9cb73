import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { makeDataFolder } from '../../process/folders.ts';
import { moduleFile } from '../../process/module-file.ts';
import { StartError } from '../../process/start-error.ts';
import { type KeySource, readSeeds } from '../keys/key-files.ts';
import { KeyRing, mustRotate, type Seeds } from '../keys/key-ring.ts';
import { identityOf } from '../keys/log-identity.ts';
import { databasePath } from '../log/database-path.ts';
import type { LogPlace } from '../log/log-place.ts';
import { refuseMoved } from '../log/moved-log.ts';
import { checkedOrigin } from '../sqlite/log-folder.ts';
import { readIdentity } from '../sqlite/schema.ts';
import { connected, reasonOf } from './connection.ts';
import { addLog, type KnownLog, newestLog } from './logs.ts';
import type { PostgresReaderData } from './reader-thread.ts';
import { ensureTables } from './schema.ts';
import type { PostgresWriterData } from './writer-thread.ts';

/**
 * Find the log of a database, or create it. Its origin was fixed by the replica that was first; all
 * have to have the same key, because each of them signs.
 *
 * @throws StartError when the database cannot be used, or the key is neither that of the log nor a
 * new one with that of the log beside it
 */
export async function openLogDatabase(
  url: string,
  source: KeySource,
  origin: string,
): Promise<LogPlace> {
  try {
    return await connected(url, async (connection) => {
      await ensureTables(connection);
      const existing = await newestLog(connection);
      if (existing === undefined) refuseLogLeftBehind(source.directory);
      else refuseMoved(existing.identity);
      const seeds = seedsOf(source, existing === undefined);
      const name = existing?.identity.origin ?? checkedOrigin(origin);
      const ring = new KeyRing(name, seeds);
      const log = existing ?? (await addLog(connection, identityOf(name, ring.vkey), undefined));
      return placeOf(url, log, seeds);
    });
  } catch (error) {
    throw asStartError(error);
  }
}

function placeOf(url: string, log: KnownLog, seeds: Seeds): LogPlace {
  const { identity } = log;
  const ring = new KeyRing(identity.origin, seeds);
  return {
    identity,
    nextKey: mustRotate(identity, ring) ? ring.vkey : undefined,
    shared: true,
    startWriter(start) {
      const workerData: PostgresWriterData = { ...start, url, log, seeds, replica: randomUUID() };
      return new Worker(moduleFile('./writer-thread', import.meta.url), { workerData });
    },
    startReader() {
      const workerData: PostgresReaderData = { url, log };
      return new Worker(moduleFile('./reader-thread', import.meta.url), { workerData });
    },
    release: () => undefined,
  };
}

/** The signing keys of this replica. */
export function seedsOf(source: KeySource, mayCreate: boolean): Seeds {
  if (source.key === undefined) makeDataFolder(source.directory);
  return readSeeds(source, mayCreate);
}

/** A log that stayed in the folder would be forgotten, and its anchors would call the new one older. */
function refuseLogLeftBehind(directory: string): void {
  const path = databasePath(directory);
  if (!existsSync(path) || readIdentity(path) === undefined) return;
  throw new StartError(
    `the audit log is in ${path} and not in the database: move it with "agent-tool-server store copy --to URL", or start in another SERVICE_DATA_DIR`,
  );
}

export function asStartError(error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`the audit log in the database cannot be opened: ${reasonOf(error)}`, {
    cause: error,
  });
}
