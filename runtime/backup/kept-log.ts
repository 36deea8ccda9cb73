import { existsSync } from 'node:fs';
import { readIdentity } from '../audit/sqlite/schema.ts';
import { openReadOnly } from '../process/read-only-database.ts';

/** The audit log in a backup. */
export const auditFile = 'audit.sqlite';

/** Which log lies in a file, and how long it is. */
export interface KeptLog {
  readonly origin: string;
  readonly size: number;
}

/**
 * Look at the log in a file; `undefined` where there is none.
 *
 * @throws StartError when it is newer than this code
 */
export function readKeptLog(path: string): KeptLog | undefined {
  const identity = existsSync(path) ? readIdentity(path) : undefined;
  if (identity === undefined) return undefined;
  const database = openReadOnly(path);
  try {
    const row = database.prepare('SELECT count(*) AS size FROM entry').get();
    return { origin: identity.origin, size: Number(row?.['size']) };
  } finally {
    database.close();
  }
}
