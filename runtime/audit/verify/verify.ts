/**
 * The verifier of the audit log, on its own: all it needs is this file, Node.js and a verifier key.
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
  /** What a .tlog-proof proves: the place of the entry and its leaf hash, in hex. */
  readonly proven?: { readonly index: number; readonly leaf: string };
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

/** Hash with SHA-256. As text the digest comes two to three times faster than as bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return Buffer.from(hash('sha256', data, 'latin1'), 'latin1');
}

/** Hash the text of an entry as a leaf of the tree. */
export function leafHash(text: string): Buffer {
  return sha256(`\0${text}`);
}

/** Hash two neighbouring subtrees. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  nodeInput.set(left, 1);
  nodeInput.set(right, 33);
  return sha256(nodeInput);
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
    if (last === undefined) return sha256('');
    return rest.reduce((right, left) => nodeHash(left, right), last);
  }
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
  /** As it is written: `name+id+base64(0x01 || key)`. */
  readonly vkey: string;
  readonly name: string;
  readonly id: Buffer;
  readonly key: KeyObject;
}

/** Parse the key of a log: `name+id+base64(0x01 || key)`. */
export function parseVerifierKey(text: string): VerifierKey {
  return parseTypedKey(text, 1);
}

/** Parse `name+id+base64(type || key)`: type 1 signs checkpoints, 4 cosigns them (signed-note). */
export function parseTypedKey(text: string, type: 1 | 4): VerifierKey {
  const [, name = '', hexId, encoded = ''] =
    /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const id = sha256(Buffer.concat([Buffer.from(`${name}\n`), bytes])).subarray(0, 4);
  if (bytes.length !== 33 || bytes[0] !== type || id.toString('hex') !== hexId) {
    throw new Error('expected a verifier key: name+8 hex digits+base64 of an Ed25519 key');
  }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(1).toString('base64url') };
  const vkey = `${name}+${hexId}+${bytes.toString('base64')}`;
  return { vkey, name, id, key: createPublicKey({ key: jwk, format: 'jwk' }) };
}

