import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder, serverOf } from './data-folder.ts';
import { modern, type StdioProcess, startStdio } from './stdio-process.ts';

// Real processes: a client that asks and asks and never reads costs its bridge and the server little.

const everyTool = { SERVICE_PROVIDER: '', SERVICE_TOOL_MODE: 'direct' };
const asked = 4_000;
const mostAdded = 48 * 1024 * 1024;

/** The most memory that a process has had so far, in bytes. */
function peakOf(pid: number | undefined): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Ask without end, as far as the bridge reads. */
async function askAll({ child: { stdin } }: StdioProcess, counts: { written: number }) {
  for (let id = 0; id < asked; id++) {
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...modern('tools/list') });
    if (!stdin.write(`${text}\n`)) await once(stdin, 'drain');
    counts.written += 1;
  }
}

test('a client that never reads is not read either, and gets everything once it does', async (t) => {
  const dataDir = dataFolder(t);
  const stdio = startStdio(t, dataDir, everyTool);
  const other = startStdio(t, dataDir, everyTool);
  const { result } = await stdio.ask('first', 'tools/list');
  const bytes = JSON.stringify(result).length;
  assert.ok(bytes * asked > 2 * mostAdded, `${bytes} bytes are no large answer`);
  await other.ask('first', 'tools/list');
  const processes = { bridge: stdio.child.pid, server: serverOf(dataDir) };
  const before = { bridge: peakOf(processes.bridge), server: peakOf(processes.server) };

  stdio.child.stdout.pause();
  const counts = { written: 0 };
  const asking = askAll(stdio, counts);
  for (let last = -1; last < counts.written; ) {
    last = counts.written;
    assert.ok((await other.ask(`other ${last}`, 'tools/list')).result);
    await sleep(500);
  }
  assert.ok(counts.written < asked, 'all that was written was read');
  for (const name of ['bridge', 'server'] as const) {
    const added = peakOf(processes[name]) - before[name];
    assert.ok(added < mostAdded, `the ${name} took ${added} bytes more`);
  }

  stdio.child.stdout.resume();
  await asking;
  for (let id = 0; id < asked; id++) assert.ok((await stdio.answer(id)).result, String(id));
});

test('a client that never reads what is wrong with its lines is not read either', async (t) => {
  const stdio = startStdio(t, dataFolder(t), everyTool);
  await stdio.ask('first', 'tools/list');
  const before = peakOf(stdio.child.pid);
  stdio.child.stdout.pause();
  const lines = Buffer.from('x\n'.repeat(4_000));
  let count = 0;
  const writing = (async () => {
    for (; count < 100; count++) {
      if (!stdio.child.stdin.write(lines)) await once(stdio.child.stdin, 'drain');
    }
  })();
  for (let last = -1; last !== count; await sleep(500)) last = count;
  assert.ok(count < 100, 'all that was written was read');
  const added = peakOf(stdio.child.pid) - before;
  assert.ok(added < mostAdded, `${added} bytes more`);
  stdio.child.stdout.resume();
  await writing;
  assert.ok((await stdio.ask('last', 'tools/list')).result);
});

test('a client that closes its end and reads nothing is left, with its requests', async (t) => {
  const stdio = startStdio(t, dataFolder(t), everyTool);
  await stdio.ask('first', 'tools/list');
  stdio.child.stdout.pause();
  for (let id = 0; id < 300; id++) stdio.send({ id, ...modern('tools/list') });
  assert.equal(await stdio.end(), 0);
  assert.match(stdio.log, /the client has closed its end and does not read its answers/);
});
