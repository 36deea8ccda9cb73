import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { nodeHash } from '../verify/verify.ts';
import type { TreeNodes } from './merkle.ts';

export const tileWidth = 256;

/**
 * The complete subtrees of the first `width` hashes of a tile, as a heap: the root of a full tile at
 * 1, its two halves at 2 and 3, the hashes themselves from 256 on (RFC 6962 2.1).
 */
interface Subtrees {
  readonly heap: Uint8Array;
  readonly width: number;
}

/**
 * Reads the tree from a log. The hashes of level 0 stand beside the entries until their tile is
 * full; tiles of higher levels are stored as they grow.
 */
export class TileNodes implements TreeNodes {
  readonly #tile: StatementSync;
  readonly #leaves: StatementSync;
  /** A tile only grows: what was read of it stays true. */
  readonly #tiles = new LRUCache<string, Uint8Array>({ max: 256 });
  readonly #subtrees = new LRUCache<string, Subtrees>({ max: 256 });

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
    const heap = this.#heap(level, tileIndex, first + width);
    if (heap === undefined) throw new Error(`the tree has no node ${height}/${index}`);
    const place = (tileWidth / width + first / width) * 32;
    return heap.subarray(place, place + 32);
  }

  /** The subtrees of the first `width` hashes of a tile, and of more of them where there are. */
  #heap(level: number, index: number, width: number): Uint8Array | undefined {
    const key = `${level}/${index}`;
    const known = this.#subtrees.get(key);
    if (known !== undefined && known.width >= width) return known.heap;
    const tile = this.tile(level, index, width);
    const found = tile.length / 32;
    if (found < width) return undefined;
    const heap = subtreesOf(tile, found);
    this.#subtrees.set(key, { heap, width: found });
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

const pair = Buffer.alloc(65, 1);

/** Hash each two neighbours, level by level; written here without a buffer for each of them. */
function subtreesOf(tile: Uint8Array, width: number): Buffer {
  const heap = Buffer.allocUnsafeSlow(tileWidth * 64);
  heap.set(tile, tileWidth * 32);
  for (let level = tileWidth / 2; level >= 1; level /= 2) {
    const complete = Math.floor((width * level) / tileWidth);
    for (let at = level; at < level + complete; at++) {
      heap.copy(pair, 1, at * 64, at * 64 + 64);
      heap.write(hash('sha256', pair, 'latin1'), at * 32, 'latin1');
    }
  }
  return heap;
}

/** The root above a power of two of neighbouring hashes. */
export function foldRoot(hashes: Uint8Array): Uint8Array {
  if (hashes.length === 32) return hashes;
  const middle = hashes.length / 2;
  return nodeHash(foldRoot(hashes.subarray(0, middle)), foldRoot(hashes.subarray(middle)));
}
