import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { ServiceError } from '#contract/errors';
import type { RouteHandler } from '#contract/surface/route';
import { mirror, routeOf, serveRoutes } from './serve-routes.ts';

const get = { method: 'GET' } as const;

test('cookies are parameters like others, and an answer may set several (RFC 6265)', async (t) => {
  const parameters = [{ name: 'session', in: 'cookie' }] as const;
  const schema = { type: 'object', properties: { session: { type: 'string', maxLength: 5 } } };
  const input = {
    type: 'object',
    properties: { parameters: { ...schema, required: ['session'] } },
  };
  const route = routeOf({ ...get, parameters, input });
  const cookies = ['a=1; Path=/', 'b=2; HttpOnly'];
  const handle: RouteHandler = async (asked) => ({
    ...(await mirror(asked)),
    headers: { 'set-cookie': cookies, 'x-one': 'y' },
  });
  const { send } = await serveRoutes(t, [[route, handle]]);
  const asked = async (cookie?: string) => send({ ...get, ...(cookie && { headers: { cookie } }) });
  const { headers, json } = await asked('other=x; session=abc; session=later; c');
  assert.deepEqual(json.parameters, { session: 'abc' });
  assert.deepEqual(headers['set-cookie'], cookies);
  assert.equal(headers['x-one'], 'y');
  assert.deepEqual((await asked('session="abc"')).json.parameters, { session: 'abc' });
  assert.equal((await asked('session=abcdef')).status, 400);
  assert.equal((await asked()).status, 400);
  assert.match((await asked()).json.detail, /parameters\.session/);
});

const choices = routeOf({
  ...get,
  responses: { 200: { contentType: ['text/html; charset=utf-8', 'application/json'] } },
});

test('a client gets the media type that it likes best (RFC 9110 section 12.5.1)', async (t) => {
  const made: string[] = [];
  const handle: RouteHandler = async () => {
    const content = {
      'text/html; charset=utf-8': () => {
        made.push('html');
        return '<p>';
      },
      'application/json': async () => {
        made.push('json');
        return { a: 1 };
      },
    };
    return { status: 200, content };
  };
  const { send } = await serveRoutes(t, [[choices, handle]]);
  const typeFor = async (accept?: string) => {
    const { status, headers } = await send({ ...get, ...(accept && { headers: { accept } }) });
    if (status === 200) assert.equal(headers['vary'], 'Accept');
    return `${status} ${headers['content-type']}`;
  };
  const html = '200 text/html; charset=utf-8';
  const json = '200 application/json; charset=utf-8';
  assert.equal(await typeFor(), html);
  assert.equal(await typeFor('*/*'), html);
  assert.equal(await typeFor('application/json'), json);
  assert.equal(await typeFor('text/html;q=0.5, application/json;q=0.6'), json);
  assert.equal(await typeFor('application/json;q=0.5, text/*;q=0.6'), html);
  assert.equal(await typeFor('text/html;q=0, */*'), json);
  assert.deepEqual(made.length, 6, 'only what is sent is made');
  assert.match(await typeFor('image/png'), /^406 application\/problem\+json/);
  assert.match(await typeFor('text/html;q=0'), /^406 /);
  const { json: problem } = await send({ ...get, headers: { accept: 'image/png' } });
  assert.deepEqual(problem.supported, ['text/html; charset=utf-8', 'application/json']);
  assert.equal(made.length, 6, 'nothing is done for a client that takes none of it');
});

test('a handler that does not make what it declares is a fault of the server', async (t) => {
  const handle: RouteHandler = async () => ({ status: 200, content: {} });
  const { send } = await serveRoutes(t, [[choices, handle]]);
  assert.equal((await send(get)).status, 500);
});

const events = routeOf({ ...get, responses: { 200: { contentType: 'text/event-stream' } } });

test('events are sent one by one, as they happen (WHATWG HTML, server-sent events)', async (t) => {
  const next = Promise.withResolvers<void>();
  async function* happen() {
    yield { data: { a: 1 }, event: 'made', id: '1', retryMs: 1500 };
    await next.promise;
    yield { data: 'two\nlines\r\nand a third' };
    yield { data: 'x', event: 'a\ndata: forged', id: '2\r\n' };
  }
  const { url } = await serveRoutes(t, [[events, async () => ({ status: 200, body: happen() })]]);
  const answer = await fetch(new URL('/act', url));
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader?.read();
  assert.equal(first?.value, 'event: made\nid: 1\nretry: 1500\ndata: {"a":1}\n\n');
  next.resolve();
  let rest = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) break;
    rest += value;
  }
  const forged = 'event: a data: forged\nid: 2  \ndata: x\n\n';
  assert.equal(rest, `data: two\ndata: lines\ndata: and a third\n\n${forged}`);
});

const chunks = routeOf({ ...get, responses: { 200: { contentType: 'text/plain' } } });

