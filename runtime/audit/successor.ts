import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditLog } from '#contract/audit';
import { StartError } from '../start-error.ts';
import type { Anchor } from './anchor.ts';
import { type AuditLogOptions, openAuditLog } from './audit-log.ts';
import { lockDirectory } from './directory-lock.ts';
import { databasePath } from './log-folder.ts';
import type { Predecessor } from './own-events.ts';
import { openForReading, readIdentity } from './schema.ts';
import { parseCheckpoint } from './verify.ts';

const deadlineMs = 10_000;

/**
 * Leave the log of a directory or a database as it is, and open a successor with an origin of its own,
 * whose first entries name the old head and why it was left: for a log that was rolled back or
 * damaged. In a directory the old one goes aside under a number; in a database it stays where it is,
 * and replicas that write it stop.
 */
export async function openSuccessorLog(
  options: AuditLogOptions,
  reason: string,
): Promise<AuditLog> {
  const { databaseUrl } = options;
  const succeed = databaseUrl === undefined ? succeedInFolder : succeedInDatabase;
  const predecessor = await succeed(options);
  const log = await openAuditLog({ ...options, origin: predecessor.successor }, predecessor);
  await log.append({
    category: 'system',
    action: 'AUDIT_ROLLBACK_DETECTED',
    actor: { type: 'system', id: 'audit' },
    tenant: null,
    subject: predecessor.origin,
    outcome: 'ok',
    correlation_id: null,
    summary: `${predecessor.origin} is continued here`,
    payload: { reason },
  });
  await log.anchorNow();
  return log;
}

/** An old log, and the origin of the one that continues it. */
interface Succession extends Predecessor {
  readonly successor: string;
}

async function succeedInFolder({ directory, origin, anchors }: AuditLogOptions) {
  const unlock = lockDirectory(directory);
  try {
    const succession = await nameSuccessor(readFolder(directory, origin), anchors);
    setAside(directory);
    return succession;
  } finally {
    unlock();
  }
}

async function succeedInDatabase({ databaseUrl = '', ...options }: AuditLogOptions) {
  const { addSuccessor, readNewest } = await import('./postgres/succeed.ts');
  const newest = await readNewest(databaseUrl);
  const old = newest ?? { origin: options.origin, size: 0, root: '' };
  const succession = await nameSuccessor(old, options.anchors);
  const place = { origin: succession.successor, previous: newest?.id };
  await addSuccessor(databaseUrl, options, place);
  return succession;
}

type OldHead = Pick<Predecessor, 'origin' | 'size' | 'root'>;

/** The old head, as far as the database can still be read. */
function readFolder(directory: string, origin: string): OldHead {
  const path = databasePath(directory);
  let found = { origin, size: 0, root: '' };
  try {
    found = { ...found, origin: readIdentity(path)?.origin ?? origin };
    const database = openForReading(path);
    const head = database.prepare("SELECT value FROM meta WHERE name = 'head'").get()?.['value'];
    database.close();
    const { size, root } = JSON.parse(String(head));
    found = { ...found, size: Number(size), root: String(root) };
  } catch {
    // Then the anchor's memory is all there is.
  }
  return found;
}

async function nameSuccessor(
  { origin, size, root }: OldHead,
  anchors: readonly Anchor[],
): Promise<Succession> {
  const notes = await Promise.all(anchors.map((anchor) => newestAt(anchor, origin)));
  const known = notes.flatMap((note) => parseCheckpoint(note ?? '') ?? []);
  const newest = known.sort((a, b) => b.size - a.size)[0];
  const successor = await freeOrigin(origin, anchors);
  return { origin, size, root, anchored: newest?.note ?? null, successor };
}

/** The origin with the next counter that no anchor has heard of: host/audit, host/audit/2, ... */
async function freeOrigin(old: string, anchors: readonly Anchor[]): Promise<string> {
  const [, base = old, count = '1'] = /^(.*?)(?:\/(\d+))?$/.exec(old) ?? [];
  for (let next = Number(count) + 1; ; next++) {
    const origin = `${base}/${next}`;
    const known = await Promise.all(anchors.map((anchor) => newestAt(anchor, origin)));
    if (known.every((note) => note === undefined)) return origin;
  }
}

/** An anchor that cannot be asked must not let an origin pass for free: its failure ends the attempt. */
async function newestAt(anchor: Anchor, origin: string): Promise<string | undefined> {
  try {
    return await anchor.newest(origin, AbortSignal.timeout(deadlineMs));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `${anchor.target} cannot be asked what it knows: ${reason}; wait until it can, or take it out of the configuration`,
      { cause: error },
    );
  }
}

function setAside(directory: string): void {
  const path = databasePath(directory);
  let aside = '';
  for (let count = 1; aside === '' || existsSync(aside); count++) {
    aside = join(directory, `audit.${count}.sqlite`);
  }
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
}
