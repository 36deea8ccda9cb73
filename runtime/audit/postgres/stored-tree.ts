import type { LRUCache } from 'lru-cache';
import type { TreeNodes } from '../tree/merkle.ts';
import { foldRoot, tileWidth } from '../tree/tile-nodes.ts';
import type { Connection } from './connection.ts';

export type Tiles = Pick<LRUCache<string, Uint8Array>, 'get' | 'set'>;

/** What reads need of a connection. */
export type Queries = Pick<Connection, 'query'>;

/** Where a log is read, and the full tiles of it that are known already: they never change. */
export interface StoredTree {
  readonly queries: Queries;
  readonly log: number;
  readonly known?: Tiles | undefined;
}

interface TileName {
  readonly level: number;
  readonly index: number;
}

/**
 * Load the nodes that `ask` asks for, all of their tiles in one query. `ask` gets empty hashes: which
 * nodes a proof or a root needs does not depend on what they hold.
 */
export async function loadNodes(
  tree: StoredTree,
  ask: (nodes: TreeNodes) => unknown,
): Promise<TreeNodes> {
  const wanted = new Map<string, TileName>();
  ask({
    node(height, index) {
      const { level, tile } = placeOf(height, index);
      wanted.set(`${level}/${tile}`, { level, index: tile });
      return nothing;
    },
  });
  const tiles = await readTiles(tree, [...wanted.values()]);
  return {
    node(height, index) {
      const { level, tile, first, width } = placeOf(height, index);
      const hashes = tiles.get(`${level}/${tile}`)?.subarray(first * 32, (first + width) * 32);
      if (hashes?.length === width * 32) return foldRoot(hashes);
      throw new Error(`the tree has no node ${height}/${index}`);
    },
  };
}

/** Compute something from the nodes of a stored tree; `compute` runs twice, see `loadNodes`. */
export async function fromNodes<T>(tree: StoredTree, compute: (nodes: TreeNodes) => T): Promise<T> {
  return compute(await loadNodes(tree, compute));
}

const nothing = new Uint8Array(32);

/** Which hashes of which tile lie under a node. */
function placeOf(height: number, index: number) {
  const width = 2 ** (height % 8);
  const tile = Math.floor((index * width) / tileWidth);
  return { level: Math.floor(height / 8), tile, first: (index * width) % tileWidth, width };
}

/**
 * Read tiles as far as they go, by `level/index`. The hashes of level 0 stand beside the entries
 * until their tile is full.
 */
export async function readTiles(
  { queries, log, known }: StoredTree,
  names: readonly TileName[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const missing = names.filter((name) => {
    const tile = known?.get(keyOf(name));
    if (tile !== undefined) found.set(keyOf(name), tile);
    return tile === undefined;
  });
  if (missing.length === 0) return found;
  const rows = await queries.query(
    `select level, idx, bytes from audit_tile
     join unnest($2::integer[], $3::bigint[]) as wanted (level, idx) using (level, idx)
     where log = $1`,
    [log, missing.map(({ level }) => level), missing.map(({ index }) => index)],
  );
  for (const row of rows) {
    const bytes = bytesOf(row['bytes']);
    found.set(`${row['level']}/${row['idx']}`, bytes);
    if (bytes.length === tileWidth * 32) known?.set(`${row['level']}/${row['idx']}`, bytes);
  }
  for (const { level, index } of missing) {
    if (level > 0 || found.has(`0/${index}`)) continue;
    const leaves = await queries.query(
      'select leaf from audit_entry where log = $1 and seq >= $2 and seq < $3 order by seq',
      [log, index * tileWidth, (index + 1) * tileWidth],
    );
    found.set(`0/${index}`, Buffer.concat(leaves.map(({ leaf }) => bytesOf(leaf))));
  }
  return found;
}

function keyOf({ level, index }: TileName): string {
  return `${level}/${index}`;
}

export function bytesOf(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  throw new Error('the audit log is damaged: expected bytes');
}
