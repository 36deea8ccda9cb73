import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AuditLog } from '#contract/audit';
import { tileWidth } from './tile-nodes.ts';
import { tilePath } from './verify-files.ts';

/** What the export needs of a log: any log that answers the public routes can be exported. */
type Exportable = Pick<AuditLog, 'checkpoint' | 'tile' | 'entriesBundle' | 'vkey'>;

/**
 * Write the log up to its newest checkpoint as the files of a tlog-tiles log, complete enough to be
 * verified with the verifier key alone; returns that checkpoint's size.
 */
export async function exportLog(log: Exportable, folder: string): Promise<number> {
  const { note, size } = await log.checkpoint();
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / tileWidth)) {
    await eachTile(count, async (index, width, path) => {
      await save(join(folder, 'tile', String(level), path), await log.tile(level, index, width));
    });
  }
  await eachTile(size, async (index, width, path) => {
    await save(join(folder, 'tile', 'entries', path), await log.entriesBundle(index, width));
  });
  await save(join(folder, 'checkpoints', String(size).padStart(20, '0')), Buffer.from(note));
  await save(join(folder, 'vkey'), Buffer.from(`${log.vkey}\n`));
  // Last, so that a folder with a checkpoint is complete.
  await save(join(folder, 'checkpoint'), Buffer.from(note));
  return size;
}

/** Visit the tiles of `count` hashes: full ones, then what is left as a partial one. */
async function eachTile(
  count: number,
  visit: (index: number, width: number, path: string) => Promise<void>,
): Promise<void> {
  const full = Math.floor(count / tileWidth);
  for (let index = 0; index < full; index++) await visit(index, tileWidth, tilePath(index));
  const rest = count % tileWidth;
  if (rest > 0) await visit(full, rest, `${tilePath(full)}.p/${rest}`);
}

async function save(path: string, bytes: Uint8Array | undefined): Promise<void> {
  if (bytes === undefined) throw new Error(`the log has nothing for ${path}`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, bytes, { mode: 0o600 });
}
