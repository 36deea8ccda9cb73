/**
 * The verifier of the audit log, on its own: all it needs is this file, Node.js and the verifier key.
 * Formats: RFC 8785 (entries), RFC 6962 (tree), C2SP signed-note, tlog-checkpoint and tlog-proof.
 * `verify-files.ts` beside it runs it on a database, an exported bundle or a .tlog-proof.
 */
import { isUtf8 } from 'node:buffer';
import { createPublicKey, hash, type KeyObject, verify as verifySignature } from 'node:crypto';

const mostIssues = 100;
const zeroHash = '0'.repeat(64);

export interface Issue {
  /** The first entry that the issue touches; for a checkpoint, its size. */
  readonly seq: number;
  readonly reason: Reason;
  readonly detail: string;
}

export type Reason =
  | 'bytes_not_canonical'
  | 'wrong_log'
  | 'seq_gap'
  | 'prev_hash_mismatch'
  | 'hash_mismatch'
  | 'clock_moved_back'
  | 'tile_mismatch'
  | 'root_mismatch'
  | 'bad_signature'
  | 'inconsistent_checkpoints'
  | 'rolled_back'
  | 'missing_tail'
  | 'unreadable';

export interface Verification {
  readonly ok: boolean;
  readonly records: number;
  readonly head_hash: string;
  readonly checkpoint: string | null;
  readonly issues: readonly Issue[];
}

/** What is kept of an entry; a bundle has the bytes alone. */
export interface StoredEntry {
  readonly seq: number;
  readonly bytes: Uint8Array;
  readonly hash?: Uint8Array;
  readonly leaf?: Uint8Array;
}

/** Where the log comes from. `tile` answers the stored hashes of a tile, where it is stored. */
export interface LogSource {
  readonly entries: Iterable<StoredEntry>;
  readonly notes: readonly string[];
  tile(level: number, index: number): Uint8Array | undefined;
}

// --- RFC 6962 section 2.1 -----------------------------------------------------------------------

const leafInput = Buffer.alloc(1 + 65_535);
const nodeInput = Buffer.alloc(65, 1);

/** Hash the bytes of an entry as a leaf of the tree. */
export function leafHash(bytes: Uint8Array): Buffer {
  if (bytes.length > 65_535) return hash('sha256', Buffer.concat([Buffer.of(0), bytes]), 'buffer');
  leafInput.set(bytes, 1);
  return hash('sha256', leafInput.subarray(0, bytes.length + 1), 'buffer');
}

/** Hash two neighbouring subtrees. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  nodeInput.set(left, 1);
  nodeInput.set(right, 33);
  return hash('sha256', nodeInput, 'buffer');
}

/** The roots of the complete subtrees along the right edge: all that appending needs to know. */
export class TreeEdge {
  size = 0;
  readonly stack: Uint8Array[] = [];

  /** Add a leaf; `complete` hears of every tile-high subtree that it completes. */
  add(leaf: Uint8Array, complete?: (level: number, index: number, root: Uint8Array) => void): void {
    let node = leaf;
    let height = 0;
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2) {
      const left = this.stack.pop();
      if (left === undefined) throw new Error('the right edge is incomplete');
      node = nodeHash(left, node);
      height++;
      if (height % 8 === 0) complete?.(height / 8, Math.floor(this.size / 2 ** height), node);
    }
    this.stack.push(node);
    this.size++;
  }

  root(): Uint8Array {
    const empty = hash('sha256', '', 'buffer');
    return (
      this.stack.reduceRight<Uint8Array | undefined>(
        (right, left) => (right === undefined ? left : nodeHash(left, right)),
        undefined,
      ) ?? empty
    );
  }
}

/** Whether `leaf` stands at `index` in the tree of `size` leaves with `root` (RFC 9162 2.1.3.2). */
export function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  tree: { readonly size: number; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (index < 0 || index >= tree.size) return false;
  let [fn, sn] = [index, tree.size - 1];
  let result = leaf;
  for (const sibling of proof) {
    if (sn === 0 || sibling.length !== 32) return false;
    if (fn % 2 === 1 || fn === sn) {
      result = nodeHash(sibling, result);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      result = nodeHash(result, sibling);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && Buffer.compare(result, tree.root) === 0;
}

/** Divide by two in whole numbers, beyond 2^31 too. */
export const half = (n: number) => Math.floor(n / 2);
const equal = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

// --- C2SP signed-note and tlog-checkpoint -------------------------------------------------------

export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

export interface Checkpoint extends TreeHead {
  readonly origin: string;
  readonly note: string;
}

export interface VerifierKey {
  readonly name: string;
  readonly id: Buffer;
  readonly key: KeyObject;
}

/** Parse `name+id+base64(0x01 || key)`. */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name = '', hexId, encoded = ''] =
    /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), bytes]), 'buffer').subarray(
    0,
    4,
  );
  if (bytes.length !== 33 || bytes[0] !== 1 || id.toString('hex') !== hexId) {
    throw new Error('expected a verifier key: name+8 hex digits+base64 of an Ed25519 key');
  }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(1).toString('base64url') };
  return { name, id, key: createPublicKey({ key: jwk, format: 'jwk' }) };
}

