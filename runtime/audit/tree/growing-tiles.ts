import { type TileNodes, tileWidth } from './tile-nodes.ts';

interface Tile {
  readonly level: number;
  readonly index: number;
  readonly bytes: Buffer;
}

/** The tiles at the right edge of the tree, as entries arrive (C2SP tlog-tiles). */
export class GrowingTiles {
  readonly #nodes: TileNodes;
  /** The leaves of the last tile; they are stored as a tile once it is full. */
  readonly #leaves = Buffer.alloc(tileWidth * 32);
  readonly #grown = new Map<string, Tile>();

  constructor(nodes: TileNodes, size: number) {
    this.#nodes = nodes;
    this.#leaves.set(nodes.tile(0, Math.floor(size / tileWidth)));
  }

  /** Put a hash in its place: a leaf at level 0, the root of a full tile above. */
  put(level: number, index: number, hash: Uint8Array): void {
    const tile = Math.floor(index / tileWidth);
    const start = (index % tileWidth) * 32;
    if (level > 0) {
      const key = `${level}/${tile}`;
      const before = this.#grown.get(key)?.bytes ?? this.#nodes.tile(level, tile);
      const bytes = Buffer.concat([before.subarray(0, start), hash]);
      this.#grown.set(key, { level, index: tile, bytes });
      return;
    }
    this.#leaves.set(hash, start);
    if (start + 32 < this.#leaves.length) return;
    this.#grown.set(`0/${tile}`, { level, index: tile, bytes: Buffer.from(this.#leaves) });
  }

  /** Hand over what has to be stored. */
  take(): readonly Tile[] {
    const grown = [...this.#grown.values()];
    this.#grown.clear();
    return grown;
  }
}
