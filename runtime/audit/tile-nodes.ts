import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { TreeNodes } from './merkle.ts';
import { nodeHash } from './verify.ts';

export const tileWidth = 256;

/**
 * Reads the tree from a log. The hashes of level 0 stand beside the entries until their tile is
 * full; tiles of higher levels are stored as they grow.
 */
export class TileNodes implements TreeNodes {
  readonly #tile: StatementSync;
  readonly #leaves: StatementSync;
  readonly #full = new LRUCache<string, Uint8Array>({ max: 256 });

  constructor(database: DatabaseSync) {
    this.#tile = database.prepare('SELECT bytes FROM tile WHERE level = ? AND idx = ?');
    this.#leaves = database.prepare(
      'SELECT leaf FROM entry WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT 256',
    );
  }

  /** Read a tile as far as it goes; empty when it does not exist yet. */
  tile(level: number, index: number): Uint8Array {
    const key = `${level}/${index}`;
    const cached = this.#full.get(key);
    if (cached !== undefined) return cached;
    const stored = this.#tile.get(level, index)?.['bytes'];
    const bytes = stored instanceof Uint8Array ? stored : this.#partial(level, index);
    if (bytes.length === tileWidth * 32) this.#full.set(key, bytes);
    return bytes;
  }

  node(height: number, index: number): Uint8Array {
    const level = Math.floor(height / 8);
    const width = 2 ** (height % 8);
    const first = index * width;
    const tile = this.tile(level, Math.floor(first / tileWidth));
    const start = (first % tileWidth) * 32;
    const hashes = tile.subarray(start, start + width * 32);
    if (hashes.length < width * 32) throw new Error(`the tree has no node ${height}/${index}`);
    return foldRoot(hashes);
  }

  #partial(level: number, index: number): Uint8Array {
    if (level !== 0) return new Uint8Array();
    const start = index * tileWidth;
    const rows = this.#leaves.all(start, start + tileWidth);
    return Buffer.concat(
      rows.map(({ leaf }) => (leaf instanceof Uint8Array ? leaf : Buffer.alloc(0))),
    );
  }
}

/** The root above a power of two of neighbouring hashes. */
function foldRoot(hashes: Uint8Array): Uint8Array {
  if (hashes.length === 32) return hashes;
  const middle = hashes.length / 2;
  return nodeHash(foldRoot(hashes.subarray(0, middle)), foldRoot(hashes.subarray(middle)));
}
