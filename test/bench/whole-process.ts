import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Usage {
  readonly seconds: number;
  /** Peak resident memory in MB. */
  readonly megabytes: number;
}

const preload = fileURLToPath(new URL('report-usage.ts', import.meta.url));
const project = fileURLToPath(new URL('../..', import.meta.url));

/** Run a Node program from start to end, and say what it took. */
export async function wholeProcess(...args: readonly string[]): Promise<Usage> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let peakKilobytes = Number.NaN;
  child.on('message', (message) => {
    peakKilobytes = (message as { peakKilobytes: number }).peakKilobytes;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with code ${code}`);
  return { seconds: (performance.now() - start) / 1000, megabytes: peakKilobytes / 1000 };
}
