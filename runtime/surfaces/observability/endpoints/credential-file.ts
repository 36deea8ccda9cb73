import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Read a credential from a file. A pipe or a device is opened without waiting for whoever writes into
 * it, and not read.
 *
 * @param most characters, of which UTF-8 has at most four bytes each
 * @throws Error without the path, where there is no such file or it is too large; that of the file
 *   system, with a `code`, where it cannot be opened
 */
export async function readCredential(path: string, most: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error('the credential is no regular file');
    if (found.size > 4 * most) throw new Error('the credential is larger than any header');
    // One that has no size, as those of /proc, may never end.
    const stream = file.createReadStream({ end: 4 * most, autoClose: false });
    return Buffer.concat((await stream.toArray()) as Buffer[]).toString('utf8');
  } finally {
    await file.close();
  }
}
