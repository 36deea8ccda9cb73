import { parseCheckpoint } from '../verify/verify.ts';
import type { S3Send } from './s3-client.ts';
import { type ListMarker, listVersions } from './s3-objects.ts';

/** A page holds a thousand keys; with as many steps, 2^53 sizes are searched. */
const mostSteps = 128;
const mostBytes = 65_536;

/** The key of a checkpoint: in ascending order, the last one belongs to the largest tree. */
export function checkpointKey(folder: string, size: number): string {
  return `${folder}checkpoints/${String(size).padStart(20, '0')}`;
}

/**
 * Read the checkpoint of the largest tree in a folder of a bucket: its first version, which nobody
 * can change, whatever was written over it or hides it since.
 */
export async function newestCheckpoint(
  send: S3Send,
  folder: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const size = await largestSize(send, folder, signal);
  if (size === undefined) return undefined;
  const key = checkpointKey(folder, size);
  const versionId = await firstVersion(send, key, signal);
  const wanted = { method: 'GET' as const, key, query: { versionId }, mostBytes };
  const note = (await send(wanted, signal)).bytes.toString('utf8');
  if (parseCheckpoint(note)?.size === size) return note;
  // A smaller one under this key would pass for an older state: no verifier accepts this text.
  return `${key} is not a checkpoint of ${size} entries`;
}

/** Search the largest size by its key: the pages before it need not be read. */
async function largestSize(
  send: S3Send,
  folder: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  let largest = -1;
  let end = Number.MAX_SAFE_INTEGER;
  let start = 0;
  for (let step = 0; step < mostSteps; step++) {
    const { size, more } = await lastOfPage(send, folder, start, signal);
    if (size === undefined) end = start;
    else if (!more) return size;
    else largest = size;
    if (largest + 1 >= end) return largest < 0 ? undefined : largest;
    // Not the middle between nothing and everything: most logs are small.
    start = largest + 1 + Math.min(largest + 1, Math.floor((end - largest - 1) / 2));
  }
  throw new Error(`the checkpoints under ${folder} have no end`);
}

/** The last size in the first page that has any, from `start` on. */
async function lastOfPage(send: S3Send, folder: string, start: number, signal: AbortSignal) {
  const prefix = `${folder}checkpoints/`;
  let after: ListMarker | undefined =
    start === 0 ? undefined : { key: checkpointKey(folder, start - 1) };
  for (let page = 0; page < mostSteps; page++) {
    const { versions, next } = await listVersions(send, prefix, after, signal);
    const sizes = versions.flatMap(({ key }) => sizeIn(key.slice(prefix.length)) ?? []);
    const size = sizes.findLast((found) => found >= start);
    if (size !== undefined || next === undefined) return { size, more: next !== undefined };
    after = next;
  }
  throw new Error(`there is too much under ${prefix} that is no checkpoint`);
}

function sizeIn(name: string): number | undefined {
  const size = /^\d{20}$/.test(name) ? Number(name) : Number.NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** Versions are listed with the newest first. */
async function firstVersion(send: S3Send, key: string, signal: AbortSignal): Promise<string> {
  let first: string | undefined;
  let after: ListMarker | undefined;
  for (let page = 0; page < mostSteps; page++) {
    const { versions, next } = await listVersions(send, key, after, signal);
    first = versions.findLast((version) => version.key === key)?.versionId ?? first;
    if (next === undefined) break;
    after = next;
  }
  if (first !== undefined) return first;
  throw new Error(`the bucket had ${key} and has lost it`);
}
