import { existsSync } from 'node:fs';
import type { AuditLog } from '#contract/house/audit';
import { StartError } from '../../process/start-error.ts';
import { type AuditLogOptions, openAuditLog } from '../engine/audit-log.ts';
import { replaceKeyFile } from '../keys/key-files.ts';
import { databasePath } from '../log/database-path.ts';
import { lockDirectory } from '../log/directory-lock.ts';
import { readIdentity } from '../sqlite/schema.ts';

/**
 * Make a new key in the data directory and open the log with it, which hands it over. A rotation that
 * was interrupted is completed instead.
 *
 * @throws StartError when the keys are not in files, or the log is not in order
 */
export async function rotateKeyFile(options: AuditLogOptions): Promise<AuditLog> {
  if (options.key !== undefined) {
    throw new StartError(
      'the signing key is configured: set SERVICE_AUDIT_KEY to a new one and SERVICE_AUDIT_PREVIOUS_KEY to the one of now, and start the server',
    );
  }
  const before = await newestKey(options);
  const log = await openAuditLog(options);
  if (log.vkey !== before) return log;
  const { state, reason } = log.status();
  await log.close();
  if (state !== 'open') throw new StartError(`the key is not rotated: ${reason}`);
  const unlock = lockDirectory(options.directory);
  try {
    replaceKeyFile(options.directory);
  } finally {
    unlock();
  }
  return openAuditLog(options);
}

async function newestKey({ databaseUrl, directory }: AuditLogOptions): Promise<string> {
  const identity = databaseUrl === undefined ? keptIn(directory) : await storedIn(databaseUrl);
  if (identity !== undefined) return identity.vkey;
  const place = databaseUrl === undefined ? directory : 'the database';
  throw new StartError(`there is no audit log in ${place}: the server makes one when it starts`);
}

function keptIn(directory: string) {
  const path = databasePath(directory);
  return existsSync(path) ? readIdentity(path) : undefined;
}

async function storedIn(url: string) {
  const { readNewest } = await import('../postgres/succeed.ts');
  return readNewest(url);
}
