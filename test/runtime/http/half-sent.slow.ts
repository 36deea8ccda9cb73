import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../cli/served.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

// A real process: clients that begin large requests and leave it at that take memory that has an end.

const megabyte = 1024 * 1024;
const clients = 150;
const part = Buffer.alloc(3 * megabyte, 0x20);
/** 64 MiB are held; the rest is what connections and the collection of garbage take. */
const mostAdded = 256 * megabyte;

/** The most memory that a process has had so far, in bytes. */
function peakOf(pid: number | undefined): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** A client that sends most of a body; gives its connection once all of it is sent, or it is cut. */
async function beginning(t: TestContext, url: URL, path: string): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname)
    .on('error', () => {})
    .resume();
  t.after(() => socket.destroy());
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${url.host}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${part.length + 1}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await Promise.race([new Promise((sent) => socket.write(part, sent)), once(socket, 'close')]);
  return socket;
}

test('bodies that are never complete are held up to a bound, and others are served', async (t) => {
  const env = { SERVICE_DATA_DIR: temporaryDirectory(t), SERVICE_PROVIDER: 'osv' };
  const { child, url } = await serve(t, env);
  const ask = async () => {
    const params = { name: 'service_status', arguments: {} };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const body = JSON.stringify(message).padEnd(100_000);
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  assert.equal(await ask(), 200);
  const before = peakOf(child.pid);
  const peaks: number[] = [];
  for (let round = 0; round < 3; round++) {
    const sockets = [];
    for (let count = 0; count < clients; count++) {
      sockets.push(await beginning(t, new URL(url), new URL(url).pathname));
    }
    // What the system holds for the server is read in its own time.
    while (sockets.filter(({ closed }) => closed).length < clients / 2) await sleep(50);
    assert.equal(await ask(), 200);
    peaks.push(peakOf(child.pid) - before);
    for (const socket of sockets) socket.destroy();
  }
  const [first = 0, , last = 0] = peaks;
  t.diagnostic(`added: ${peaks}`);
  assert.ok(first < mostAdded, `${first} bytes more`);
  // What they have left is used again.
  assert.ok(last < mostAdded, `${last} bytes more after ${peaks.length} rounds`);
});
