import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AuditLog } from '#contract/house/audit';
import { makeFolderLater } from '../../process/folders.ts';
import { newTiles, readTile } from '../tree/log-tiles.ts';
import { readHandovers } from './handovers.ts';

/** What the export needs of a log: any log that answers the public routes can be exported. */
type Exportable = Pick<AuditLog, 'checkpoint' | 'tile' | 'entriesBundle' | 'proof' | 'keys'>;

/**
 * Write the log up to its newest checkpoint as the files of a tlog-tiles log, complete enough to be
 * verified with any of its verifier keys alone; returns that checkpoint's size.
 */
export async function exportLog(log: Exportable, folder: string): Promise<number> {
  const { note, size } = await log.checkpoint();
  for (const tile of newTiles(0, size)) {
    await save(join(folder, 'tile', tile.path), await readTile(log, tile));
  }
  for (const checkpoint of [...(await readHandovers(log, 0, size)), { size, note }]) {
    const name = String(checkpoint.size).padStart(20, '0');
    await save(join(folder, 'checkpoints', name), Buffer.from(checkpoint.note));
  }
  const vkeys = log.keys.map(({ vkey }) => `${vkey}\n`);
  await save(join(folder, 'vkey'), Buffer.from(vkeys.join('')));
  // Last, so that a folder with a checkpoint is complete.
  await save(join(folder, 'checkpoint'), Buffer.from(note));
  return size;
}

async function save(path: string, bytes: Uint8Array): Promise<void> {
  await makeFolderLater(dirname(path));
  await writeFile(path, bytes, { mode: 0o600 });
}
