import { writeSync } from 'node:fs';

/** Tell whoever watches this process how far it is; what was told outlives a kill. */
export function mark(...words: readonly (string | number)[]): void {
  writeSync(1, `${words.join(' ')}\n`);
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
