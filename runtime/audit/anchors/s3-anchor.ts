import type { AuditCheckpoint } from '#contract/house/audit';
import { newTiles, readTile } from '../tree/log-tiles.ts';
import type { Anchor, AnchoredLog } from './anchor.ts';
import { type HandoverCheckpoint, readHandovers } from './handovers.ts';
import { checkpointKey, newestCheckpoint } from './newest-checkpoint.ts';
import { createS3Sender, type S3Bucket } from './s3-client.ts';
import { type LockedObject, LockedObjects } from './s3-objects.ts';
import { requireSameLog } from './same-log.ts';

const hourMs = 3_600_000;
/** Bundles hold up to 16 MiB each. */
const atOnce = 4;

export interface S3AnchorOptions extends S3Bucket {
  readonly retainDays: number;
  readonly everyMs?: number;
}

/** The newest checkpoint of a log that is there. */
interface Kept {
  readonly origin: string;
  readonly note: string;
}

interface Upload {
  readonly log: AnchoredLog;
  readonly signal: AbortSignal;
  readonly mayBeThere: boolean;
}

/**
 * Keeps a copy of the log in an S3-compatible bucket, an hour old at most, which can be verified on
 * its own: bundles of entries and tiles under their tlog-tiles paths, checkpoints by which an old key
 * has confirmed a new one, then the checkpoint, every object locked in compliance mode. The checkpoint
 * comes last, so that what is under the newest one is complete, and the next upload begins there.
 */
export function createS3Anchor(options: S3AnchorOptions): Anchor {
  const send = createS3Sender(options);
  const objects = new LockedObjects(send, options.retainDays);
  /** What this process knows to be there: its last upload, unless that failed. */
  let kept: Kept | undefined;

  async function put(checkpoint: AuditCheckpoint, log: AnchoredLog, signal: AbortSignal) {
    const folder = folderOf(log.origin);
    const before = kept?.origin === log.origin ? kept : undefined;
    kept = undefined;
    const note = before?.note ?? (await newestCheckpoint(send, folder, signal));
    const size = await requireSameLog({ place: 'the bucket', note }, checkpoint, log);
    const isNew = size < checkpoint.size;
    if (isNew) await upload(size, checkpoint, { log, signal, mayBeThere: before === undefined });
    const key = checkpointKey(folder, Math.max(size, checkpoint.size));
    await objects.requireLock(key, signal);
    kept = { origin: log.origin, note: isNew || note === undefined ? checkpoint.note : note };
    return isNew ? key : undefined;
  }

  async function upload(
    size: number,
    checkpoint: AuditCheckpoint,
    { log, signal, mayBeThere }: Upload,
  ) {
    const folder = folderOf(log.origin);
    await eachOf(newTiles(size, checkpoint.size), async (tile) => {
      const bytes = await readTile(log, tile);
      const object = { key: `${folder}tile/${tile.path}`, type: 'application/octet-stream', bytes };
      // What an upload that was broken off has left there need not travel again.
      if (mayBeThere && (await objects.has(object, signal))) return;
      await objects.put(object, signal);
    });
    for (const handover of await readHandovers(log, size, checkpoint.size)) {
      await objects.put(checkpointObject(folder, handover), signal);
    }
    await objects.put(checkpointObject(folder, checkpoint), signal);
  }

  return {
    target: `s3:${new URL(options.endpoint).host}/${options.bucket}`,
    everyMs: options.everyMs ?? hourMs,
    // What was uploaded stays: the next attempt goes on.
    deadlineMs: hourMs,
    newest: (origin, signal) => newestCheckpoint(send, folderOf(origin), signal),
    put,
  };
}

/** One level of folders for each log: the origin of a successor begins with that of the old one. */
function folderOf(origin: string): string {
  return `${encodeURIComponent(origin)}/`;
}

function checkpointObject(folder: string, { size, note }: HandoverCheckpoint): LockedObject {
  const key = checkpointKey(folder, size);
  return { key, type: 'text/plain; charset=utf-8', bytes: Buffer.from(note) };
}

/** Work on several items at once; after a failure none is begun any more. */
async function eachOf<T>(items: Generator<T>, work: (item: T) => Promise<void>): Promise<void> {
  const worker = async () => {
    // A loop that ends by an error ends the generator for the others too.
    for (const item of items) await work(item);
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
