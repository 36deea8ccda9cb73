/**
 * Runs the verifier on files: `node verify-files.ts PATH VKEY [FILE ...]`, where PATH is a database, the
 * folder of an exported bundle or a .tlog-proof, VKEY is any of the log's verifier keys, and each FILE
 * holds a checkpoint that was kept elsewhere. For a .tlog-proof there may be one FILE: the canonical
 * text of the entry that has to be the proven one.
 * Exit code 0 or 1.
 */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openReadOnly } from '../../process/read-only-database.ts';
import {
  half,
  type LogSource,
  leafHash,
  nodeHash,
  openCheckpoint,
  parseCheckpoint,
  parseVerifierKeys,
  type Reason,
  type StoredEntry,
  type Verification,
  verifyLog,
} from './verify.ts';

const mostIssues = 100;
const proofMagic = 'c2sp.org/tlog-proof@v1';

/**
 * Verify the log, bundle or proof at `path`; `outside` are checkpoints that were kept elsewhere, or
 * the entry that has to be the proven one.
 *
 * @param onEntry hears of each entry of a log or bundle, before it is known whether all of them are good
 */
export function verifyPath(
  path: string,
  vkeys: string,
  outside: readonly string[] = [],
  onEntry?: (entry: StoredEntry) => void,
): Verification {
  const heard = (source: LogSource) =>
    onEntry === undefined ? source : { ...source, entries: hearing(source.entries, onEntry) };
  try {
    if (isProof(path)) {
      const [entry, ...more] = outside;
      if (more.length > 0) return failed(0, 'unreadable', 'a proof is of one entry alone');
      return verifyProof(readFileSync(path, 'utf8'), vkeys, entry?.replace(/\n$/, ''));
    }
    if (statSync(path).isDirectory()) {
      const origin = parseVerifierKeys(vkeys)[0]?.name ?? '';
      return verifyLog(heard(bundleSource(path, origin)), vkeys, outside);
    }
    using database = openReadOnly(path);
    database.exec('BEGIN');
    return withStorage(database, verifyLog(heard(databaseSource(database)), vkeys, outside));
  } catch (error) {
    return failed(0, 'unreadable', error instanceof Error ? error.message : String(error));
  }
}

function* hearing(
  entries: Iterable<StoredEntry>,
  onEntry: (entry: StoredEntry) => void,
): Iterable<StoredEntry> {
  for (const entry of entries) {
    onEntry(entry);
    yield entry;
  }
}

/** The result of a check that could not begin, or that ended at once. */
export function failed(seq: number, reason: Reason, detail: string): Verification {
  const issues = [{ seq, reason, detail }];
  return { ok: false, records: 0, head_hash: '', checkpoint: null, issues };
}

/**
 * Check a .tlog-proof. Its `extra` line holds the leaf hash, so that a key alone is enough, any of those
 * that signed its checkpoint; with `entry` (its canonical text) that very entry has to be the proven
 * one.
 */
export function verifyProof(text: string, vkeys: string, entry?: string): Verification {
  const end = text.indexOf('\n\n');
  const [magic, ...lines] = text.slice(0, Math.max(end, 0)).split('\n');
  const extra = lines[0]?.startsWith('extra ') ? lines.shift()?.slice(6) : undefined;
  const index = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '')?.[1];
  const leaf = entry === undefined ? Buffer.from(extra ?? '', 'base64') : leafHash(entry);
  if (magic !== proofMagic || index === undefined || leaf.length !== 32) {
    return failed(0, 'unreadable', 'expected a tlog-proof with a leaf hash as extra');
  }
  const seq = Number(index);
  const checkpoint = openCheckpoint(text.slice(end + 2), ...parseVerifierKeys(vkeys));
  if (checkpoint === undefined) return failed(seq, 'bad_signature', 'checkpoint of the proof');
  const proof = lines.map((line) => Buffer.from(line, 'base64'));
  if (!verifyInclusion(leaf, seq, checkpoint, proof)) {
    return failed(seq, 'root_mismatch', 'the hashes do not lead to the root');
  }
  const proven = { index: seq, leaf: Buffer.from(leaf).toString('hex') };
  const { note } = checkpoint;
  return { ok: true, records: 1, head_hash: '', checkpoint: note, issues: [], proven };
}