/** Chunks without end, and how many were taken. */
function endless(size: number) {
  const state = { made: 0, ended: Promise.withResolvers<void>() };
  async function* make() {
    try {
      for (;;) {
        state.made += 1;
        yield 'x'.repeat(size);
        await sleep(0);
      }
    } finally {
      state.ended.resolve();
    }
  }
  return { state, make };
}

test('a client that leaves ends the stream', async (t) => {
  for (const route of [events, chunks]) {
    const { state, make } = endless(10);
    const body = route === events ? toEvents(make()) : make();
    const { url } = await serveRoutes(t, [[route, async () => ({ status: 200, body })]]);
    const leaving = new AbortController();
    const answer = await fetch(new URL('/act', url), { signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    await state.ended.promise;
  }
});

async function* toEvents(parts: AsyncIterable<string>) {
  for await (const data of parts) yield { data };
}

test('no more is made than a client reads', async (t) => {
  const { state, make } = endless(1_000_000);
  const { url } = await serveRoutes(t, [[chunks, async () => ({ status: 200, body: make() })]]);
  const socket = connect(Number(url.port), url.hostname);
  t.after(() => socket.destroy());
  socket.write('GET /act HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.pause();
  let before = -1;
  // What the buffers between both take has an end.
  while (state.made !== before) {
    before = state.made;
    await sleep(300);
  }
  assert.ok(state.made < 100, `${state.made} MB were made`);
  socket.destroy();
  await state.ended.promise;
});

/** Clients must be fast. */
const hasty = { timeouts: { headers: 200, request: 200, check: 1000 } } as const;

/** More than the system keeps for a client that does not read. */
const moreThanBuffers = 64_000_000;

test('a client that reads nothing is cut off, and no second part was made for it', async (t) => {
  for (const route of [events, chunks]) {
    const { state, make } = endless(moreThanBuffers);
    const body = route === events ? toEvents(make()) : make();
    const handle: RouteHandler = async () => ({ status: 200, body });
    const { url, running } = await serveRoutes(t, [[{ ...route, isLong: true }, handle]], hasty);
    const socket = connect(Number(url.port), url.hostname);
    t.after(() => socket.destroy());
    socket.write('GET /act HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.pause();
    await state.ended.promise;
    assert.equal(state.made, 1);
    while (running.size > 0) await sleep(1);
  }
});

test('a client that reads is not cut off, and many waits for it leave nothing behind', async (t) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  const { state, make } = endless(100_000);
  const handle: RouteHandler = async () => ({ status: 200, body: make() });
  const { url } = await serveRoutes(t, [[chunks, handle]], hasty);
  const leaving = new AbortController();
  const { body } = await fetch(new URL('/act', url), { signal: leaving.signal });
  const reader = body?.getReader();
  // Each part is larger than what may be written without a wait.
  while (state.made < 40) assert.equal((await reader?.read())?.done, false);
  leaving.abort();
  await state.ended.promise;
  assert.deepEqual(warnings, []);
});

test('the deadline of a call ends a stream: events in peace, others visibly cut', async (t) => {
  const slow = () => endless(1).make();
  const routes = [
    [events, async () => ({ status: 200, body: toEvents(slow()) })],
    [{ ...chunks, path: '/cut' }, async () => ({ status: 200, body: slow() })],
  ] as const;
  const { url } = await serveRoutes(t, routes, { callTimeoutMs: 100 });
  const whole = await fetch(new URL('/act', url));
  assert.match(await whole.text(), /^data: x\n\n/);
  const cut = await fetch(new URL('/cut', url));
  await assert.rejects(cut.text());
});

test('a stream that the spec marks as long goes on until the server stops', async (t) => {
  const { state, make } = endless(1);
  const long = { ...events, isLong: true } as const;
  const handle: RouteHandler = async () => ({ status: 200, body: toEvents(make()) });
  const { url, server, running } = await serveRoutes(t, [[long, handle]], { callTimeoutMs: 50 });
  const answer = await fetch(new URL('/act', url));
  const reader = answer.body?.getReader();
  const until = performance.now() + 300;
  while (performance.now() < until) assert.equal((await reader?.read())?.done, false);
  assert.equal(running.size, 1);
  const closed = server.close();
  while (!(await reader?.read())?.done);
  await closed;
  await state.ended.promise;
  assert.equal(running.size, 0);
});

test('a stream that fails before its first part is an error, later it is cut', async (t) => {
  const failing = async function* (parts: number) {
    for (let part = 0; part < parts; part += 1) yield 'x';
    throw new ServiceError('gone', 410, 'it is gone');
  };
  const routes = [0, 1].map((parts) => {
    const handle: RouteHandler = async () => ({ status: 200, body: failing(parts) });
    return [{ ...chunks, path: `/${parts}` }, handle] as const;
  });
  const { url, send } = await serveRoutes(t, routes);
  const early = await send({ ...get, path: '/0' });
  assert.equal(early.status, 410);
  assert.equal(early.json.code, 'gone');
  const late = await fetch(new URL('/1', url));
  assert.equal(late.status, 200);
  await assert.rejects(late.text());
});

test('a HEAD request starts no stream', async (t) => {
  const { state, make } = endless(1);
  const { send } = await serveRoutes(t, [[chunks, async () => ({ status: 200, body: make() })]]);
  const { status, headers, text } = await send({ method: 'HEAD' });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/plain');
  assert.equal(text, '');
  assert.equal(state.made, 0);
});

test('errors are told as OAuth does where a route says so (RFC 6749 section 5.2)', async (t) => {
  const input = {
    type: 'object',
    properties: {
      body: {
        type: 'object',
        properties: { grant_type: { type: 'string' }, code: { type: 'string' } },
        required: ['grant_type'],
      },
    },
  };
  const body = { 'application/x-www-form-urlencoded': 'form' } as const;
  const route = routeOf({ errors: 'oauth', body, input });
  const handle: RouteHandler = async ({ body: given }) => {
    const { grant_type: wanted } = given as Record<string, string>;
    if (wanted === 'none') return { status: 200, body: given };
    if (wanted === 'boom') throw new Error('secret');
    throw new ServiceError(String(wanted), 400, 'a "quoted" \\ word,\nand ä more');
  };
  const { send } = await serveRoutes(t, [[route, handle]]);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const errorOf = async (text: string) => {
    const answer = await send({ headers, body: text });
    assert.match(String(answer.headers['content-type']), /^application\/json/);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['pragma'], 'no-cache');
    return [answer.status, answer.json.error, answer.json.error_description];
  };
  const told = "a 'quoted' ? word,. and ? more";
  assert.deepEqual(await errorOf('grant_type=invalid_grant'), [400, 'invalid_grant', told]);
  const [status, error, description] = await errorOf('code=a');
  assert.deepEqual([status, error], [400, 'invalid_request']);
  assert.match(String(description), /body\.grant_type .*is required/);
  assert.doesNotMatch(String(description), /[\n"\\]/);
  assert.deepEqual((await errorOf('grant_type=a&grant_type=b')).slice(0, 2), [
    ...[400, 'invalid_request'],
  ]);
  assert.deepEqual((await errorOf('grant_type=boom')).slice(0, 2), [500, 'server_error']);
  const wrong = await send({ headers: { 'content-type': 'text/plain' }, body: 'x' });
  assert.deepEqual([wrong.status, wrong.json.error], [415, 'invalid_request']);
  // What has no value counts as left out (section 3.2).
  const empty = await send({ headers, body: 'grant_type=none&code=' });
  assert.deepEqual(empty.json, { grant_type: 'none' });
  assert.deepEqual((await errorOf('grant_type=')).slice(0, 2), [400, 'invalid_request']);
});

test('a route says how long its answers may be kept (RFC 9111)', async (t) => {
  const cache = { scope: 'public', maxAgeMs: 90_000, etag: true } as const;
  let reply = { status: 200, body: { a: 1 } };
  const route = routeOf({ ...get, cache, responses: { 200: {}, 404: {} } });
  const never = routeOf({ path: '/never', ...get, cache: { scope: 'no-store' } });
  const routes = [
    [route, async () => reply],
    [never, async () => ({ status: 200, body: {} })],
  ] as const;
  const { send } = await serveRoutes(t, routes);
  const first = await send(get);
  assert.equal(first.headers['cache-control'], 'public, max-age=90');
  const etag = String(first.headers['etag']);
  assert.match(etag, /^"[\w-]{43}"$/);
  const again = await send({ ...get, headers: { 'if-none-match': `W/${etag}` } });
  assert.deepEqual([again.status, again.text], [304, '']);
  assert.equal(again.headers['etag'], etag);
  assert.equal(again.headers['cache-control'], 'public, max-age=90');
  reply = { status: 200, body: { a: 2 } };
  assert.equal((await send({ ...get, headers: { 'if-none-match': etag } })).status, 200);
  reply = { status: 404, body: { a: 2 } };
  assert.equal((await send(get)).headers['cache-control'], 'no-store');
  assert.equal((await send({ ...get, path: '/never' })).headers['cache-control'], 'no-store');
});

test('what stops with the server leaves nothing behind', async (t) => {
  const { make } = endless(1);
  const long = { ...events, isLong: true } as const;
  const { url, running } = await serveRoutes(t, [
    [long, async () => ({ status: 200, body: toEvents(make()) })],
  ]);
  const { body } = await request(new URL('/act', url));
  await once(body, 'readable');
  running.abortAll();
  await body.text();
  await running.ended();
  assert.equal(running.size, 0);
});