/** Parse the text of a checkpoint, without a look at its signatures. */
export function parseCheckpoint(note: string): Checkpoint | undefined {
  const found = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n\n(?:— [^\n]+\n)+$/.exec(note);
  const [, origin, size, root] = found ?? [];
  if (origin === undefined || size === undefined || root === undefined) return undefined;
  return { origin, size: Number(size), root: Buffer.from(root, 'base64'), note };
}

/** Whether `key` signed the note. */
export function isSignedBy(note: string, key: VerifierKey): boolean {
  const end = note.indexOf('\n\n') + 1;
  const text = Buffer.from(note.slice(0, end));
  return note
    .slice(end + 1)
    .split('\n')
    .some((line) => {
      const [dash, name, encoded = ''] = line.split(' ');
      const bytes = Buffer.from(encoded, 'base64');
      if (dash !== '—' || name !== key.name || !equal(bytes.subarray(0, 4), key.id)) return false;
      return verifySignature(null, text, key.key, bytes.subarray(4));
    });
}

/** Open a checkpoint of the log whose key is given; `undefined` when it is not signed by it. */
export function openCheckpoint(note: string, key: VerifierKey): Checkpoint | undefined {
  const checkpoint = parseCheckpoint(note);
  const own = checkpoint?.origin === key.name && isSignedBy(note, key);
  return own ? checkpoint : undefined;
}

// --- C2SP tlog-proof ----------------------------------------------------------------------------

/**
 * Check a .tlog-proof. Its `extra` line holds the leaf hash, so that the key alone is enough; with
 * `entry` (canonical bytes) that very entry has to be the proven one.
 */
export function verifyProof(text: string, vkey: string, entry?: Uint8Array): Verification {
  const end = text.indexOf('\n\n');
  const [magic, ...lines] = text.slice(0, Math.max(end, 0)).split('\n');
  const extra = lines[0]?.startsWith('extra ') ? lines.shift()?.slice(6) : undefined;
  const index = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '')?.[1];
  const leaf = entry === undefined ? Buffer.from(extra ?? '', 'base64') : leafHash(entry);
  if (magic !== 'c2sp.org/tlog-proof@v1' || index === undefined || leaf.length !== 32) {
    return failedProof(0, 'unreadable', 'expected a tlog-proof with a leaf hash as extra');
  }
  const seq = Number(index);
  const checkpoint = openCheckpoint(text.slice(end + 2), parseVerifierKey(vkey));
  if (checkpoint === undefined) return failedProof(seq, 'bad_signature', 'checkpoint of the proof');
  const proof = lines.map((line) => Buffer.from(line, 'base64'));
  if (!verifyInclusion(leaf, seq, checkpoint, proof)) {
    return failedProof(seq, 'root_mismatch', 'the hashes do not lead to the root');
  }
  return { ok: true, records: 1, head_hash: '', checkpoint: checkpoint.note, issues: [] };
}

function failedProof(seq: number, reason: Reason, detail: string): Verification {
  return {
    ok: false,
    records: 0,
    head_hash: '',
    checkpoint: null,
    issues: [{ seq, reason, detail }],
  };
}

// --- the whole log, in the order: signatures, entries, roots, outside checkpoints ---------------

/** Check a whole log. `outside` are checkpoints that were kept elsewhere: anchors, a trusted one. */
export function verifyLog(
  source: LogSource,
  vkey: string,
  outside: readonly string[] = [],
): Verification {
  const key = parseVerifierKey(vkey);
  const issues: Issue[] = [];
  const report = (seq: number, reason: Reason, detail = '') => {
    if (issues.length < mostIssues) issues.push({ seq, reason, detail });
  };
  const own = signedBy(key, source.notes, 'stored checkpoint', report);
  const foreign = signedBy(key, outside, 'anchored checkpoint', report);
  const check = new EntryCheck(key.name, source, report);
  const heads = [
    ...own.map((head) => ({ ...head, anchored: false })),
    ...foreign.map((head) => ({ ...head, anchored: true })),
  ];
  heads.sort((a, b) => a.size - b.size);
  let next = 0;
  let good = 0;
  const compare = () => {
    for (
      let head = heads[next];
      head !== undefined && head.size === check.edge.size;
      head = heads[++next]
    ) {
      if (equal(head.root, check.edge.root())) good = head.size;
      else if (head.anchored)
        report(
          good,
          'inconsistent_checkpoints',
          `an anchored checkpoint of ${head.size} entries has another root`,
        );
      else
        report(
          good,
          'root_mismatch',
          `entries ${good} to ${head.size - 1} do not lead to the signed root`,
        );
    }
  };
  try {
    compare();
    for (const entry of source.entries) {
      check.add(entry);
      compare();
    }
  } catch (error) {
    report(check.edge.size, 'unreadable', error instanceof Error ? error.message : String(error));
  }
  const records = check.edge.size;
  for (const { size, anchored } of heads.slice(next)) {
    report(
      records,
      anchored ? 'rolled_back' : 'missing_tail',
      `a signed checkpoint covers ${size} entries`,
    );
  }
  if (source.tile(0, Math.floor(records / 256)) !== undefined)
    report(records, 'missing_tail', 'a tile has more hashes');
  issues.sort((a, b) => a.seq - b.seq);
  const checkpoint = own.at(-1)?.note ?? null;
  return { ok: issues.length === 0, records, head_hash: check.previous, checkpoint, issues };
}

