import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditLog } from '#contract/audit';
import type { Anchor } from './anchor.ts';
import { type AuditLogOptions, openAuditLog, type Predecessor } from './audit-log.ts';
import { lockDirectory } from './directory-lock.ts';
import { databasePath } from './log-folder.ts';
import { openForReading, readIdentity } from './schema.ts';
import { parseCheckpoint } from './verify.ts';

const deadlineMs = 10_000;

/**
 * Set the log of a directory aside, under the name of its day, and open a successor with an origin of
 * its own, whose first entries name the old head and why it was left: for a log that was rolled back
 * or damaged. Nothing of the old log is changed or deleted.
 */
export async function openSuccessorLog(
  options: AuditLogOptions,
  reason: string,
): Promise<AuditLog> {
  const unlock = lockDirectory(options.directory);
  let predecessor: Predecessor;
  try {
    predecessor = await readPredecessor(options);
    setAside(options.directory);
  } finally {
    unlock();
  }
  const origin = await freeOrigin(predecessor.origin, options.anchors);
  const log = await openAuditLog({ ...options, origin }, predecessor);
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

/** The old head, as far as the database can still be read. */
async function readPredecessor({
  directory,
  origin,
  anchors,
}: AuditLogOptions): Promise<Predecessor> {
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
  const notes = await Promise.all(anchors.map((anchor) => newestAt(anchor, found.origin)));
  const known = notes.flatMap((note) => parseCheckpoint(note ?? '') ?? []);
  const newest = known.sort((a, b) => b.size - a.size)[0];
  return { ...found, anchored: newest?.note ?? null };
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
function newestAt(anchor: Anchor, origin: string): Promise<string | undefined> {
  return anchor.newest(origin, AbortSignal.timeout(deadlineMs));
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
