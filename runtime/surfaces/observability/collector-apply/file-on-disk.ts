import { createHash } from 'node:crypto';
import { copyFile, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What stands at a path; nothing where there is no file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Put a text at a path, whole or not at all, also when the power fails meanwhile. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o640);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Where the last file stands that the collector has taken. */
export function lastGoodPath(path: string): string {
  return `${path}.last-good`;
}

/** Keep what stands at a path before it is replaced. */
export async function keepLastGood(path: string): Promise<void> {
  await copyFile(path, lastGoodPath(path));
}

/** Put back what was there before, or nothing. */
export async function restore(path: string, former: string | undefined): Promise<void> {
  if (former === undefined) await rm(path, { force: true });
  else await writeWhole(path, former);
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