type Report = (seq: number, reason: Reason, detail?: string) => void;

function signedBy(key: VerifierKey, notes: readonly string[], what: string, report: Report) {
  const heads: Checkpoint[] = [];
  for (const note of notes) {
    const checkpoint = openCheckpoint(note, key);
    if (checkpoint === undefined) report(parseCheckpoint(note)?.size ?? 0, 'bad_signature', what);
    else heads.push(checkpoint);
  }
  return heads.sort((a, b) => a.size - b.size);
}

/** Checks one entry after the other, in the light of those before. */
class EntryCheck {
  readonly edge = new TreeEdge();
  previous = zeroHash;
  readonly #origin: string;
  readonly #source: LogSource;
  readonly #report: Report;
  #ts = '';
  #tile = Buffer.alloc(8192);

  constructor(origin: string, source: LogSource, report: Report) {
    this.#origin = origin;
    this.#source = source;
    this.#report = report;
  }

  add({ seq, bytes, hash: storedHash, leaf: storedLeaf }: StoredEntry): void {
    const expected = this.edge.size;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const entry = parseCanonical(buffer);
    if (entry === undefined) this.#report(expected, 'bytes_not_canonical');
    if (seq !== expected || (entry !== undefined && entry['seq'] !== expected)) {
      this.#report(expected, 'seq_gap', `found ${seq} with ${entry?.['seq']} inside`);
    }
    if (entry !== undefined) this.#compare(expected, entry);
    const found = hash('sha256', buffer, 'hex');
    if (storedHash !== undefined && Buffer.from(storedHash).toString('hex') !== found) {
      this.#report(expected, 'hash_mismatch', 'hash');
    }
    const leaf = leafHash(buffer);
    if (storedLeaf !== undefined && !equal(storedLeaf, leaf))
      this.#report(expected, 'hash_mismatch', 'leaf');
    this.#tile.set(leaf, (expected % 256) * 32);
    this.edge.add(leaf, (level, index, root) => this.#completed(level, index, root));
    this.previous = found;
  }

  #compare(seq: number, entry: Readonly<Record<string, unknown>>): void {
    const { log, prev_hash, ts } = entry;
    if (log !== this.#origin) this.#report(seq, 'wrong_log', 'origin');
    if (prev_hash !== this.previous) this.#report(seq, 'prev_hash_mismatch');
    if (typeof ts !== 'string' || ts < this.#ts) this.#report(seq, 'clock_moved_back');
    else this.#ts = ts;
  }

  /** A stored tile of level 0 has to hold the leaves, one of a higher level the roots of tiles. */
  #completed(level: number, index: number, root: Uint8Array): void {
    if (level === 1) {
      const stored = this.#source.tile(0, index);
      if (stored !== undefined && !equal(stored, this.#tile))
        this.#report(index * 256, 'tile_mismatch', `tile 0/${index}`);
    }
    const stored = this.#source.tile(level, Math.floor(index / 256))?.subarray((index % 256) * 32);
    if (stored !== undefined && !equal(stored.subarray(0, 32), root)) {
      this.#report(
        index * 256 ** level,
        'tile_mismatch',
        `tile ${level}/${Math.floor(index / 256)}`,
      );
    }
  }
}

// --- RFC 8785 -----------------------------------------------------------------------------------

/** Parse an entry; `undefined` unless its bytes are the canonical ones of what they say. */
export function parseCanonical(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  const text = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    const same = isUtf8(bytes) && isRecord(value) && canonical(value) === text;
    return same ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Serialize parsed JSON: what ECMAScript does, and member names in the order of UTF-16 units. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return scalar(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(',')}}`;
}

/** RFC 8785 section 3.2.2.2: a lone surrogate is an error. */
function scalar(value: unknown): string {
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('a lone surrogate');
  return JSON.stringify(value);
}
