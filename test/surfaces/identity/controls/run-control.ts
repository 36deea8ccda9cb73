import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const hook = new URL('without-control.ts', import.meta.url).href;

/** A line of the product that can be taken out, and the test that is about it. */
export interface Removable {
  /** In `runtime/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Name of the test. */
  readonly name: string;
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly report: string;
}

/** Run one test of a file in a process of its own, perhaps without what it is about. */
export async function runControl(
  { file, from, to, name }: Removable,
  tests: URL,
  isRemoved: boolean,
): Promise<Outcome> {
  const pattern = `${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
  const args = ['--test-reporter=tap', `--test-name-pattern=${pattern}`, fileURLToPath(tests)];
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: options = '', ...env } = process.env;
  const removed = JSON.stringify({ file: `runtime/${file}`, from, to });
  // It holds for the servers that the test starts, too.
  const flags = isRemoved ? { NODE_OPTIONS: `${options} --import=${hook}` } : {};
  const child = spawn(process.execPath, args, {
    env: { ...env, ...flags, WITHOUT_CONTROL: removed },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [told, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(told)?.[1]);
  return { passed: count('pass'), failed: count('fail'), report: told + problems };
}
