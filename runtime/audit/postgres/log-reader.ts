import { LRUCache } from 'lru-cache';
import type { AuditCheckpoint, AuditPage, AuditQuery, AuditRecord } from '#contract/house/audit';
import { consistencyProof, inclusionProof } from '../tree/merkle.ts';
import {
  base64,
  bundleOf,
  type Cosignature,
  isIndex,
  isWidth,
  ListedPage,
  proofText,
  recordOf,
  withCosignatures,
} from '../tree/read-answers.ts';
import { tileWidth } from '../tree/tile-nodes.ts';
import { parseCheckpoint } from '../verify/verify.ts';
import { bytesOf, fromNodes, type Queries, readTiles, type StoredTree } from './stored-tree.ts';

/** Entries that are held in memory at a time: each may have 64 kB. */
const entriesAtATime = 500;

/** Reads what is committed, whichever replica wrote it. */
export class PostgresLogReader {
  readonly #queries: Queries;
  readonly #log: number;
  readonly #tree: StoredTree;

  constructor(queries: Queries, log: number) {
    this.#queries = queries;
    this.#log = log;
    this.#tree = { queries, log, known: new LRUCache({ max: 1024 }) };
  }

  async tile(level: number, index: number, width: number): Promise<Uint8Array | undefined> {
    if (!isIndex(level, 7) || !isIndex(index) || !isWidth(width)) return undefined;
    const tiles = await readTiles(this.#tree, [{ level, index }]);
    const bytes = tiles.get(`${level}/${index}`)?.subarray(0, width * 32);
    return bytes?.length === width * 32 ? bytes : undefined;
  }

  async entriesBundle(index: number, width: number): Promise<Uint8Array | undefined> {
    if (!isIndex(index) || !isWidth(width)) return undefined;
    const start = index * tileWidth;
    const rows = await this.#queries.query(
      'select bytes from audit_entry where log = $1 and seq >= $2 and seq < $3 order by seq',
      [this.#log, start, start + width],
    );
    if (rows.length < width) return undefined;
    return bundleOf(rows.map(({ bytes }) => bytesOf(bytes)));
  }

  async entry(seq: number): Promise<AuditRecord | undefined> {
    const row = await this.#row(seq);
    return row && recordOf(row);
  }

  async proof(seq: number, size?: number): Promise<string | undefined> {
    const checkpoint = await this.#checkpoint(size);
    if (checkpoint === undefined || !isIndex(seq) || seq >= checkpoint.size) return undefined;
    const row = await this.#row(seq);
    if (row === undefined) throw new Error(`the audit log is damaged: entry ${seq} is missing`);
    const hashes = await fromNodes(this.#tree, (nodes) =>
      inclusionProof(nodes, seq, checkpoint.size),
    );
    const cosignatures = await this.cosignatures(checkpoint.size);
    return proofText(seq, row.leaf, hashes, withCosignatures(checkpoint.note, cosignatures));
  }

  /** What the witnesses have added to the checkpoint of a size. */
  async cosignatures(size: number): Promise<readonly Cosignature[]> {
    const rows = await this.#queries.query(
      // The rows of a size stand under each target: its few names are found step by step.
      `with recursive place(target) as (
         select min(target) from audit_anchor where log = $1
         union all
         select (select min(target) from audit_anchor where log = $1 and target > place.target)
         from place where place.target is not null)
       select target, reference from place join audit_anchor using (target)
       where log = $1 and size = $2 and target like 'witness:%' order by target`,
      [this.#log, size],
    );
    return rows.map(({ target, reference }) => ({
      target: String(target),
      line: String(reference),
    }));
  }

  newestCheckpoint(): Promise<AuditCheckpoint | undefined> {
    return this.#checkpoint(undefined);
  }

  async consistency(from: number, to: number): Promise<readonly string[] | undefined> {
    if (!isIndex(from) || !isIndex(to) || from > to) return undefined;
    if (to > (await this.#currentSize())) return undefined;
    if (from === 0) return [];
    const hashes = await fromNodes(this.#tree, (nodes) => consistencyProof(nodes, from, to));
    return hashes.map(base64);
  }

  async list(query: AuditQuery): Promise<AuditPage> {
    const page = new ListedPage(query);
    let before = page.before;
    for (let left = page.scanned; left > 0 && before > 0 && !page.isFull; ) {
      const rows = await this.#queries.query(
        `select seq, bytes, hash from audit_entry where log = $1 and seq < $2
         order by seq desc limit $3`,
        [this.#log, before, Math.min(left, entriesAtATime)],
      );
      for (const { bytes, hash } of rows) {
        page.add({ bytes: bytesOf(bytes), hash: bytesOf(hash) });
        if (page.isFull) break;
      }
      left = rows.length < entriesAtATime ? 0 : left - rows.length;
      before = Number(rows.at(-1)?.['seq'] ?? 0);
    }
    return page.end(await this.#currentSize());
  }

  async #currentSize(): Promise<number> {
    const [head] = await this.#queries.query('select size from audit_head where log = $1', [
      this.#log,
    ]);
    return Number(head?.['size'] ?? 0);
  }

  async #row(seq: number) {
    if (!isIndex(seq)) return undefined;
    const [row] = await this.#queries.query(
      'select bytes, hash, leaf from audit_entry where log = $1 and seq = $2',
      [this.#log, seq],
    );
    if (row === undefined) return undefined;
    return { bytes: bytesOf(row['bytes']), hash: bytesOf(row['hash']), leaf: bytesOf(row['leaf']) };
  }

  /** The checkpoint of `size`, or the newest one. */
  async #checkpoint(size: number | undefined): Promise<AuditCheckpoint | undefined> {
    if (size !== undefined && !isIndex(size)) return undefined;
    const [row] = await this.#queries.query(
      `select note from audit_checkpoint where log = $1 and ($2::bigint is null or size = $2)
       order by size desc limit 1`,
      [this.#log, size],
    );
    const found = parseCheckpoint(String(row?.['note'] ?? ''));
    return found && { size: found.size, root: base64(found.root), note: found.note };
  }
}
