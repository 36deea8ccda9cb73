import { existsSync } from 'node:fs';
import { type CopiedLog, copyLog } from './copy-log.ts';
import type { LogSink, LogTables } from './log-tables.ts';
import { fromDatabase, intoDatabase } from './postgres-tables.ts';
import { fromFile, intoFile } from './sqlite-tables.ts';

/** A database that a log is in: a file of SQLite's, or PostgreSQL. */
export type LogLocation = { readonly file: string } | { readonly url: string };

/**
 * Copy the log of one database into another one that has none; `undefined` when there is nothing to
 * copy. Nobody else sees it before `also` is done, and when that fails, nobody ever does.
 *
 * @throws StartError when the target has a log, or something has not arrived as it was
 */
export async function copyAuditLog(
  from: LogLocation,
  to: LogLocation,
  also: (log: CopiedLog | undefined) => Promise<void> = async () => undefined,
): Promise<CopiedLog | undefined> {
  const copied = await readFrom(from, (source) =>
    writeTo(to, async (target) => {
      const log = await copyLog(source, target);
      await also(log);
      return log;
    }),
  );
  if (copied === undefined) await also(undefined);
  return copied;
}

type Work<Log> = (log: Log) => Promise<CopiedLog>;

async function readFrom(from: LogLocation, work: Work<LogTables>): Promise<CopiedLog | undefined> {
  if ('url' in from) return fromDatabase(from.url, work);
  return existsSync(from.file) ? fromFile(from.file, work) : undefined;
}

function writeTo(to: LogLocation, work: Work<LogSink>): Promise<CopiedLog> {
  return 'url' in to ? intoDatabase(to.url, work) : intoFile(to.file, work);
}
