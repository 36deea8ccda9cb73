import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface Usage {
  readonly seconds: number;
  /** Peak resident memory in MB. */
  readonly megabytes: number;
}

const preload = fileURLToPath(new URL('report-usage.ts', import.meta.url));

/** The root of this project. */
export const project = fileURLToPath(new URL('../../..', import.meta.url));

/** Run a script of this project from start to end in `folder`, and say what it took. */
export async function wholeProcess(
  folder: string,
  script: string,
  ...args: readonly string[]
): Promise<Usage> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', preload, join(project, script), ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let peakKilobytes = Number.NaN;
  child.on('message', (message) => {
    peakKilobytes = (message as { peakKilobytes: number }).peakKilobytes;
  });
  const said = child.stderr ? text(child.stderr) : '';
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${script} ended with code ${code}: ${await said}`);
  return { seconds: (performance.now() - start) / 1000, megabytes: peakKilobytes / 1000 };
}
