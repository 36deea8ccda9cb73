import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { request } from 'undici';
import { ClientGone } from '../../../../runtime/admission/call.ts';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { echo, toolOf, waiting } from '../../in-memory-tools.ts';
import { legacy, modern, modernVersion } from '../rpc.ts';

// Cancellation, deadlines and clients that are slow.

const call = { method: 'tools/call', params: { name: 'test_waiting' } };

test('a client that leaves aborts the call', async (t) => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<unknown>();
  const tool = waiting(stopped.resolve, started.resolve);
  const url = await startInMemoryServer(t, { tools: [tool] });
  const leaving = new AbortController();
  const answer = request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
    signal: leaving.signal,
  });
  await started.promise;
  leaving.abort();
  await assert.rejects(answer);
  assert.ok((await stopped.promise) instanceof ClientGone);
});

test('a client that has its answer does not abort anything', async (t) => {
  const signals: AbortSignal[] = [];
  const tool = toolOf({ name: 'test_quick' }, async (_args, { signal }) => {
    signals.push(signal);
    return { content: [] };
  });
  const url = await startInMemoryServer(t, { tools: [tool] });
  const params = { name: 'test_quick' };
  // The connection ends with the answer, so the server has seen it close before the second call.
  await legacy(url, { method: 'tools/call', params }, { connection: 'close' });
  await legacy(url, { method: 'tools/call', params });
  assert.equal(signals[0]?.aborted, false);
});

test('a call that takes too long ends with an error that may be retried', async (t) => {
  const stopped = Promise.withResolvers<unknown>();
  const url = await startInMemoryServer(t, {
    tools: [waiting(stopped.resolve)],
    callTimeoutMs: 100,
  });
  const { status, body } = await modern(url, call);
  assert.equal(status, 200);
  assert.equal(body.result?.['isError'], true);
  const { error } = body.result['structuredContent'] as { error: Record<string, unknown> };
  assert.equal(error['code'], 'upstream_timeout');
  assert.equal(error['retryable'], true);
  assert.equal(((await stopped.promise) as Error).name, 'ToolError');
});

test('a tool that ignores its signal does not keep the client waiting', async (t) => {
  const tool = toolOf({ name: 'test_waiting' }, () => new Promise(() => {}));
  const url = await startInMemoryServer(t, { tools: [tool], callTimeoutMs: 100 });
  const answers = await Promise.all([modern(url, call), modern(url, call)]);
  for (const { body } of answers) assert.equal(body.result?.['isError'], true);
});

test('every call has an id of its own, the same each time it is asked', async (t) => {
  const ids: string[] = [];
  const tool = toolOf({ name: 'test_waiting' }, async (_args, context) => {
    ids.push(context.callId, context.callId);
    return { content: [] };
  });
  const url = await startInMemoryServer(t, { tools: [tool] });
  await modern(url, call);
  await modern(url, call);
  assert.equal(new Set(ids).size, 2);
  assert.equal(ids[0], ids[1]);
});

const timeouts = { headers: 200, request: 300, check: 50 };

test('a head that does not arrive in time is 408', async (t) => {
  const url = await startInMemoryServer(t, { timeouts });
  const answer = await talk(url, `POST /mcp HTTP/1.1\r\nHost: localhost\r\n`);
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, /application\/problem\+json/);
});

test('a body that does not arrive in time is 408', async (t) => {
  const url = await startInMemoryServer(t, { timeouts });
  const head = ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  const answer = await talk(url, `${head.join('\r\n')}\r\nContent-Length: 50\r\n\r\n{"json`);
  assert.match(answer, /^HTTP\/1\.1 408 /);
});

test('what is not HTTP is 400', async (t) => {
  const url = await startInMemoryServer(t);
  assert.match(await talk(url, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 /);
});

test('a server that is asked many things at once on one connection answers all', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo] });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, id) =>
      modern(url, {
        id,
        method: 'tools/call',
        params: { name: 'test_echo', arguments: { text: `${modernVersion} ${id}` } },
      }),
    ),
  );
  for (const [id, { body }] of answers.entries()) {
    assert.equal(body.id, id);
    assert.deepEqual(body.result?.['structuredContent'], { text: `${modernVersion} ${id}` });
  }
});

/** Send bytes, and give everything that comes back until the server closes. */
async function talk(url: URL, bytes: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(received).toString();
}
