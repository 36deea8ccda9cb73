import { ServiceError } from '#contract/errors';

/** What SQLite's primary result codes mean to an operator; the others are bugs of ours. */
const sqliteFailures: Readonly<Record<number, string>> = {
  5: 'the database is locked by another process',
  8: 'the database cannot be written: the files or the folder are read-only',
  10: 'the disk reports an error',
  11: 'the database is damaged; see `agent-tool-server store check`, or restore a backup',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
  26: 'the file is not a database; restore a backup',
};

const systemFailures: Readonly<Record<string, string>> = {
  EACCES: 'this process may not write there',
  EPERM: 'this process may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'there is a file in the place of the folder',
};

/**
 * SQLSTATE classes in which the server, and not the statement, is at fault: connection, login,
 * database name, resources, operator, system, damaged data.
 */
const postgresClasses = /^(08|28|3D|53|57P|58|XX00[12]|25006)/;

/** The properties by which node:sqlite, pg and Node.js itself tell their errors apart. */
interface DriverError extends Error {
  readonly code?: string;
  readonly errcode?: number;
}

/** What PostgreSQL says of U+0000, which its texts cannot hold. */
const unstorable: ReadonlySet<unknown> = new Set(['22021', '22P05']);

/**
 * Turn a failure of the database into a 503, and a text that it cannot hold into a 400; what a
 * statement did wrong stays as it is.
 */
export function explainFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError) return error;
  if (unstorable.has((error as DriverError).code)) {
    const message = 'a text holds the character U+0000, which cannot be kept here nor looked for';
    return new ServiceError('invalid_text', 400, message, { cause: error });
  }
  const reason = reasonOf(error);
  return reason === undefined ? error : storeUnavailable(reason, error);
}

/** The store cannot do its work now. */
export function storeUnavailable(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('store_unavailable', 503, `the store does not work now: ${reason}`, {
    detail: { reason },
    retryAfterMs: 5000,
    cause,
  });
}

function reasonOf({ code, errcode, message }: DriverError): string | undefined {
  if (errcode !== undefined) return sqliteFailures[errcode & 0xff];
  if (code === undefined) return /connect|terminated/i.test(message) ? unreachable : undefined;
  if (code === '3D000') return 'the database of that name does not exist (3D000)';
  if (postgresClasses.test(code)) return `PostgreSQL refuses to work (${code})`;
  return systemFailures[code] ?? (/^E[A-Z]+$/.test(code) ? `${unreachable} (${code})` : undefined);
}

const unreachable = 'the database cannot be reached';

/** Whether PostgreSQL gave a transaction up so that another one could go on. */
export function isConflict(error: unknown): boolean {
  const { code } = error as DriverError;
  return code === '40001' || code === '40P01';
}
