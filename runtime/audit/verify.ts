/**
 * The verifier of the audit log, on its own: all it needs is this file, Node.js and the verifier key.
 * Formats: RFC 8785 (entries), RFC 6962 (tree), C2SP signed-note, and tlog-checkpoint.
 * `verify-files.ts` beside it runs it on a database, an exported bundle or a .tlog-proof.
 */
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

/** What is kept of an entry: its text, decoded without a loss, and hashes in hex. */
export interface StoredEntry {
  readonly seq: number;
  readonly text: string;
  /** A bundle has none. */
  readonly hash?: string;
  readonly leaf?: string;
}

/** Where the log comes from. `tile` answers the stored hashes of a tile, where it is stored. */
export interface LogSource {
  readonly entries: Iterable<StoredEntry>;
  readonly notes: readonly string[];
  tile(level: number, index: number): Uint8Array | undefined;
}

// --- RFC 6962 section 2.1 -----------------------------------------------------------------------

const nodeInput = Buffer.alloc(65, 1);

/** Hash the text of an entry as a leaf of the tree. */
export function leafHash(text: string): Buffer {
  return hash('sha256', `\0${text}`, 'buffer');
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
    const [last, ...rest] = this.stack.toReversed();
    if (last === undefined) return hash('sha256', '', 'buffer');
    return rest.reduce((right, left) => nodeHash(left, right), last);
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

export type TreeHead = { readonly size: number; readonly root: Uint8Array };

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
  return checkpoint?.origin === key.name && isSignedBy(note, key) ? checkpoint : undefined;
}

// --- the whole log, in the order: signatures, entries, roots, outside checkpoints ---------------

/** The result of a check that could not begin, or that ended at once. */
export function failed(seq: number, reason: Reason, detail: string): Verification {
  const issues = [{ seq, reason, detail }];
  return { ok: false, records: 0, head_hash: '', checkpoint: null, issues };
}

/** Check a whole log. `outside` are checkpoints that were kept elsewhere: anchors, a trusted one. */
export function verifyLog(
  source: LogSource,
  vkey: string,
  outside: readonly string[] = [],
): Verification {
  const check = new LogCheck(source, vkey, outside);
  try {
    for (const entry of source.entries) check.add(entry);
    return check.end();
  } catch (error) {
    return check.end(error);
  }
}

type Stored = Pick<LogSource, 'notes' | 'tile'>;

/** The check of a whole log, for one whose entries arrive in their own time. */
export class LogCheck {
  readonly #findings = new Findings();
  readonly #own: readonly Checkpoint[];
  readonly #entries: EntryCheck;
  readonly #heads: readonly HeadCheck[];

