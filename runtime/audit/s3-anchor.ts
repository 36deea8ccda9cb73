import type { AuditCheckpoint } from '#contract/audit';
import type { Anchor, AnchoredLog } from './anchor.ts';
import { newTiles, readTile } from './log-tiles.ts';
import { verifyConsistency } from './merkle.ts';
import { checkpointKey, newestCheckpoint } from './newest-checkpoint.ts';
import { createS3Sender, type S3Bucket } from './s3-client.ts';
import { LockedObjects } from './s3-objects.ts';
import { parseCheckpoint, type TreeHead } from './verify.ts';

const hourMs = 3_600_000;
/** Bundles hold up to 16 MiB each. */
const atOnce = 4;

export interface S3AnchorOptions extends S3Bucket {
  readonly retainDays: number;
  readonly everyMs?: number;
}

/**
 * Keeps a copy of the log in an S3-compatible bucket, an hour old at most, which can be verified on
 * its own: bundles of entries and tiles under their tlog-tiles paths, then the checkpoint, every
 * object locked in compliance mode. The checkpoint comes last, so that what is under the newest one
 * is complete, and the next upload begins there.
 */
export function createS3Anchor(options: S3AnchorOptions): Anchor {
  const send = createS3Sender(options);
  const objects = new LockedObjects(send, options.retainDays);
  /** What this process knows to be there: its last upload, unless that failed. */
  let kept: { readonly origin: string; readonly head: TreeHead } | undefined;

  async function put(checkpoint: AuditCheckpoint, log: AnchoredLog, signal: AbortSignal) {
    const folder = folderOf(log.origin);
    const known = kept?.origin === log.origin ? kept.head : undefined;
    kept = undefined;
    const head = known ?? headOf(await newestCheckpoint(send, folder, signal), folder);
    await requireSameLog(head, treeHead(checkpoint), log);
    // Another server that writes the same log was faster.
    if (head.size > checkpoint.size) return checkpointKey(folder, head.size);
    await eachOf(newTiles(head.size, checkpoint.size), async (tile) => {
      const key = `${folder}tile/${tile.path}`;
      const bytes = await readTile(log, tile);
      const object = { key, type: 'application/octet-stream', bytes };
      // What an upload that was broken off has left there need not travel again.
      if (known === undefined && (await objects.has(object, signal))) return;
      await objects.put(object, signal);
    });
    const key = checkpointKey(folder, checkpoint.size);
    const bytes = Buffer.from(checkpoint.note);
    await objects.put({ key, type: 'text/plain; charset=utf-8', bytes }, signal);
    await objects.requireLock(key, signal);
    kept = { origin: log.origin, head: treeHead(checkpoint) };
    return key;
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

function headOf(note: string | undefined, folder: string): TreeHead {
  if (note === undefined) return { size: 0, root: Buffer.alloc(0) };
  const checkpoint = parseCheckpoint(note);
  if (checkpoint !== undefined) return checkpoint;
  throw new Error(`the newest checkpoint under ${folder} is none`);
}

function treeHead({ size, root }: AuditCheckpoint): TreeHead {
  return { size, root: Buffer.from(root, 'base64') };
}

/** The smaller tree has to be the beginning of the larger one: else the bucket has another log. */
async function requireSameLog(known: TreeHead, ours: TreeHead, log: AnchoredLog): Promise<void> {
  if (known.size === 0) return;
  const [from, to] = known.size > ours.size ? [ours, known] : [known, ours];
  const proof = await log.consistency(from.size, to.size);
  if (proof === undefined) {
    throw new Error(`the bucket knows ${to.size} entries, more than this log has`);
  }
  const hashes = proof.map((line) => Buffer.from(line, 'base64'));
  if (verifyConsistency(from, to, hashes)) return;
  throw new Error(`the ${known.size} entries that the bucket knows are not those of this log`);
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
