import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import type { TestContext } from 'node:test';
import { startCli } from './run-cli.ts';

/** A server that listens. */
export interface Served {
  readonly child: ChildProcess;
  readonly greeting: string;
  readonly url: URL;
  /** Everything on standard error so far. */
  readonly log: () => string;
}

/** Start the server in a process of its own and wait until it says that it listens. */
export async function serve(
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = startCli(['serve'], { PORT: '0', ...env });
  t.after(() => child.kill('SIGKILL'));
  let greeting = '';
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  for await (const chunk of child.stdout ?? []) {
    greeting += chunk;
    if (greeting.includes('Ctrl+C')) break;
  }
  const address = /listens on (\S+)/.exec(greeting)?.[1];
  assert.ok(address, log);
  return { child, greeting, url: new URL('/mcp', address), log: () => log };
}