  constructor(source: Stored, vkey: string, outside: readonly string[] = []) {
    const key = parseVerifierKey(vkey);
    const findings = this.#findings;
    this.#own = signedBy(key, source.notes, 'stored checkpoint', findings);
    const anchored = signedBy(key, outside, 'anchored checkpoint', findings);
    this.#entries = new EntryCheck(key.name, source, findings);
    this.#heads = [
      new HeadCheck(this.#own, ['root_mismatch', 'missing_tail'], findings),
      new HeadCheck(anchored, ['inconsistent_checkpoints', 'rolled_back'], findings),
    ];
    for (const head of this.#heads) head.compare(this.#entries.edge);
  }

  add(entry: StoredEntry): void {
    this.#entries.add(entry);
    for (const head of this.#heads) head.compare(this.#entries.edge);
  }

  /** End the check, with the failure when the log could not be read to its end. */
  end(failure?: unknown): Verification {
    const { edge, previous } = this.#entries;
    if (failure === undefined) this.#entries.end();
    else
      this.#findings.add(
        edge.size,
        'unreadable',
        failure instanceof Error ? failure.message : String(failure),
      );
    for (const head of this.#heads) head.end(edge.size);
    const issues = this.#findings.issues.sort((a, b) => a.seq - b.seq);
    const checkpoint = this.#own.at(-1)?.note ?? null;
    const ok = issues.length === 0;
    return { ok, records: edge.size, head_hash: previous, checkpoint, issues };
  }
}

class Findings {
  readonly issues: Issue[] = [];

  add(seq: number, reason: Reason, detail = ''): void {
    if (this.issues.length < mostIssues) this.issues.push({ seq, reason, detail });
  }

  /** What is wrong with a range is said of its first entry that is known to be wrong. */
  addRange(start: number, end: number, reason: Reason): void {
    const entries = this.issues.filter((issue) => issue.reason !== 'bad_signature');
    const known = entries.map(({ seq }) => seq).filter((seq) => seq >= start && seq < end);
    const seq = known.length === 0 ? start : Math.min(...known);
    this.add(seq, reason, `entries ${start} to ${end - 1}`);
  }
}

function signedBy(key: VerifierKey, notes: readonly string[], what: string, findings: Findings) {
  const heads: Checkpoint[] = [];
  for (const note of notes) {
    const checkpoint = openCheckpoint(note, key);
    if (checkpoint === undefined)
      findings.add(parseCheckpoint(note)?.size ?? 0, 'bad_signature', what);
    else heads.push(checkpoint);
  }
  return heads.sort((a, b) => a.size - b.size);
}

/** Compares the tree with each signed head as it reaches its size. */
class HeadCheck {
  readonly #heads: readonly Checkpoint[];
  readonly #reasons: readonly [differs: Reason, tooShort: Reason];
  readonly #findings: Findings;
  #next = 0;
  /** Up to here the entries are those that were signed. */
  #good = 0;

  constructor(
    heads: readonly Checkpoint[],
    reasons: readonly [Reason, Reason],
    findings: Findings,
  ) {
    this.#heads = heads;
    this.#reasons = reasons;
    this.#findings = findings;
  }

  compare(edge: TreeEdge): void {
    for (let head = this.#heads[this.#next]; head?.size === edge.size; ) {
      if (equal(head.root, edge.root())) this.#good = edge.size;
      else this.#findings.addRange(this.#good, edge.size, this.#reasons[0]);
      head = this.#heads[++this.#next];
    }
  }

  end(records: number): void {
    for (const { size } of this.#heads.slice(this.#next)) {
      this.#findings.add(records, this.#reasons[1], `a signed checkpoint covers ${size} entries`);
    }
  }
}

/** Checks one entry after the other, in the light of those before. */
class EntryCheck {
  readonly edge = new TreeEdge();
  previous = zeroHash;
  readonly #origin: string;
  readonly #source: Stored;
  readonly #findings: Findings;
  #ts = '';
  #tile = Buffer.alloc(8192);

  constructor(origin: string, source: Stored, findings: Findings) {
    this.#origin = origin;
    this.#source = source;
    this.#findings = findings;
  }

  add({ seq, text, hash: storedHash, leaf: storedLeaf }: StoredEntry): void {
    const expected = this.edge.size;
    const entry = parseCanonical(text);
    if (entry === undefined) this.#findings.add(expected, 'bytes_not_canonical');
    if (seq !== expected || (entry !== undefined && entry['seq'] !== expected)) {
      this.#findings.add(expected, 'seq_gap', `found ${seq} with ${entry?.['seq']} inside`);
    }
    if (entry !== undefined) this.#compare(expected, entry);
    const found = hash('sha256', text, 'hex');
    const leaf = leafHash(text);
    if (storedHash !== undefined && storedHash !== found) {
      this.#findings.add(expected, 'hash_mismatch', 'hash');
    }
    if (storedLeaf !== undefined && storedLeaf !== leaf.toString('hex')) {
      this.#findings.add(expected, 'hash_mismatch', 'leaf');
    }
    this.#tile.set(leaf, (expected % 256) * 32);
    this.edge.add(leaf, (level, index, root) => this.#completed(level, index, root));
    this.previous = found;
  }

  /** The last tile may be a partial one; where it holds more leaves, entries were cut off. */
  end(): void {
    const { size } = this.edge;
    const index = Math.floor(size / 256);
    const leaves = this.#tile.subarray(0, (size % 256) * 32);
    const stored = this.#source.tile(0, index);
    if (stored === undefined || equal(stored, leaves)) return;
    if (stored.length > leaves.length) this.#findings.add(size, 'missing_tail', 'tile');
    else this.#findings.add(index * 256, 'tile_mismatch', `tile 0/${index}`);
  }

  #compare(seq: number, entry: Readonly<Record<string, unknown>>): void {
    const { log, prev_hash, ts } = entry;
    if (log !== this.#origin) this.#findings.add(seq, 'wrong_log', 'origin');
    if (prev_hash !== this.previous) this.#findings.add(seq, 'prev_hash_mismatch');
    if (typeof ts !== 'string' || ts < this.#ts) this.#findings.add(seq, 'clock_moved_back');
    else this.#ts = ts;
  }

  /** A stored tile of level 0 has to hold the leaves, one of a higher level the roots of tiles. */
  #completed(level: number, index: number, root: Uint8Array): void {
    if (level === 1) this.#compareLeaves(index, this.#source.tile(0, index) ?? this.#tile);
    const tile = this.#source.tile(level, Math.floor(index / 256));
    const start = (index % 256) * 32;
    const width = 256 ** level;
    if (tile === undefined || equal(tile.subarray(start, start + 32), root)) return;
    this.#findings.addRange(index * width, (index + 1) * width, 'tile_mismatch');
  }

  #compareLeaves(index: number, stored: Uint8Array): void {
    if (equal(stored, this.#tile)) return;
    const first = this.#tile.findIndex((byte, at) => byte !== stored[at]);
    this.#findings.add(index * 256 + Math.floor(first / 32), 'tile_mismatch');
  }
}

// --- RFC 8785 -----------------------------------------------------------------------------------

/** Parse an entry; `undefined` unless its text is the canonical one of what it says. */
export function parseCanonical(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && canonical(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Serialize parsed JSON: as ECMAScript does, but members in the order of UTF-16 units. */
function canonical(value: unknown): string {
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('a lone surrogate');
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  let text = '';
  for (const name of Object.keys(value).sort()) {
    text += `${text === '' ? '' : ','}${canonical(name)}:${canonical(value[name])}`;
  }
  return `{${text}}`;
}
