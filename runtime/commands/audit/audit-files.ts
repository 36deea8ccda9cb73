import { existsSync } from 'node:fs';
import type { AuditCheckpoint, AuditLog } from '#contract/house/audit';
import type { LogIdentity } from '../../audit/keys/log-identity.ts';
import { databasePath } from '../../audit/log/database-path.ts';
import { LogReader } from '../../audit/sqlite/log-reader.ts';
import { openForReading, readIdentity } from '../../audit/sqlite/schema.ts';
import { type Cosignature, withCosignatures } from '../../audit/tree/read-answers.ts';
import type { Verification } from '../../audit/verify/verify.ts';
import { verifyPath } from '../../audit/verify/verify-files.ts';
import type { Service } from '../../main.ts';
import { StartError } from '../../process/start-error.ts';

/** The log as it is stored, read past the servers that may be writing it. */
export interface AuditFiles {
  readonly identity: LogIdentity;
  /** As much of the log as an export needs. */
  readonly log: Pick<AuditLog, 'keys' | 'checkpoint' | 'tile' | 'entriesBundle' | 'proof'>;
  readonly proof: AuditLog['proof'];
  /** The newest signed checkpoint. */
  readonly checkpoint: AuditCheckpoint;
  /** Check everything; `outside` are checkpoints that were kept elsewhere. */
  verify(outside: readonly string[]): Promise<Verification>;
  close(): Promise<void>;
}

/** What of it the two databases have in common. */
type Stored = Pick<AuditFiles, 'identity' | 'proof' | 'verify' | 'close'> &
  Pick<AuditLog, 'tile' | 'entriesBundle'> & {
    newestCheckpoint(): Promise<AuditCheckpoint | undefined>;
    cosignatures(size: number): Promise<readonly Cosignature[]>;
  };

/** @throws StartError when there is no log, or nothing in it was signed */
export async function openAuditFiles({ engines }: Service): Promise<AuditFiles> {
  const { directory, databaseUrl } = engines.audit.options;
  const place = databaseUrl === undefined ? directory : 'the database';
  const stored =
    databaseUrl === undefined ? openFolder(directory) : await openDatabase(databaseUrl);
  if (stored === undefined) {
    throw new StartError(`there is no audit log in ${place}: the server makes one when it starts`);
  }
  const { identity, proof, verify, close, tile, entriesBundle } = stored;
  const newest = await stored.newestCheckpoint();
  if (newest === undefined) {
    await close();
    throw new StartError(`the audit log in ${place} has no signed checkpoint: start the server`);
  }
  const cosignatures = await stored.cosignatures(newest.size);
  const checkpoint = { ...newest, note: withCosignatures(newest.note, cosignatures) };
  const { keys } = identity;
  const log = { keys, checkpoint: async () => checkpoint, tile, entriesBundle, proof };
  return { identity, log, proof, checkpoint, verify, close };
}

function openFolder(directory: string): Stored | undefined {
  const path = databasePath(directory);
  const identity = existsSync(path) ? readIdentity(path) : undefined;
  if (identity === undefined) return undefined;
  const database = openForReading(path);
  const reader = new LogReader(database);
  return {
    identity,
    newestCheckpoint: async () => reader.newestCheckpoint(),
    cosignatures: async (size) => reader.cosignatures(size),
    tile: async (level, index, width = 256) => reader.tile(level, index, width),
    entriesBundle: async (index, width = 256) => reader.entriesBundle(index, width),
    proof: async (seq, size) => reader.proof(seq, size),
    verify: async (outside) => verifyPath(path, identity.vkey, outside),
    close: async () => database.close(),
  };
}

async function openDatabase(url: string): Promise<Stored | undefined> {
  const { openStoredLog } = await import('../../audit/postgres/stored-log.ts');
  return openStoredLog(url);
}
