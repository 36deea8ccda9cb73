import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import { type ServerOptions, startInMemoryServer } from '../in-memory-server.ts';
import { toolOf } from '../in-memory-tools.ts';

// RFC 9110 section 15.6.4: a server that is overloaded says so, and when to come again.

const routes = [
  {
    route: {
      name: 'getThing',
      method: 'GET',
      path: '/thing',
      access: 'public',
      responses: { 204: {} },
    },
    handle: async () => ({ status: 204 }),
  },
  {
    route: {
      name: 'getSale',
      method: 'GET',
      path: '/acp/sale',
      access: 'public',
      errors: 'acp',
      responses: { 204: {} },
    },
    handle: async () => ({ status: 204 }),
  },
  {
    route: {
      name: 'getLife',
      method: 'GET',
      path: '/life',
      access: 'public',
      isVital: true,
      responses: { 204: {} },
    },
    handle: async () => ({ status: 204 }),
  },
] as const;

function caller(url: URL) {
  return (name: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: bodyOf(name),
    });
}

function bodyOf(name: string): string {
  const params = { name, arguments: {} };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

/** A server with a tool that goes on until it is told to end. */
async function withHeld(t: TestContext, crowd: ServerOptions['crowd']) {
  const began = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const held = toolOf({ name: 'test_held' }, async () => {
    began.resolve();
    await end.promise;
    return { content: [] };
  });
  const url = await startInMemoryServer(t, { tools: [held], routes, ...(crowd && { crowd }) });
  return { url, call: caller(url), began: began.promise, end: end.resolve };
}

test('more calls than may run at a time are refused, and told when to come again', async (t) => {
  const { url, call, began, end } = await withHeld(t, { callLimit: 1 });
  const first = call('test_held');
  await began;
  const refused = await call('test_held');
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '1');
  const { error } = (await refused.json()) as {
    error: { code: number; message: string; data: object };
  };
  assert.equal(error.code, -31503);
  assert.deepEqual(error.data, { retryAfterMs: 1000 });
  assert.match(error.message, /nothing was done/);

  const thing = await fetch(new URL('/thing', url));
  assert.equal(thing.status, 503);
  assert.equal(thing.headers.get('content-type'), 'application/problem+json');
  assert.equal(((await thing.json()) as { code: string }).code, 'overloaded');
  const sale = await fetch(new URL('/acp/sale', url));
  assert.equal(sale.headers.get('content-type'), 'application/json');
  const { type, code } = (await sale.json()) as { type: string; code: string };
  assert.deepEqual([type, code], ['service_unavailable', 'overloaded']);
  assert.equal((await fetch(new URL('/life', url))).status, 204);

  end();
  assert.equal((await first).status, 200);
  assert.equal((await fetch(new URL('/thing', url))).status, 204);
});

/** Connections that the server has accepted; each sends one request and gives the status of its answer. */
async function connections(url: URL, count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(url.port), url.hostname);
      socket.write(`GET /life HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
      await once(socket, 'data');
      return async (head: string, body = ''): Promise<number> => {
        let received = '';
        socket.on('data', (chunk) => {
          received += chunk;
        });
        socket.write(`${head}\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n${body}`);
        await once(socket, 'close');
        return Number(received.slice(9, 12));
      };
    }),
  );
}

test('what waits too long for the processor is refused; all else is done, and health is told', async (t) => {
  let done = 0;
  const busy = toolOf({ name: 'test_busy' }, async () => {
    const end = performance.now() + 20;
    while (performance.now() < end);
    done += 1;
    return { content: [] };
  });
  const crowd = { overloadWaitMs: 10 };
  const url = await startInMemoryServer(t, { tools: [busy], routes, crowd });
  const [life, ...callers] = await connections(url, 201);
  const body = bodyOf('test_busy');
  const head = [
    'POST /mcp HTTP/1.1',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
  ].join('\r\n');
  const statuses: number[] = [];
  const calls = callers.map(async (call) => statuses.push(await call(head, body)));
  // It is sent after all of them, and answered before most of them.
  assert.equal(await life?.('GET /life HTTP/1.1'), 204);
  const before = statuses.length;
  await Promise.all(calls);
  assert.ok(before < statuses.length, `health was told after ${before} of ${statuses.length}`);
  const accepted = statuses.filter((each) => each === 200).length;
  const refused = statuses.filter((each) => each === 503).length;
  assert.equal(accepted + refused, callers.length);
  assert.ok(refused > 0, 'none was refused');
  assert.ok(accepted > 0, 'none was accepted');
  assert.equal(done, accepted);
  assert.equal((await caller(url)('test_busy')).status, 200);
});

test('a refused client goes on with the same connection, but not after a long body', async (t) => {
  const { url, call, began, end } = await withHeld(t, { callLimit: 1 });
  const first = call('test_held');
  await began;
  const short = await fetch(url, { method: 'POST', body: '{}' });
  assert.equal(short.headers.get('connection'), 'keep-alive');
  await short.arrayBuffer();
  const long = await fetch(url, { method: 'POST', body: 'x'.repeat(1_000_000) });
  assert.equal(long.status, 503);
  assert.equal(long.headers.get('connection'), 'close');
  end();
  await first;
});

test('a connection beyond those that may be open is closed, and the others go on', async (t) => {
  const { url, call, began, end } = await withHeld(t, { connectionLimit: 1 });
  const first = call('test_held');
  await began;
  await assert.rejects(fetch(new URL('/thing', url)));
  end();
  assert.equal((await first).status, 200);
});
