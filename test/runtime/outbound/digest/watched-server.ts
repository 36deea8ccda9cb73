import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Env, ownVariables } from '../../cli/run-cli.ts';
import type { Watched } from './watch-main-thread.ts';

export interface WatchedServer {
  readonly url: URL;
  /** What it has used since it was last asked. */
  watched(): Promise<Watched>;
  /** Call a tool; gives the text of its result. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<string>;
}

const cli = fileURLToPath(new URL('../../../../runtime/cli.js', import.meta.url));
const preload = new URL('watch-main-thread.ts', import.meta.url).href;

/** Start the server as `npm start` does, in a process that is watched. */
export async function watchedServer(t: TestContext, env: Env): Promise<WatchedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'));
  const flags = ['--max-semi-space-size=2', '--max-old-space-size=512', '--import', preload];
  const child = spawn(process.execPath, [...flags, cli, 'serve'], {
    env: { ...ownVariables(), PORT: '0', SERVICE_DATA_DIR: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  let greeting = '';
  for await (const chunk of child.stdout ?? []) {
    greeting += chunk;
    if (greeting.includes('Ctrl+C')) break;
  }
  const address = /listens on (\S+)/.exec(greeting)?.[1];
  assert.ok(address, greeting);
  return {
    url: new URL(address),
    async watched() {
      child.send('watched');
      const [watched] = await Promise.race([
        once(child, 'message'),
        ended.then(([code, signal]) => assert.fail(`the server has ended: ${code ?? signal}`)),
      ]);
      return watched as Watched;
    },
    async call(name, args) {
      const params = { name, arguments: args };
      const answer = await fetch(new URL('/mcp', address), {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      const { result } = (await answer.json()) as { result: { content: { text?: string }[] } };
      return result.content.map(({ text = '' }) => text).join('\n');
    },
  };
}
