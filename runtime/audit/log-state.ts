import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { isObject } from '#contract/json';
import { rangeRoot, rightEdge } from './merkle.ts';
import { TileNodes } from './tile-nodes.ts';
import {
  leafHash,
  openCheckpoint,
  parseCanonical,
  parseCheckpoint,
  parseVerifierKey,
  TreeEdge,
} from './verify.ts';

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

/** Read the end of the log and check it: head, right edge, last entries, newest checkpoint. */
export function readState(database: DatabaseSync, vkey: string): LogState {
  const head = readHead(database);
  const last = checkLastEntries(database, head.size);
  const nodes = new TileNodes(database);
  const edge = new TreeEdge();
  edge.size = head.size;
  edge.stack.push(...withReason(() => rightEdge(nodes, head.size)));
  const root = Buffer.from(edge.root()).toString('base64');
  if (root !== head.root || last.hash !== head.hash) {
    throw new DamagedLog(
      `the audit log ends at entry ${head.size - 1} in another way than was noted`,
    );
  }
  const signedSize = checkNewestCheckpoint(database, nodes, { size: head.size, vkey });
  return { edge, prevHash: last.hash, lastTime: last.time, signedSize };
}

/** Compare with checkpoints from outside: a larger one, or one of another tree, means a rollback. */
export function checkAgainst(
  outside: readonly string[],
  database: DatabaseSync,
  vkey: string,
): void {
  const { size } = readHead(database);
  const nodes = new TileNodes(database);
  for (const note of outside) {
    const named = parseCheckpoint(note);
    if (named === undefined)
      throw new RolledBack('an anchor holds something that is not a checkpoint');
    const checkpoint = openCheckpoint(note, parseVerifierKey(vkey));
    if (checkpoint === undefined) {
      throw new RolledBack(
        `an anchor knows ${named.origin} with ${named.size} entries under another key`,
      );
    }
    if (checkpoint.size > size) {
      throw new RolledBack(
        `the log has ${size} entries, an anchor knows ${checkpoint.size} of them`,
      );
    }
    if (
      checkpoint.size > 0 &&
      Buffer.compare(rangeRoot(nodes, 0, checkpoint.size), checkpoint.root) !== 0
    ) {
      throw new RolledBack(
        `the first ${checkpoint.size} entries are not those that an anchor knows`,
      );
    }
  }
}

interface Head {
  readonly size: number;
  readonly hash: string;
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

const emptyHead: Head = {
  size: 0,
  hash: '0'.repeat(64),
  root: hash('sha256', '', 'base64'),
};

function checkLastEntries(database: DatabaseSync, size: number): { hash: string; time: number } {
  const start = Math.max(0, size - recomputed);
  let expected = start;
  let last = { hash: emptyHead.hash, time: 0 };
  const rows = database.prepare(
    'SELECT seq, CAST(bytes AS TEXT) AS text, hash, leaf FROM entry WHERE seq >= ? ORDER BY seq',
  );
  for (const row of rows.iterate(start)) {
    const text = String(row['text']);
    const entry = parseCanonical(text);
    const found = hash('sha256', text, 'hex');
    const chained = (expected === start && start > 0) || entry?.['prev_hash'] === last.hash;
    const sound = row['seq'] === expected && entry?.['seq'] === expected && chained;
    if (
      !sound ||
      !same(row['hash'], Buffer.from(found, 'hex')) ||
      !same(row['leaf'], leafHash(text))
    ) {
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
  database: DatabaseSync,
  nodes: TileNodes,
  { size, vkey }: { size: number; vkey: string },
): number {
  const row = database.prepare('SELECT note FROM checkpoint ORDER BY size DESC LIMIT 1').get();
  if (row === undefined) return -1;
  const checkpoint = openCheckpoint(String(row['note']), parseVerifierKey(vkey));
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
