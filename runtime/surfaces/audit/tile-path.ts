/** Which tile is asked for. */
export interface TileAddress {
  readonly index: number;
  /** How many of its 256 members; all of them when absent. */
  readonly width?: number;
}

const form = /^((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/**
 * Read the end of a tile's path: the index in groups of three digits, all but the last after an x,
 * and `.p/W` behind it for a partial tile (C2SP tlog-tiles, Parameters). Each tile has one path.
 */
export function parseTilePath(text: string): TileAddress | undefined {
  const [, groups, width] = form.exec(text) ?? [];
  if (groups === undefined || groups.startsWith('x000/')) return undefined;
  const index = Number(groups.replaceAll(/[x/]/g, ''));
  if (!Number.isSafeInteger(index * 256)) return undefined;
  if (width === undefined) return { index };
  return Number(width) < 256 ? { index, width: Number(width) } : undefined;
}
