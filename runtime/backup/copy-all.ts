import { existsSync } from 'node:fs';
import { ServiceError } from '#contract/errors';
import type { CopiedLog } from '../audit/copy/copy-log.ts';
import type { LogLocation } from '../audit/copy/index.ts';
import { moveAuditLog } from '../audit/copy/moving.ts';
import { databasePath } from '../audit/log/database-path.ts';
import { lockDirectory } from '../audit/log/directory-lock.ts';
import { reasonOf } from '../audit/postgres/connection.ts';
import { StartError } from '../process/start-error.ts';
import { copyBetween, type TableDigest } from '../store/copy.ts';
import type { StoreOptions } from '../store/index.ts';

/** What has arrived in the other database. */
export interface CopiedState {
  readonly tables: readonly TableDigest[];
  readonly log: CopiedLog | undefined;
}

/**
 * Move everything into an empty PostgreSQL database: the audit log with all of its proofs, then the
 * store. When the store does not arrive, the log does not stay either. No server runs meanwhile;
 * afterwards, none can write the log in its old place.
 *
 * @throws StartError
 */
export async function copyAll(from: StoreOptions, databaseUrl: string): Promise<CopiedState> {
  const unlock = existsSync(from.dataDir) ? lockDirectory(from.dataDir) : undefined;
  try {
    let tables: readonly TableDigest[] = [];
    const log = await moveAuditLog(logLocation(from), databaseUrl, async () => {
      tables = await copyBetween(from, { ...from, databaseUrl });
    });
    return { tables, log };
  } catch (error) {
    throw explained(error);
  } finally {
    unlock?.();
  }
}

/** What PostgreSQL refuses, or the network on the way to it, is the operator's to put right. */
function explained(error: unknown): unknown {
  const { code } = error as { readonly code?: unknown };
  if (!(error instanceof Error) || typeof code !== 'string') return error;
  if (error instanceof ServiceError) return error;
  return new StartError(`nothing is copied: ${reasonOf(error)}`, { cause: error });
}

/** Where the log of a server lies. */
export function logLocation({ dataDir, databaseUrl }: StoreOptions): LogLocation {
  return databaseUrl === undefined ? { file: databasePath(dataDir) } : { url: databaseUrl };
}