/** Parse one verifier key, or several with white space between them. */
export function parseVerifierKeys(text: string): readonly VerifierKey[] {
  return text.trim().split(/\s+/).map(parseVerifierKey);
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

/** Open a checkpoint of the log whose keys are given; `undefined` unless one of them signed it. */
export function openCheckpoint(
  note: string,
  ...keys: readonly VerifierKey[]
): Checkpoint | undefined {
  const checkpoint = parseCheckpoint(note);
  return checkpoint && isSignedByOne(note, checkpoint.origin, keys) ? checkpoint : undefined;
}

function isSignedByOne(note: string, origin: string, keys: readonly VerifierKey[]): boolean {
  return keys.some((key) => origin === key.name && isSignedBy(note, key));
}

// --- the whole log, in the order: signatures, entries, roots, outside checkpoints ---------------

/**
 * Check a whole log with any of its keys, or with several of them. `outside` are checkpoints that
 * were kept elsewhere: anchors, a trusted one.
 */
export function verifyLog(
  source: LogSource,
  vkeys: string,
  outside: readonly string[] = [],
): Verification {
  const check = new LogCheck(source, vkeys, outside);
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
  readonly #keys: KeyHistory;
  readonly #entries: EntryCheck;
  readonly #own: HeadCheck;
  readonly #heads: readonly HeadCheck[];

  constructor(source: Stored, vkeys: string, outside: readonly string[] = []) {
    const given = parseVerifierKeys(vkeys);
    const findings = this.#findings;
    this.#keys = new KeyHistory(given, findings);
    this.#entries = new EntryCheck(given[0]?.name ?? '', source, this.#keys, findings);
    this.#own = new HeadCheck(source.notes, ['stored', 'root_mismatch', 'missing_tail'], findings);
    const elsewhere = ['anchored', 'inconsistent_checkpoints', 'rolled_back'] as const;
    this.#heads = [this.#own, new HeadCheck(outside, elsewhere, findings)];
    for (const head of this.#heads) head.compare(this.#entries.edge);
  }

  add(entry: StoredEntry): void {
    this.#entries.add(entry);
    for (const head of this.#heads) head.compare(this.#entries.edge);
  }

  /** End the check, with the failure when the log could not be read to its end. */
  end(failure?: unknown): Verification {
    const { edge, previous } = this.#entries;
    const detail = failure instanceof Error ? failure.message : String(failure);
    if (failure === undefined) this.#entries.end();
    else this.#findings.add(edge.size, 'unreadable', detail);
    for (const head of this.#heads) head.end(edge.size, this.#keys);
    this.#keys.end();
    const issues = this.#findings.issues.sort((a, b) => a.seq - b.seq);
    const checkpoint = this.#own.newest?.note ?? null;
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

/**
 * The keys that the log itself names: the first in AUDIT_LOG_OPENED, each further one in
 * AUDIT_KEY_ROTATED. From that entry on the new key signs; the old one has to sign a checkpoint over
 * the entry too, by which whoever trusts the old key knows the new one. Whoever has a later key knows
 * the older ones from the entries under its checkpoints.
 */
class KeyHistory {
  readonly #given: readonly VerifierKey[];
  readonly #findings: Findings;
  readonly #keys: { readonly key: VerifierKey; readonly since: number; known: boolean }[] = [];

  constructor(given: readonly VerifierKey[], findings: Findings) {
    this.#given = given;
    this.#findings = findings;
  }

  read(seq: number, { action, payload }: Readonly<Record<string, unknown>>): void {
    const first = action === 'AUDIT_LOG_OPENED' && seq === 0;
    if ((!first && action !== 'AUDIT_KEY_ROTATED') || !isRecord(payload)) return;
    try {
      const key = parseVerifierKey(String(payload['vkey']));
      if (first) this.#keys.push({ key, since: 0, known: true });
      else if (this.#keys.at(-1)?.key.vkey !== payload['previous_vkey']) {
        throw new Error('it replaces a key that is not the newest');
      } else this.#keys.push({ key, since: seq + 1, known: false });
    } catch (error) {
      this.#findings.add(seq, 'bad_signature', `${action}: ${(error as Error).message}`);
    }
  }

  /** Whether the key that was the newest at that size signed it; where none is named, a given one. */
  signedInTime({ note, origin, size }: Checkpoint): boolean {
    const newest = this.#keys.findLast(({ since }) => since <= size)?.key;
    return isSignedByOne(note, origin, newest === undefined ? this.#given : [newest]);
  }

  /** Whether any key that is known signed it. */
  signed({ note, origin }: Checkpoint): boolean {
    return isSignedByOne(note, origin, [...this.#given, ...this.#keys.map(({ key }) => key)]);
  }

  /** Learn from a checkpoint over these very entries which new keys their old ones confirm. */
  confirm(head: Checkpoint): void {
    for (const [index, rotated] of this.#keys.entries()) {
      const old = this.#keys[index - 1]?.key;
      if (rotated.known || rotated.since > head.size || old === undefined) continue;
      rotated.known = isSignedBy(head.note, old);
    }
  }

  end(): void {
    const named = new Set(this.#keys.map(({ key }) => key.vkey));
    if (named.size > 0 && !this.#given.some(({ vkey }) => named.has(vkey))) {
      this.#findings.add(
        0,
        'bad_signature',
        'the log names other verifier keys than the given one',
      );
    }
    for (const { since } of this.#keys.filter(({ known }) => !known)) {
      const detail = 'AUDIT_KEY_ROTATED: no checkpoint over it is signed by the old key';
      this.#findings.add(since - 1, 'bad_signature', detail);
    }
  }
}

/** Compares the tree with each checkpoint as it reaches its size. */
class HeadCheck {
  /** The newest one that is signed. */
  newest: Checkpoint | undefined;
  readonly #heads: readonly Checkpoint[];
  readonly #matches: boolean[] = [];
  readonly #names: readonly [kind: string, differs: Reason, tooShort: Reason];
  readonly #findings: Findings;

  constructor(
    notes: readonly string[],
    names: readonly [kind: string, differs: Reason, tooShort: Reason],
    findings: Findings,
  ) {
    const heads = notes.flatMap((note) => parseCheckpoint(note) ?? []);
    if (heads.length < notes.length) findings.add(0, 'bad_signature', `${names[0]} checkpoint`);
    this.#heads = heads.sort((a, b) => a.size - b.size);
    this.#names = names;
    this.#findings = findings;
  }

  compare(edge: TreeEdge): void {
    for (;;) {
      const head = this.#heads[this.#matches.length];
      if (head?.size !== edge.size) return;
      this.#matches.push(equal(head.root, edge.root()));
    }
  }

  /** Judge the checkpoints, now that the entries have named their keys. */
  end(records: number, keys: KeyHistory): void {
    const [kind, differs, tooShort] = this.#names;
    // Up to here the entries are those that were signed.
    let good = 0;
    for (const [index, head] of this.#heads.entries()) {
      const { size } = head;
      const inTime = keys.signedInTime(head);
      const signed = inTime || keys.signed(head);
      if (signed) this.newest = head;
      // A witness keeps no lines of keys that it does not know: there an older key will do.
      const accepted = inTime || (signed && kind !== 'stored');
      if (signed && size > records) {
        this.#findings.add(records, tooShort, `a signed checkpoint covers ${size} entries`);
      } else if (signed && !this.#matches[index]) {
        this.#findings.addRange(good, size, differs);
      } else if (accepted) {
        good = size;
        if (inTime) keys.confirm(head);
      } else this.#findings.add(size, 'bad_signature', `${kind} checkpoint`);
    }
  }
}

/** Checks one entry after the other, in the light of those before. */
class EntryCheck {
  readonly edge = new TreeEdge();
  previous = zeroHash;
  readonly #origin: string;
  readonly #source: Stored;
  readonly #keys: KeyHistory;
  readonly #findings: Findings;
  #ts = '';
  #tile = Buffer.alloc(8192);

  constructor(origin: string, source: Stored, keys: KeyHistory, findings: Findings) {
    this.#origin = origin;
    this.#source = source;
    this.#keys = keys;
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
    const isOrdered = typeof ts === 'string' && (ts >= this.#ts || this.#isCorrection(entry));
    if (isOrdered) this.#ts = ts;
    else this.#findings.add(seq, 'clock_moved_back');
    this.#keys.read(seq, entry);
  }

  /** The one entry by which a log whose clock was ahead goes back says from where. */
  #isCorrection({ action, payload }: Readonly<Record<string, unknown>>): boolean {
    const from = isRecord(payload) ? payload['previous_ts'] : undefined;
    return action === 'AUDIT_CLOCK_CORRECTED' && from === this.#ts;
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
    if (!isRecord(value)) return undefined;
    return isPrintedInOrder(value, text) || canonical(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether `text` is what ECMAScript prints of `value`, with nothing left to be sorted: then it is
 * canonical, and this is several times faster than printing it here. Without an escaped surrogate
 * there is no lone one; names that are numbers come in another order, and are left to `canonical`.
 */
function isPrintedInOrder(value: unknown, text: string): boolean {
  return JSON.stringify(value) === text && !text.includes('\\ud') && isInOrder(value);
}

function isInOrder(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isInOrder);
  if (!isRecord(value)) return true;
  let before = '';
  for (const name of Object.keys(value)) {
    if (name < before || !isInOrder(value[name])) return false;
    before = name;
  }
  return true;
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