/** A proof is known by its first line, whatever its file is called. */
export function isProof(path: string): boolean {
  if (path.endsWith('.tlog-proof')) return true;
  if (!statSync(path).isFile()) return false;
  const start = Buffer.alloc(proofMagic.length);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, start.length, 0);
  } finally {
    closeSync(file);
  }
  return start.toString() === proofMagic;
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

/** Entries alone do not show that their file is cut off: pages of other tables may be missing. */
function withStorage(database: DatabaseSync, found: Verification): Verification {
  const seq = found.records;
  const issues = [...found.issues];
  try {
    const [row] = database.prepare('PRAGMA quick_check(1)').all();
    const said = String(Object.values(row ?? {})[0]);
    if (said !== 'ok') issues.push({ seq, reason: 'unreadable', detail: said });
    const head = database.prepare("SELECT value FROM meta WHERE name = 'head'").get()?.['value'];
    const noted = head === undefined || issues.length > 0 ? undefined : JSON.parse(String(head));
    if (noted !== undefined && (noted.size !== seq || noted.hash !== found.head_hash)) {
      const detail = `the head was noted as ${noted.size} entries, the last one ${noted.hash}`;
      issues.push({ seq, reason: 'missing_tail', detail });
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    issues.push({ seq, reason: 'unreadable', detail });
  }
  return { ...found, ok: issues.length === 0, issues: issues.slice(0, mostIssues) };
}

/** The tables of the embedded log. Text is read several times faster than bytes. */
function databaseSource(database: DatabaseSync): LogSource {
  const notes = database.prepare('SELECT note FROM checkpoint ORDER BY size').all();
  const tile = database.prepare('SELECT bytes FROM tile WHERE level = ? AND idx = ?');
  return {
    entries: storedEntries(database),
    notes: notes.map(({ note }) => String(note)),
    tile(level, index) {
      const bytes = tile.get(level, index)?.['bytes'];
      return bytes instanceof Uint8Array ? bytes : undefined;
    },
  };
}

function* storedEntries(database: DatabaseSync): Iterable<StoredEntry> {
  const rows = database.prepare(
    `SELECT seq, CAST(bytes AS TEXT), lower(hex(hash)), lower(hex(leaf)) FROM entry
     WHERE seq > ? ORDER BY seq LIMIT 1000`,
  );
  const bytes = database.prepare('SELECT bytes FROM entry WHERE seq = ?');
  rows.setReturnArrays(true);
  for (let last = -1; ; ) {
    // An array for each row, as set above.
    const page = rows.all(last) as unknown as [number, string, string, string][];
    for (const [seq, text, hash, leaf] of page) {
      last = seq;
      if (text.includes('\ufffd')) decodeExactly(bytes.get(seq)?.['bytes']);
      yield { seq, text, hash, leaf };
    }
    if (page.length < 1000) return;
  }
}

/** Bytes that are not UTF-8 would be read as replacement characters: they must not pass for them. */
export function decodeExactly(bytes: unknown): string {
  if (!(bytes instanceof Uint8Array)) throw new Error('expected bytes');
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/**
 * The files of a bundle: tlog-tiles paths, all checkpoints under `checkpoints/`, and `checkpoint`, the
 * newest. What is there
 * beyond the newest checkpoint is the beginning of an upload that has not ended: it proves nothing.
 */
function bundleSource(path: string, origin: string): LogSource {
  const inside = join(path, encodeURIComponent(origin));
  const folder = isFolder(join(path, 'checkpoints')) ? path : inside;
  const names = readdirSync(join(folder, 'checkpoints')).sort();
  const notes = names.map((name) => readFileSync(join(folder, 'checkpoints', name), 'utf8'));
  // An export says with it how far it goes; what was uploaded to a bucket has none.
  const last = join(folder, 'checkpoint');
  const final = existsSync(last) ? readFileSync(last, 'utf8') : undefined;
  if (final !== undefined && !notes.includes(final)) notes.push(final);
  if (notes.length === 0) throw new Error(`there is no checkpoint in ${folder}`);
  const size = Math.max(0, ...notes.map((note) => parseCheckpoint(note)?.size ?? 0));
  /** The last tile of each level: it is asked for again with each hash in it. */
  const lastTiles = new Map<
    number,
    { readonly index: number; readonly bytes: Buffer | undefined }
  >();
  return {
    entries: bundledEntries(folder, size),
    notes,
    tile(level, index) {
      const width = Math.floor(size / 256 ** level) - index * 256;
      const known = lastTiles.get(level);
      const bytes =
        known?.index === index
          ? known.bytes
          : readTile(folder, { level: String(level), index, width });
      lastTiles.set(level, { index, bytes });
      return bytes?.subarray(0, width * 32);
    },
  };
}

function* bundledEntries(folder: string, size: number): Iterable<StoredEntry> {
  for (let index = 0, seq = 0; seq < size; index++) {
    const width = size - index * 256;
    const bundle = readTile(folder, { level: 'entries', index, width }) ?? Buffer.alloc(0);
    for (let at = 0; at < bundle.length && seq < size; seq++) {
      const end = at + 2 + bundle.readUInt16BE(at);
      if (end > bundle.length) throw new Error(`entry ${seq} is cut off in its bundle`);
      yield { seq, text: decodeExactly(bundle.subarray(at + 2, end)) };
      at = end;
    }
    if (seq < (index + 1) * 256) return;
  }
}

/**
 * Read the full tile, or the partial one of this width, or else the widest (tlog-tiles, "Partial
 * Tiles"). A narrower one that does not begin it is read in its place, so that it is found out.
 */
function readTile(
  folder: string,
  { level, index, width }: { level: string; index: number; width: number },
): Buffer | undefined {
  const path = join(folder, 'tile', level, tilePath(index));
  const partial = `${path}.p`;
  const widths = isFolder(partial) ? readdirSync(partial).map(Number) : [];
  const full = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const widest = widths.includes(width) ? width : Math.max(...widths);
  if (!full && widths.length === 0) return undefined;
  const chosen = readFileSync(full ? path : join(partial, String(widest)));
  for (const narrower of widths.filter((found) => full || found < widest)) {
    const bytes = readFileSync(join(partial, String(narrower)));
    const end = level === 'entries' ? endOfEntries(chosen, narrower) : narrower * 32;
    if (Buffer.compare(bytes, chosen.subarray(0, end)) !== 0) return bytes;
  }
  return chosen;
}

/** Where the first `count` entries of a bundle end. */
function endOfEntries(bundle: Buffer, count: number): number {
  let end = 0;
  for (let entry = 0; entry < count && end + 2 <= bundle.length; entry++) {
    end += 2 + bundle.readUInt16BE(end);
  }
  return end;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** 1234067 is x001/x234/067 (tlog-tiles). */
export function tilePath(index: number): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const groups = padded.match(/\d{3}/g) ?? [];
  return groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
}

if (import.meta.main) {
  const [path, vkey, ...others] = process.argv.slice(2);
  if (vkey === undefined || path === undefined) {
    console.error('usage: node verify-files.ts PATH VKEY [FILE ...]');
    process.exit(2);
  }
  const texts = others.map((file) => readFileSync(file, 'utf8'));
  const result = verifyPath(path, vkey, texts);
  console.log(JSON.stringify(result, null, 2));
  process.exitCode = result.ok ? 0 : 1;
}
