import assert from 'node:assert/strict';
import test from 'node:test';
import { path } from '#contract/path';
import {
  callContext,
  caller,
  stillClock,
  testOutbound,
  testProvider,
  testTool,
} from '../harness.ts';
import { type Answer, sendJson, startUpstream } from '../upstream.ts';

const counting: Answer = (response, _, count) => sendJson(response, { count });
const cache = { ttlMs: 60_000 };

/** A still clock that a test can turn. */
function turnedClock() {
  const base = stillClock();
  let turned = 0;
  return {
    ...base,
    now: () => base.now() + turned,
    turn: (ms: number) => {
      turned += ms;
    },
  };
}

test('a read is answered from the cache until its time is over', async (t) => {
  const upstream = await startUpstream(t, counting);
  const clock = turnedClock();
  const { data } = caller(t, upstream.url, { tool: { cache }, options: { clock } });
  assert.deepEqual(await data(), { count: 1 });
  clock.turn(59_999);
  assert.deepEqual(await data(), { count: 1 });
  clock.turn(1);
  assert.deepEqual(await data(), { count: 2 });
});

test('without a time to live nothing is cached', async (t) => {
  const upstream = await startUpstream(t, counting);
  const { data } = caller(t, upstream.url);
  await data();
  assert.deepEqual(await data(), { count: 2 });
});

test('only reads are cached, and only successful ones', async (t) => {
  const upstream = await startUpstream(t, (response, { method }, count) =>
    sendJson(response, { count }, method === 'POST' ? 200 : 404),
  );
  const post = caller(t, upstream.url, {
    tool: { cache, request: () => ({ method: 'POST', path: path`/things` }) },
  });
  await post.data();
  await post.data();
  const failing = caller(t, upstream.url, { tool: { cache } });
  await failing.failure();
  await failing.failure();
  assert.equal(upstream.seen.length, 4);
});

test('another address, header, tool or credential is another entry', async (t) => {
  const upstream = await startUpstream(t, counting);
  const provider = testProvider(upstream.url, {
    auth: [{ type: 'bearer', env: ['T'], required: true }],
  });
  const outbounds = ['a', 'b'].map((token) => testOutbound(t, { env: { T: `token-${token}` } }));
  const tools = [
    testTool({ cache }),
    testTool({ cache, name: 'other' }),
    testTool({ cache, request: () => ({ method: 'GET', path: path`/things`, query: { a: 1 } }) }),
    testTool({
      cache,
      request: () => ({ method: 'GET', path: path`/things`, headers: { accept: 'x' } }),
    }),
  ];
  for (const outbound of outbounds) {
    for (const tool of tools) {
      await outbound.tool(provider, tool).call({}, callContext());
      await outbound.tool(provider, tool).call({}, callContext());
    }
  }
  assert.equal(upstream.seen.length, 8);
});

test('another provider is another entry, even under the same address and name', async (t) => {
  const upstream = await startUpstream(t, counting);
  const outbound = testOutbound(t);
  for (const id of ['one', 'two']) {
    const provider = testProvider(upstream.url, { id });
    await outbound.tool(provider, testTool({ cache })).call({}, callContext());
  }
  assert.equal(upstream.seen.length, 2);
});

test('no-store is honoured, max-age shortens, an ETag asks again (RFC 9111)', async (t) => {
  for (const [control, expected] of [
    ['no-store', 3],
    ['private, max-age=30', 2],
    ['max-age=9999', 1],
  ] as const) {
    const upstream = await startUpstream(t, (response, _, count) =>
      sendJson(response, { count }, 200, { 'cache-control': control }),
    );
    const clock = turnedClock();
    const { data } = caller(t, upstream.url, { tool: { cache }, options: { clock } });
    await data();
    await data();
    clock.turn(30_000);
    await data();
    assert.equal(upstream.seen.length, expected, control);
  }
});

test('an answer that has not changed is used again (RFC 9110 section 13.1.2)', async (t) => {
  const upstream = await startUpstream(t, (response, { headers }, count) => {
    const known = headers['if-none-match'] === '"v1"';
    if (known) response.writeHead(304, { etag: '"v1"' }).end();
    else sendJson(response, { count }, 200, { etag: '"v1"' });
  });
  const clock = turnedClock();
  const { data } = caller(t, upstream.url, { tool: { cache }, options: { clock } });
  await data();
  clock.turn(60_000);
  assert.deepEqual(await data(), { count: 1 });
  assert.deepEqual(await data(), { count: 1 });
  assert.equal(upstream.seen.length, 2);
});

test('304 to a question that nobody asked is a failure', async (t) => {
  const upstream = await startUpstream(t, (response) => {
    response.writeHead(304).end();
  });
  assert.equal((await caller(t, upstream.url).failure()).code, 'upstream_error');
});

test('the cache holds so many bytes, the latest ones', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, { pad: 'x'.repeat(1_000) }),
  );
  const { data } = caller(t, upstream.url, {
    tool: {
      cache,
      request: ({ n }: { n: number }) => ({ method: 'GET', path: path`/things`, query: { n } }),
    },
    options: { limits: { cacheBytes: 40_000 } },
  });
  for (let n = 0; n < 40; n += 1) await data({ n });
  await data({ n: 39 });
  assert.equal(upstream.seen.length, 40);
  await data({ n: 0 });
  assert.equal(upstream.seen.length, 41);
});

test('what one caller does to a result does not reach the next', async (t) => {
  const upstream = await startUpstream(t, counting);
  const { data } = caller(t, upstream.url, { tool: { cache } });
  const first = await data();
  first['count'] = 'changed';
  assert.deepEqual(await data(), { count: 1 });
});
