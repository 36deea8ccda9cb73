import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../process/start-error.ts';

/**
 * Claim the folder of a log for this process. The claim is SQLite's lock on an empty database: the
 * kernel gives it back when the process dies, however it dies.
 *
 * @throws StartError when another process holds it
 */
export function lockDirectory(directory: string): () => void {
  const lock = new DatabaseSync(join(directory, 'audit.lock'));
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!(error instanceof Error) || !/locked/.test(error.message)) throw error;
    throw new StartError(
      `another process writes the audit log in ${directory}: stop it, or give this one a data directory of its own`,
      { cause: error },
    );
  }
  return () => lock.close();
}
