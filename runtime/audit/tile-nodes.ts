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
  /** A tile only grows: what was read of it stays true. */
  readonly #tiles = new LRUCache<string, Uint8Array>({ max: 256 });
  /** Every subtree of a full tile, as a heap: the root at 1, the hashes of the tile from 256 on. */
  readonly #subtrees = new LRUCache<string, Uint8Array>({ max: 256 });

  constructor(database: DatabaseSync) {
    this.#tile = database.prepare('SELECT bytes FROM tile WHERE level = ? AND idx = ?');
    this.#leaves = database.prepare(
      'SELECT leaf FROM entry WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT 256',
    );
  }

  /** Read a tile as far as it goes, or from memory where that has `width` hashes of it. */
  tile(level: number, index: number, width = tileWidth): Uint8Array {
    const key = `${level}/${index}`;
    const cached = this.#tiles.get(key);
    if (cached !== undefined && cached.length >= width * 32) return cached;
    const stored = this.#tile.get(level, index)?.['bytes'];
    const bytes = stored instanceof Uint8Array ? stored : this.#partial(level, index);
    this.#tiles.set(key, bytes);
    return bytes;
  }

  node(height: number, index: number): Uint8Array {
    const level = Math.floor(height / 8);
    const width = 2 ** (height % 8);
    const first = (index * width) % tileWidth;
    const tileIndex = Math.floor((index * width) / tileWidth);
    const tile = this.tile(level, tileIndex, first + width);
    const hashes = tile.subarray(first * 32, (first + width) * 32);
    if (hashes.length < width * 32) throw new Error(`the tree has no node ${height}/${index}`);
    if (tile.length < tileWidth * 32) return foldRoot(hashes);
    const place = (tileWidth / width + first / width) * 32;
    return this.#heap(`${level}/${tileIndex}`, tile).subarray(place, place + 32);
  }

  #heap(key: string, tile: Uint8Array): Uint8Array {
    const known = this.#subtrees.get(key);
    if (known !== undefined) return known;
    const heap = Buffer.alloc(tileWidth * 64);
    heap.set(tile, tileWidth * 32);
    for (let at = tileWidth - 1; at > 0; at--) {
      const left = at * 64;
      const parent = nodeHash(heap.subarray(left, left + 32), heap.subarray(left + 32, left + 64));
      heap.set(parent, at * 32);
    }
    this.#subtrees.set(key, heap);
    return heap;
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
export function foldRoot(hashes: Uint8Array): Uint8Array {
  if (hashes.length === 32) return hashes;
  const middle = hashes.length / 2;
  return nodeHash(foldRoot(hashes.subarray(0, middle)), foldRoot(hashes.subarray(middle)));
}
