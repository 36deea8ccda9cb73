import { existsSync } from 'node:fs';
import type { AuditLog } from '#contract/house/audit';
import { StartError } from '../../process/start-error.ts';
import type { Anchor } from '../anchors/anchor.ts';
import { type AuditLogOptions, openAuditLog } from '../engine/audit-log.ts';
import { databasePath } from '../log/database-path.ts';
import { lockDirectory } from '../log/directory-lock.ts';
import { refuseMoved } from '../log/moved-log.ts';
import type { Predecessor } from '../log/own-events.ts';
import { openForReading, readIdentity } from '../sqlite/schema.ts';
import { completeSuccession, forgetUnfinished, putSuccessor } from '../sqlite/succession-files.ts';
import { parseCheckpoint } from '../verify/verify.ts';

const deadlineMs = 10_000;

/**
 * Leave the log of a directory or a database as it is, and open a successor with an origin of its own,
 * whose first entries name the old head and why it was left: for a log that was rolled back or
 * damaged. In a directory the old one goes aside under a number once the new one is whole; in a
 * database it stays where it is, and replicas that write it stop.
 *
 * @throws StartError when there is nothing to continue, or the log is sound
 */
export async function openSuccessorLog(
  options: AuditLogOptions,
  reason: string,
): Promise<AuditLog> {
  const { databaseUrl } = options;
  const succeed = databaseUrl === undefined ? succeedInFolder : succeedInDatabase;
  const log = await succeed(options, reason);
  await log.anchorNow();
  return log;
}

/** An old log, and the origin of the one that continues it. */
interface Succession extends Predecessor {
  readonly successor: string;
}

async function succeedInFolder(options: AuditLogOptions, reason: string): Promise<AuditLog> {
  const { directory, origin } = options;
  if (!existsSync(directory)) throw new StartError(`there is no folder ${directory}`);
  const unlock = lockDirectory(directory);
  let [old, exists]: [OldHead, boolean] = [{ origin, size: 0, root: '' }, false];
  try {
    completeSuccession(directory);
    forgetUnfinished(directory);
    exists = existsSync(databasePath(directory));
    if (exists) old = readFolder(directory, origin);
  } finally {
    unlock();
  }
  const succession = await nameSuccessor(old, exists, options);
  if (exists) await refuseSound(options);
  // No anchor hears of it before it is in its place.
  const made = await openNamed({ ...options, anchors: [] }, succession, reason);
  await made.close();
  putSuccessor(directory);
  return openAuditLog(options);
}

async function succeedInDatabase(options: AuditLogOptions, reason: string): Promise<AuditLog> {
  const { databaseUrl = '', origin } = options;
  const { addSuccessor, readNewest } = await import('../postgres/succeed.ts');
  const newest = await readNewest(databaseUrl);
  const old = newest ?? { origin, size: 0, root: '' };
  const succession = await nameSuccessor(old, newest !== undefined, options);
  if (newest !== undefined) await refuseSound(options);
  const place = { origin: succession.successor, previous: newest?.id };
  await addSuccessor(databaseUrl, options, place);
  return openNamed(options, succession, reason);
}

/** Open the log as a server would: one that takes entries is not to be left for a mistake. */
async function refuseSound(options: AuditLogOptions): Promise<void> {
  const log = await openUnlessDamaged({ ...options, report: () => undefined });
  if (log === undefined) return;
  const { state } = log.status();
  await log.close();
  if (state !== 'open') return;
  throw new StartError(
    `the audit log ${log.origin} is sound and goes on: only one that was rolled back or damaged is continued by a successor`,
  );
}

async function openUnlessDamaged(options: AuditLogOptions): Promise<AuditLog | undefined> {
  try {
    return await openAuditLog(options);
  } catch (error) {
    // What SQLite or the file system says of a damaged file; what we refuse has no cause.
    if (error instanceof StartError && error.cause === undefined) throw error;
    if (error instanceof StartError) return undefined;
    throw error;
  }
}

/** Open a new log whose first entries say what it continues, and why. */
async function openNamed(
  options: AuditLogOptions,
  predecessor: Succession,
  reason: string,
): Promise<AuditLog> {
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
  return log;
}

type OldHead = Pick<Predecessor, 'origin' | 'size' | 'root'>;

/** The old head, as far as the database can still be read. */
function readFolder(directory: string, origin: string): OldHead {
  const path = databasePath(directory);
  let found = { origin, size: 0, root: '' };
  try {
    const identity = readIdentity(path);
    if (identity !== undefined) {
      refuseMoved(identity);
      found = { ...found, origin: identity.origin };
    }
    const database = openForReading(path);
    const head = database.prepare("SELECT value FROM meta WHERE name = 'head'").get()?.['value'];
    database.close();
    const { size, root } = JSON.parse(String(head));
    if (Number.isSafeInteger(size) && typeof root === 'string') found = { ...found, size, root };
  } catch (error) {
    if (error instanceof StartError) throw error;
    // Then the anchor's memory is all there is.
  }
  return found;
}

async function nameSuccessor(
  { origin, size, root }: OldHead,
  exists: boolean,
  { anchors, directory, databaseUrl }: AuditLogOptions,
): Promise<Succession> {
  const notes = await Promise.all(anchors.map((anchor) => newestAt(anchor, origin)));
  const known = notes.flatMap((note) => parseCheckpoint(note ?? '') ?? []);
  if (!exists && known.length === 0) {
    const place = databaseUrl === undefined ? directory : 'the database';
    throw new StartError(
      `there is no audit log in ${place}, and no anchor knows ${origin}: there is nothing to continue`,
    );
  }
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
