import { writeSync } from 'node:fs';

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Tell whoever watches this process how far it is; what was told outlives a kill. */
export function mark(...words: readonly (string | number)[]): void {
  let rest = Buffer.from(`${words.join(' ')}\n`);
  while (rest.length > 0) rest = rest.subarray(written(rest));
}

/** Standard output does not wait by itself until the watcher has read what fills it. */
function written(bytes: Buffer): number {
  try {
    return writeSync(1, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(pause, 0, 0, 1);
    return 0;
  }
}

/** Do what must not be interrupted without harm being looked for afterwards. */
export async function section(work: () => Promise<unknown>): Promise<void> {
  mark('begin');
  await work();
  mark('end');
}

/** Stay until the kill. */
export function stay(): void {
  setInterval(() => {}, 1000);
}
