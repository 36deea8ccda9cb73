import type { AuditLog } from '#contract/house/audit';
import { tilePath } from '../verify/verify-files.ts';
import { tileWidth } from './tile-nodes.ts';

/** A file of a tlog-tiles log: `level` hashes, or entries. */
export interface LogTile {
  readonly level: number | 'entries';
  readonly index: number;
  readonly width: number;
  /** Below `tile/`. */
  readonly path: string;
}

/**
 * The files that a log needs at `size` besides those that it had at `from`: bundles and tiles that
 * have become full, and the partial ones of that size (C2SP tlog-tiles, "Partial Tiles").
 */
export function* newTiles(from: number, size: number): Generator<LogTile> {
  yield* tilesOf('entries', from, size);
  let [before, count] = [from, size];
  for (let level = 0; count > before; level++) {
    yield* tilesOf(level, before, count);
    [before, count] = [Math.floor(before / tileWidth), Math.floor(count / tileWidth)];
  }
}

function* tilesOf(level: LogTile['level'], from: number, count: number): Generator<LogTile> {
  const full = Math.floor(count / tileWidth);
  for (let index = Math.floor(from / tileWidth); index < full; index++) {
    yield { level, index, width: tileWidth, path: `${level}/${tilePath(index)}` };
  }
  const width = count % tileWidth;
  if (width === 0 || count === from) return;
  yield { level, index: full, width, path: `${level}/${tilePath(full)}.p/${width}` };
}

/** Read a file of the log. */
export async function readTile(
  log: Pick<AuditLog, 'tile' | 'entriesBundle'>,
  { level, index, width, path }: LogTile,
): Promise<Uint8Array> {
  const bytes =
    level === 'entries'
      ? await log.entriesBundle(index, width)
      : await log.tile(level, index, width);
  if (bytes === undefined) throw new Error(`the log has nothing for tile/${path}`);
  return bytes;
}
