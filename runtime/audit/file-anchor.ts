import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Anchor } from './anchor.ts';
import { parseCheckpoint } from './verify.ts';

const keepEveryMs = 3_600_000;

/**
 * Keeps checkpoints in a folder on other storage: the newest under `newest`, and one an hour for
 * ever under its size. A folder for each log, named by its origin.
 */
export function createFileAnchor(folder: string): Anchor {
  let keptAt = Number.NEGATIVE_INFINITY;
  return {
    target: `file:${folder}`,
    everyMs: 0,
    async newest(origin) {
      return readIfThere(join(folder, folderName(origin), 'newest'));
    },
    async put({ note, size }, { origin }) {
      const place = join(folder, folderName(origin));
      await mkdir(place, { recursive: true, mode: 0o700 });
      await refuseOlder(join(place, 'newest'), size);
      await writeFlushed(join(place, 'newest'), note);
      let reference = join(place, 'newest');
      if (performance.now() - keptAt >= keepEveryMs) {
        keptAt = performance.now();
        reference = join(place, String(size).padStart(20, '0'));
        // What is kept is never replaced.
        if (!(await readIfThere(reference))) await writeFlushed(reference, note);
      }
      await flushFolder(place);
      return reference;
    },
  };
}

/** The anchor never goes back: the memory of a larger log is what it is for. */
async function refuseOlder(path: string, size: number): Promise<void> {
  const known = parseCheckpoint((await readIfThere(path)) ?? '');
  if (known !== undefined && known.size > size) {
    throw new Error(`${path} knows ${known.size} entries, more than ${size}`);
  }
}

function folderName(origin: string): string {
  return encodeURIComponent(origin).replace(/^\./, '%2E');
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Under its own name, a file is whole or not there. */
async function writeFlushed(path: string, text: string): Promise<void> {
  {
    await using file = await open(`${path}.new`, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(`${path}.new`, path);
}

async function flushFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}
