import { connect } from './connection.ts';
import { asStartError } from './log-database.ts';
import { PostgresLogReader } from './log-reader.ts';
import { newestLog } from './logs.ts';
import { isCurrent } from './schema.ts';
import { verifyDatabase } from './verify-database.ts';

/**
 * Open the newest log of a database for reading alone; `undefined` when there is none.
 *
 * @throws StartError when the database cannot be read
 */
export async function openStoredLog(url: string) {
  const connection = await connect(url).catch(fail);
  const log = await isCurrent(connection)
    .then((made) => (made ? newestLog(connection) : undefined))
    .catch(fail);
  if (log === undefined) {
    await connection.close();
    return undefined;
  }
  const { id, identity } = log;
  const reader = new PostgresLogReader(connection, id);
  return {
    identity,
    newestCheckpoint: () => reader.newestCheckpoint(),
    cosignatures: (size: number) => reader.cosignatures(size),
    tile: (level: number, index: number, width = 256) => reader.tile(level, index, width),
    entriesBundle: (index: number, width = 256) => reader.entriesBundle(index, width),
    proof: (seq: number, size?: number) => reader.proof(seq, size),
    verify: (outside: readonly string[]) =>
      verifyDatabase(url, { log: id, vkeys: identity.vkey, outside }),
    close: () => connection.close(),
  };
}

function fail(error: unknown): never {
  throw asStartError(error);
}
