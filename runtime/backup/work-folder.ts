import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Do something in a folder on the same disk that is gone afterwards, whatever happens. */
export async function inWorkFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(parent, '.backup-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Put a file, or the names in a folder, on the disk. */
export function synchronize(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
