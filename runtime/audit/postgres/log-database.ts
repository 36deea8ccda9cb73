import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StartError } from '../../start-error.ts';
import { checkedOrigin, databasePath } from '../log-folder.ts';
import type { LogPlace } from '../log-place.ts';
import { readIdentity } from '../schema.ts';
import { parseSeed, readOrCreateSeed, Signer } from '../signing-key.ts';
import { threadFile } from '../thread-file.ts';
import { connected, reasonOf } from './connection.ts';
import { addLog, type KnownLog, newestLog } from './logs.ts';
import type { PostgresReaderData } from './reader-thread.ts';
import { ensureTables } from './schema.ts';
import type { PostgresWriterData } from './writer-thread.ts';

/** Which log a replica wants to open. */
export interface Wanted {
  /** Holds the key file where `key` is not given. */
  readonly directory: string;
  readonly origin: string;
  readonly key: string | undefined;
}

/**
 * Find the log of a database, or create it. Its origin and key were fixed by the replica that was
 * first; all have to have the same key, because each of them signs.
 *
 * @throws StartError when the database cannot be used, or the key is not that of the log
 */
export async function openLogDatabase(url: string, wanted: Wanted): Promise<LogPlace> {
  try {
    return await connected(url, async (connection) => {
      await ensureTables(connection);
      const existing = await newestLog(connection);
      if (existing === undefined) refuseLogLeftBehind(wanted.directory);
      const seed = seedOf(wanted, existing === undefined);
      const origin = existing?.identity.origin ?? checkedOrigin(wanted.origin);
      const { vkey } = new Signer(origin, seed);
      const log = existing ?? (await addLog(connection, { origin, vkey }, undefined));
      requireKey(log, seed);
      return placeOf(url, log, seed);
    });
  } catch (error) {
    throw asStartError(error);
  }
}

function placeOf(url: string, log: KnownLog, seed: Uint8Array): LogPlace {
  return {
    identity: log.identity,
    shared: true,
    startWriter(outside, opening) {
      const replica = randomUUID();
      const workerData: PostgresWriterData = { url, log, seed, replica, outside, opening };
      return new Worker(threadFile('postgres/writer-thread'), { workerData });
    },
    startReader() {
      const workerData: PostgresReaderData = { url, log };
      return new Worker(threadFile('postgres/reader-thread'), { workerData });
    },
    release: () => undefined,
  };
}

/** The signing key of this replica. */
export function seedOf({ directory, key }: Wanted, mayCreate: boolean): Buffer {
  if (key !== undefined) return parseSeed(key);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return readOrCreateSeed(join(directory, 'audit.key'), mayCreate);
}

function requireKey({ identity: { origin, vkey } }: KnownLog, seed: Buffer): void {
  const found = new Signer(origin, seed).vkey;
  if (found === vkey) return;
  throw new StartError(
    `the audit log ${origin} in the database is signed with another key: expected that of ${vkey}, found that of ${found}; ` +
      'set SERVICE_AUDIT_KEY of every replica to the key of the first one, which may be in its audit.key',
  );
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
