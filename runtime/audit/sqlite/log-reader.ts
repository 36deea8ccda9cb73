import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { AuditCheckpoint, AuditPage, AuditQuery, AuditRecord } from '#contract/house/audit';
import { consistencyProof, inclusionProof } from '../tree/merkle.ts';
import {
  base64,
  bundleOf,
  type Cosignature,
  type EntryRow,
  isIndex,
  isWidth,
  ListedPage,
  proofText,
  recordOf,
  withCosignatures,
} from '../tree/read-answers.ts';
import { TileNodes, tileWidth } from '../tree/tile-nodes.ts';
import { parseCheckpoint } from '../verify/verify.ts';

/** Reads what is committed. It runs in a thread of its own, so that no request waits for the disk. */
export class LogReader {
  readonly #nodes: TileNodes;
  readonly #size: StatementSync;
  readonly #range: StatementSync;
  readonly #before: StatementSync;
  readonly #note: StatementSync;
  readonly #newestNote: StatementSync;
  readonly #cosignatures: StatementSync;

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
    // The rows of a size stand under each target: its few names are found step by step.
    this.#cosignatures = database.prepare(`
      WITH RECURSIVE place(target) AS (
        SELECT min(target) FROM anchor
        UNION ALL
        SELECT (SELECT min(target) FROM anchor WHERE target > place.target)
        FROM place WHERE place.target IS NOT NULL)
      SELECT target, reference FROM place JOIN anchor USING (target)
      WHERE size = ? AND target LIKE 'witness:%' ORDER BY target`);
  }

  tile(level: number, index: number, width: number): Uint8Array | undefined {
    if (!isIndex(level, 7) || !isIndex(index) || !isWidth(width)) return undefined;
    const bytes = this.#nodes.tile(level, index, width).subarray(0, width * 32);
    return bytes.length === width * 32 ? bytes : undefined;
  }

  entriesBundle(index: number, width: number): Uint8Array | undefined {
    if (!isIndex(index) || !isWidth(width)) return undefined;
    const start = index * tileWidth;
    const rows = this.#range.all(start, start + width);
    if (rows.length < width) return undefined;
    return bundleOf(rows.map(({ bytes }) => blob(bytes)));
  }

  entry(seq: number): AuditRecord | undefined {
    const row = isIndex(seq) ? this.#range.get(seq, seq + 1) : undefined;
    return row && recordOf(rowOf(row));
  }

  proof(seq: number, size?: number): string | undefined {
    const checkpoint = size === undefined ? this.#newestNote.get() : this.#noteOf(size);
    const signed = Number(checkpoint?.['size'] ?? 0);
    if (!isIndex(seq) || seq >= signed) return undefined;
    // From its tile, not from its row: the tiles are a small part of the log.
    const leaf = this.#nodes.node(0, seq);
    const hashes = inclusionProof(this.#nodes, seq, signed);
    const note = withCosignatures(String(checkpoint?.['note']), this.cosignatures(signed));
    return proofText(seq, leaf, hashes, note);
  }

  /** What the witnesses have added to the checkpoint of a size. */
  cosignatures(size: number): readonly Cosignature[] {
    return this.#cosignatures
      .all(size)
      .map(({ target, reference }) => ({ target: String(target), line: String(reference) }));
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
    const page = new ListedPage(query);
    for (const row of this.#before.iterate(page.before, page.scanned)) {
      page.add(rowOf(row));
      if (page.isFull) break;
    }
    return page.end(this.#currentSize());
  }

  #noteOf(size: number) {
    return isIndex(size) ? this.#note.get(size) : undefined;
  }

  #currentSize(): number {
    return Number(this.#size.get()?.['size'] ?? 0);
  }
}

function rowOf({ bytes, hash }: Readonly<Record<string, SQLOutputValue>>): EntryRow {
  return { bytes: blob(bytes), hash: blob(hash) };
}

function blob(value: SQLOutputValue | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error('the audit log is damaged: expected bytes');
}
