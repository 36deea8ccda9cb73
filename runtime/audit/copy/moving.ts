import { existsSync } from 'node:fs';
import { StartError } from '../../process/start-error.ts';
import { movedNote } from '../keys/log-identity.ts';
import { databaseName, refuseSecondMove } from '../log/moved-log.ts';
import { connected } from '../postgres/connection.ts';
import { newestLog } from '../postgres/logs.ts';
import { isCurrent } from '../postgres/schema.ts';
import { openForWriting, readIdentity } from '../sqlite/schema.ts';
import type { CopiedLog } from './copy-log.ts';
import { copyAuditLog, type LogLocation } from './index.ts';

/**
 * Copy the log into a PostgreSQL database that has none, and note in the old place where it went:
 * right before the new place is committed, so that there are never two logs that grow. After an
 * interruption in between, the same copy is made once more.
 *
 * @throws StartError when it was moved elsewhere before, or somebody writes it meanwhile
 */
export async function moveAuditLog(
  from: LogLocation,
  url: string,
  also: () => Promise<void>,
): Promise<CopiedLog | undefined> {
  const target = databaseName(url);
  const source = 'url' in from ? await inDatabase(from.url, target) : inFile(from.file, target);
  try {
    return await copyAuditLog(from, { url }, async (log) => {
      await also();
      if (log !== undefined) await source?.noteMoved(log);
    });
  } finally {
    source?.close();
  }
}

interface Source {
  noteMoved(log: CopiedLog): Promise<void>;
  close(): void;
}

function inFile(path: string, target: string): Source | undefined {
  const identity = existsSync(path) ? readIdentity(path) : undefined;
  if (identity === undefined) return undefined;
  refuseSecondMove(identity, target);
  // Before it is read, because only then it may become one with a write-ahead log.
  const database = openForWriting(path, identity);
  return {
    async noteMoved() {
      database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(movedNote, target);
    },
    close: () => database.close(),
  };
}

async function inDatabase(url: string, target: string): Promise<Source | undefined> {
  const log = await connected(url, async (connection) =>
    (await isCurrent(connection)) ? newestLog(connection) : undefined,
  );
  if (log === undefined) return undefined;
  refuseSecondMove(log.identity, target);
  return {
    noteMoved: ({ size }) => noteInDatabase(url, { log: log.id, target, size }),
    close: () => undefined,
  };
}

async function noteInDatabase(
  url: string,
  { log, target, size }: { log: number; target: string; size: number },
): Promise<void> {
  // One statement. Replicas that still write hear of it as of a successor.
  const noted = await connected(url, (connection) =>
    connection.query(
      `with head as (
         update audit_head set successor = $2 where log = $1 and size = $3 returning log)
       insert into audit_meta (log, name, value) select log, '${movedNote}', $2 from head
       on conflict (log, name) do update set value = excluded.value returning log`,
      [log, target, size],
    ),
  );
  if (noted.length > 0) return;
  throw new StartError(
    'a server writes the audit log while it is copied: stop it first; nothing is copied',
  );
}
