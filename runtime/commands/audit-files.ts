import { existsSync } from 'node:fs';
import type { AuditCheckpoint, AuditLog } from '#contract/audit';
import { databasePath } from '../audit/log-folder.ts';
import { LogReader } from '../audit/log-reader.ts';
import { type LogIdentity, openForReading, readIdentity } from '../audit/schema.ts';
import { auditSettings } from '../audit-access.ts';
import type { Service } from '../main.ts';
import { StartError } from '../start-error.ts';

/** The log of the data directory, read past a server that may be writing it. */
export interface AuditFiles {
  readonly path: string;
  readonly identity: LogIdentity;
  /** As much of the log as an export needs. */
  readonly log: Pick<AuditLog, 'vkey' | 'checkpoint' | 'tile' | 'entriesBundle'>;
  readonly proof: LogReader['proof'];
  /** The newest signed checkpoint. */
  readonly checkpoint: AuditCheckpoint;
  close(): void;
}

/** @throws StartError when there is no log, or nothing in it was signed */
export async function openAuditFiles({ config }: Service): Promise<AuditFiles> {
  const { directory } = auditSettings(config);
  const path = databasePath(directory);
  const identity = existsSync(path) ? readIdentity(path) : undefined;
  if (identity === undefined) {
    throw new StartError(
      `there is no audit log in ${directory}: the server makes one when it starts`,
    );
  }
  const database = openForReading(path);
  const reader = new LogReader(database);
  const checkpoint = reader.newestCheckpoint();
  if (checkpoint === undefined) {
    database.close();
    throw new StartError(
      `the audit log in ${directory} has no signed checkpoint: start the server`,
    );
  }
  return {
    path,
    identity,
    log: {
      vkey: identity.vkey,
      checkpoint: async () => checkpoint,
      tile: async (level, index, width = 256) => reader.tile(level, index, width),
      entriesBundle: async (index, width = 256) => reader.entriesBundle(index, width),
    },
    proof: (seq, size) => reader.proof(seq, size),
    checkpoint,
    close: () => database.close(),
  };
}
