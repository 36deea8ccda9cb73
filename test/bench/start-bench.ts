import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median, type Row } from './row.ts';
import { startFlags, startServer } from './server-process.ts';

const runs = 11;
const cli = fileURLToPath(new URL('../../runtime/cli.js', import.meta.url));

/** From the start of the process to the list of tools of all providers, beside the least of servers. */
export async function startBench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'start-bench-'));
  const dataDir = join(folder, 'data');
  await startOnce(dataDir);
  await startBare();
  const times: number[] = [];
  const bareTimes: number[] = [];
  for (let run = 0; run < runs; run++) {
    times.push(await startOnce(dataDir));
    bareTimes.push(await startBare());
  }
  rmSync(folder, { recursive: true });
  const ratio = median(times.map((time, run) => time / (bareTimes[run] ?? Number.NaN)));
  return [
    {
      what: 'start to first answered request, all providers / until a bare Fastify listens',
      target: 'at most 1.60',
      measured: ratio.toFixed(2),
      met: ratio <= 1.6,
      detail: `${median(times).toFixed(0)} and ${median(bareTimes).toFixed(0)} ms; the request is \`tools/list\`; warm compile caches`,
    },
  ];
}

/** Until the least of servers listens, in milliseconds. */
async function startBare(): Promise<number> {
  const start = performance.now();
  const { stop } = await startServer('fastify');
  const time = performance.now() - start;
  await stop();
  return time;
}

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    SERVICE_DATA_DIR: dataDir,
    SERVICE_PROVIDER: 'all-providers',
    SERVICE_TOOL_MODE: 'direct',
  };
  const start = performance.now();
  const child = spawn(process.execPath, [...startFlags, cli, 'serve'], { env, stdio: 'ignore' });
  try {
    await firstAnswer(`http://127.0.0.1:${port}/mcp`);
    return performance.now() - start;
  } finally {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  }
}

async function firstAnswer(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  for (let attempt = 0; attempt < 2000; attempt++) {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body });
      if (answer.status !== 200) throw new Error(`the first answer was ${answer.status}`);
      await answer.text();
      return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await sleep(5);
    }
  }
  throw new Error('the server did not start');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
