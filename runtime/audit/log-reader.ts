import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type {
  AuditCheckpoint,
  AuditEntry,
  AuditPage,
  AuditQuery,
  AuditRecord,
} from '#contract/audit';
import { consistencyProof, inclusionProof } from './merkle.ts';
import { TileNodes, tileWidth } from './tile-nodes.ts';
import { parseCheckpoint } from './verify.ts';

/** Entries that one page of a list looks at; its reader comes back for more. */
const mostScanned = 5000;

const filters = ['tenant', 'category', 'action', 'subject', 'correlation_id'] as const;

/** Reads what is committed. It runs in a thread of its own, so that no request waits for the disk. */
export class LogReader {
  readonly #nodes: TileNodes;
  readonly #size: StatementSync;
  readonly #range: StatementSync;
  readonly #before: StatementSync;
  readonly #note: StatementSync;
  readonly #newestNote: StatementSync;

  constructor(database: DatabaseSync) {
    this.#nodes = new TileNodes(database);
    this.#size = database.prepare('SELECT max(seq) + 1 AS size FROM entry');
    this.#range = database.prepare(
      'SELECT seq, bytes, hash, leaf FROM entry WHERE seq >= ? AND seq < ? ORDER BY seq',
    );
    this.#before = database.prepare(
      'SELECT seq, bytes, hash FROM entry WHERE seq < ? ORDER BY seq DESC LIMIT ?',
    );
    this.#note = database.prepare('SELECT size, note FROM checkpoint WHERE size = ?');
    this.#newestNote = database.prepare(
      'SELECT size, note FROM checkpoint ORDER BY size DESC LIMIT 1',
    );
  }

  tile(level: number, index: number, width: number): Uint8Array | undefined {
    if (!isIndex(level, 7) || !isIndex(index) || !isWidth(width)) return undefined;
    const bytes = this.#nodes.tile(level, index, width).subarray(0, width * 32);
    return bytes.length === width * 32 ? bytes : undefined;
  }

  /** C2SP tlog-tiles, "Log Entries": each entry after its length, two bytes, big-endian. */
  entriesBundle(index: number, width: number): Uint8Array | undefined {
    if (!isIndex(index) || !isWidth(width)) return undefined;
    const start = index * tileWidth;
    const rows = this.#range.all(start, start + width);
    if (rows.length < width) return undefined;
    return Buffer.concat(
      rows.flatMap((row) => {
        const bytes = blob(row['bytes']);
        return [Buffer.of(bytes.length >> 8, bytes.length & 255), bytes];
      }),
    );
  }

  entry(seq: number): AuditRecord | undefined {
    const row = isIndex(seq) ? this.#range.get(seq, seq + 1) : undefined;
    return row && recordOf(row);
  }

  /** C2SP tlog-proof; `extra` is the leaf hash, so that the verifier key alone is enough. */
  proof(seq: number, size?: number): string | undefined {
    const checkpoint = size === undefined ? this.#newestNote.get() : this.#noteOf(size);
    const signed = Number(checkpoint?.['size'] ?? 0);
    if (!isIndex(seq) || seq >= signed) return undefined;
    const row = this.#range.get(seq, seq + 1);
    const hashes = inclusionProof(this.#nodes, seq, signed).map(base64);
    const lines = [`extra ${base64(blob(row?.['leaf']))}`, `index ${seq}`, ...hashes];
    return `c2sp.org/tlog-proof@v1\n${lines.join('\n')}\n\n${checkpoint?.['note']}`;
  }

  newestCheckpoint(): AuditCheckpoint | undefined {
    const note = this.#newestNote.get()?.['note'];
    const checkpoint = typeof note === 'string' ? parseCheckpoint(note) : undefined;
    return (
      checkpoint && { size: checkpoint.size, root: base64(checkpoint.root), note: checkpoint.note }
    );
  }

  consistency(from: number, to: number): readonly string[] | undefined {
    const inside = isIndex(from) && isIndex(to) && from <= to && to <= this.#currentSize();
    if (!inside) return undefined;
    return from === 0 ? [] : consistencyProof(this.#nodes, from, to).map(base64);
  }

  list(query: AuditQuery): AuditPage {
    const limit = Math.min(Math.max(Math.trunc(query.limit), 1), 1000);
    const wanted = filters.filter((name) => query[name] !== undefined);
    const scanned = wanted.length === 0 ? limit : mostScanned;
    const records: AuditRecord[] = [];
    let seq = query.before ?? Number.MAX_SAFE_INTEGER;
    for (const row of this.#before.iterate(seq, scanned)) {
      const record = recordOf(row);
      seq = record.entry.seq;
      if (wanted.every((name) => record.entry[name] === query[name])) records.push(record);
      if (records.length === limit) break;
    }
    const more = seq > 0 && seq < (query.before ?? Number.MAX_SAFE_INTEGER);
    return more ? { records, next: seq } : { records };
  }

  #noteOf(size: number) {
    return isIndex(size) ? this.#note.get(size) : undefined;
  }

  #currentSize(): number {
    return Number(this.#size.get()?.['size'] ?? 0);
  }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const isIndex = (value: number, most = Number.MAX_SAFE_INTEGER) =>
  Number.isSafeInteger(value) && value >= 0 && value <= most;
const isWidth = (value: number) => isIndex(value, tileWidth) && value > 0;

function recordOf(row: Readonly<Record<string, SQLOutputValue>>): AuditRecord {
  const canonical = Buffer.from(blob(row['bytes'])).toString('utf8');
  // Written by the log's own writer, whose every field was checked.
  const entry = JSON.parse(canonical) as AuditEntry;
  return { entry, canonical, hash: Buffer.from(blob(row['hash'])).toString('hex') };
}

function blob(value: SQLOutputValue | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error('the audit log is damaged: expected bytes');
}
