import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { isObject } from '#contract/json';
import { UnreadableAnchor } from '../anchors/anchor.ts';
import type { KeptNote } from '../anchors/outside.ts';
import { rangeRoot, rightEdge, type TreeNodes } from '../tree/merkle.ts';
import { TileNodes } from '../tree/tile-nodes.ts';
import {
  leafHash,
  openCheckpoint,
  parseCanonical,
  parseCheckpoint,
  parseVerifierKey,
  parseVerifierKeys,
  TreeEdge,
} from '../verify/verify.ts';

/** How many entries are recomputed at each start; a full verification checks all. */
const recomputed = 1000;

/** Where the next entry goes. */
export interface LogState {
  readonly edge: TreeEdge;
  prevHash: string;
  /** Milliseconds since the epoch. */
  lastTime: number;
  signedSize: number;
}

/** The stored log contradicts itself. */
export class DamagedLog extends Error {}

/** A checkpoint that is kept elsewhere is not of this log: it was rolled back, or replaced. */
export class RolledBack extends Error {}

/** The end of a log as it is stored, wherever that is. */
export interface StoredEnd {
  readonly size: number;
  /** What was noted of the head with the last commit. */
  readonly head: Head;
  /** The last `recomputed` entries. */
  readonly entries: Iterable<StoredRow>;
  /** The newest checkpoint. */
  readonly note: string | undefined;
  readonly nodes: TreeNodes;
}

export interface StoredRow {
  readonly seq: unknown;
  readonly text: unknown;
  readonly hash: unknown;
  readonly leaf: unknown;
}

/** Read the end of the log and check it. */
export function readState(database: DatabaseSync, vkey: string): LogState {
  return checkEnd(readEnd(database), vkey);
}

function readEnd(database: DatabaseSync): StoredEnd {
  const head = readHead(database);
  const rows = database.prepare(
    'SELECT seq, CAST(bytes AS TEXT) AS text, hash, leaf FROM entry WHERE seq >= ? ORDER BY seq',
  );
  const newest = database.prepare('SELECT note FROM checkpoint ORDER BY size DESC LIMIT 1').get();
  return {
    size: head.size,
    head,
    // The columns that the statement names.
    entries: rows.iterate(firstRecomputed(head.size)) as Iterable<unknown> as Iterable<StoredRow>,
    note: newest === undefined ? undefined : String(newest['note']),
    nodes: new TileNodes(database),
  };
}

/** Check the end of a log: head, right edge, last entries, newest checkpoint. */
export function checkEnd({ size, head, entries, note, nodes }: StoredEnd, vkey: string): LogState {
  const last = checkLastEntries(entries, size);
  const edge = new TreeEdge();
  edge.size = size;
  edge.stack.push(...withReason(() => rightEdge(nodes, size)));
  const root = Buffer.from(edge.root()).toString('base64');
  if (root !== head.root || last.hash !== head.hash) {
    throw new DamagedLog(`the audit log ends at entry ${size - 1} in another way than was noted`);
  }
  const signedSize = note === undefined ? -1 : checkNewestCheckpoint(note, nodes, { size, vkey });
  return { edge, prevHash: last.hash, lastTime: last.time, signedSize };
}

/** The first of the entries that are recomputed at each start. */
export function firstRecomputed(size: number): number {
  return Math.max(0, size - recomputed);
}

/**
 * Compare with checkpoints from outside, signed by any of the keys: a larger one, or one of another
 * tree, means a rollback.
 */
export function checkAgainst(
  outside: readonly KeptNote[],
  { size, nodes }: Pick<StoredEnd, 'size' | 'nodes'>,
  vkeys: string,
): void {
  for (const { target, note } of outside) {
    const named = parseCheckpoint(note);
    if (named === undefined) {
      throw new UnreadableAnchor(
        `the anchor ${target} holds something that is not a checkpoint: put back what it held, or take it out of the configuration`,
      );
    }
    const checkpoint = openCheckpoint(note, ...parseVerifierKeys(vkeys));
    if (checkpoint === undefined) {
      throw new RolledBack(
        `an anchor knows ${named.origin} with ${named.size} entries under another key: ${target}`,
      );
    }
    if (checkpoint.size > size) {
      throw new RolledBack(
        `the log has ${size} entries, an anchor knows ${checkpoint.size} of them: ${target}`,
      );
    }
    if (
      checkpoint.size > 0 &&
      Buffer.compare(rangeRoot(nodes, 0, checkpoint.size), checkpoint.root) !== 0
    ) {
      throw new RolledBack(
        `the first ${checkpoint.size} entries are not those that an anchor knows: ${target}`,
      );
    }
  }
}

export interface Head {
  readonly size: number;
  /** Hash of the last entry, in hex. */
  readonly hash: string;
  /** Base64. */
  readonly root: string;
}

/** The head is noted with each commit, so that a lost tail is seen without a checkpoint. */
function readHead(database: DatabaseSync): Head {
  const count = database.prepare('SELECT max(seq) + 1 AS size FROM entry').get();
  const size = Number(count?.['size'] ?? 0);
  const noted = database.prepare("SELECT value FROM meta WHERE name = 'head'").get()?.['value'];
  const head: unknown = typeof noted === 'string' ? JSON.parse(noted) : emptyHead;
  if (!isObject(head) || head['size'] !== size) {
    throw new DamagedLog(`the audit log has ${size} entries, other than was noted`);
  }
  return { size, hash: String(head['hash']), root: String(head['root']) };
}

export const emptyHead: Head = {
  size: 0,
  hash: '0'.repeat(64),
  root: hash('sha256', '', 'base64'),
};

function checkLastEntries(rows: Iterable<StoredRow>, size: number): { hash: string; time: number } {
  const start = firstRecomputed(size);
  let expected = start;
  let last = { hash: emptyHead.hash, time: 0 };
  for (const row of rows) {
    const text = String(row.text);
    const entry = parseCanonical(text);
    const found = hash('sha256', text, 'hex');
    const chained = (expected === start && start > 0) || entry?.['prev_hash'] === last.hash;
    const sound = row.seq === expected && entry?.['seq'] === expected && chained;
    if (!sound || !same(row.hash, Buffer.from(found, 'hex')) || !same(row.leaf, leafHash(text))) {
      throw new DamagedLog(
        `entry ${expected} of the audit log is damaged: run a full verification`,
      );
    }
    last = { hash: found, time: Date.parse(String(entry['ts'])) };
    expected++;
  }
  if (expected !== size) throw new DamagedLog(`entry ${expected} of the audit log is missing`);
  return last;
}

function checkNewestCheckpoint(
  note: string,
  nodes: TreeNodes,
  { size, vkey }: { size: number; vkey: string },
): number {
  const checkpoint = openCheckpoint(note, parseVerifierKey(vkey));
  if (checkpoint === undefined)
    throw new DamagedLog('the newest checkpoint of the audit log is not signed by its key');
  if (checkpoint.size > size) {
    throw new DamagedLog(`the audit log has ${size} entries, but ${checkpoint.size} were signed`);
  }
  const root =
    checkpoint.size === 0
      ? new TreeEdge().root()
      : withReason(() => rangeRoot(nodes, 0, checkpoint.size));
  if (!same(root, checkpoint.root)) {
    throw new DamagedLog(
      `the first ${checkpoint.size} entries of the audit log are not those that were signed`,
    );
  }
  return checkpoint.size;
}

function withReason<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new DamagedLog('the tree of the audit log is incomplete', { cause: error });
  }
}

function same(a: unknown, b: Uint8Array): boolean {
  return a instanceof Uint8Array && Buffer.compare(a, b) === 0;
}
