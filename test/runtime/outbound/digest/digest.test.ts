import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { path } from '#contract/path';
import type { ResponseShape } from '#contract/tool';
import { defaultLimits, type OutboundLimits } from '../../../../runtime/outbound/call/options.ts';
import { callContext, caller } from '../harness.ts';
import { type Answer, sendJson, startUpstream } from '../upstream.ts';

/** Limits under which a thread reads every answer, and those under which none does. */
const inThread = { inlineBytes: 0 };
const atOnce = { inlineBytes: defaultLimits.responseBytes };

const paging = { style: 'cursor', next: ['next'] } as const;

interface Setting {
  readonly response?: ResponseShape;
  readonly limits?: Partial<OutboundLimits>;
}

async function reading(t: TestContext, answer: Answer, { response, limits }: Setting = {}) {
  const { url } = await startUpstream(t, answer);
  return caller(t, url, {
    tool: {
      paging,
      ...(response && { response }),
      input: {
        type: 'object',
        properties: {
          cursor: { type: 'string' },
          offset: { type: 'integer' },
          limit: { type: 'integer' },
        },
      },
    },
    options: { ...(limits && { limits }) },
  });
}

const things = Array.from({ length: 300 }, (_, id) => ({
  id,
  name: `thing ${id}`,
  html: `<b>${id}</b>`,
  data: Buffer.from(`data ${id}`).toString('base64'),
}));

const shapes: Readonly<
  Record<string, readonly [unknown, ResponseShape, Record<string, unknown>?]>
> = {
  'a list': [{ things, next: 'p2' }, { items: ['things'] }],
  'a list that is cut': [
    { things, next: 'p2' },
    { items: ['things'], maxBytes: 1000 },
  ],
  'the middle of a list': [{ things }, { items: ['things'] }, { cursor: 'skip=7;' }],
  'a list of at most so many': [{ things }, { items: ['things'], maxItems: 5 }],
  'a bare list with some members': [things, { pick: ['id', 'name'] }],
  'members under new names': [{ things }, { items: ['things'], map: { called: ['name'] } }],
  'HTML in a list': [{ things }, { items: ['things'], markdown: [['html']] }],
  'base64 in a list': [{ things }, { items: ['things'], base64: [['data']] }],
  'one value': [{ id: 1, name: 'x', secret: 'y' }, { drop: ['secret'] }],
  'one value that is cut': [{ things, id: 1 }, { maxBytes: 500 }],
  'one value with HTML': [
    { html: '<i>x</i>', things },
    { markdown: [['html']], maxBytes: 500 },
  ],
  'rows of columns': [{ table: { a: [1, 2, 3], b: [4, 5] } }, { rows: [['table']] }],
  'a part of a text': [
    { text: 'abc'.repeat(1000) },
    { slice: { path: ['text'], maxCharacters: 100 } },
    { offset: 50 },
  ],
  nothing: [null, {}],
};

test('what a thread reads is what would be read at once', async (t) => {
  for (const [name, [body, response, args]] of Object.entries(shapes)) {
    await t.test(name, async (t) => {
      const answer: Answer = (out) => sendJson(out, body);
      const beside = await reading(t, answer, { response, limits: inThread });
      const direct = await reading(t, answer, { response, limits: atOnce });
      assert.deepEqual(await beside.data(args ?? {}), await direct.data(args ?? {}));
    });
  }
});

test('what is compressed is read by a thread as soon as it grows large', async (t) => {
  const body = gzipSync(JSON.stringify({ things, next: 'p2' }));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const answer: Answer = (out) => void out.writeHead(200, headers).end(body);
  const response = { items: ['things'], maxItems: 2 };
  const { data } = await reading(t, answer, { response, limits: { inlineBytes: 1000 } });
  const { items } = await data();
  assert.deepEqual(items, things.slice(0, 2));
});

test('of a list that is followed, only the ids that are read are held', async (t) => {
  const asked: string[] = [];
  const answer: Answer = (out, { url }) => {
    if (url === '/things') return sendJson(out, { ids: things.map(({ id }) => id) });
    asked.push(url);
    sendJson(out, { id: Number(url.split('/').at(-1)), name: 'x', html: '<b>y</b>' });
  };
  const response: ResponseShape = {
    items: ['ids'],
    follow: { path: '/things/{id}', limit: 3 },
    map: { number: ['id'], text: ['html'] },
    markdown: [['text']],
  };
  for (const limits of [inThread, atOnce]) {
    asked.length = 0;
    const { data } = await reading(t, answer, { response, limits });
    assert.deepEqual(await data({ cursor: 'skip=4;' }), {
      items: [4, 5, 6].map((number) => ({ number, text: '**y**' })),
      next_cursor: 'skip=7;',
    });
    assert.deepEqual(asked.toSorted(), ['/things/4', '/things/5', '/things/6']);
  }
});

test('an id that is none leads nowhere, also in a list that a thread reads', async (t) => {
  const answer: Answer = (out) => sendJson(out, [{ id: 1 }, 'x'.repeat(10_000)]);
  const response: ResponseShape = { items: [], follow: { path: '/things/{id}', limit: 2 } };
  const { failure } = await reading(t, answer, { response, limits: inThread });
  assert.equal((await failure()).code, 'upstream_error');
});

test('a failure with a success status is one, however long it is', async (t) => {
  const { url } = await startUpstream(t, (out) =>
    sendJson(out, { ok: false, error: 'channel_not_found', things }),
  );
  const { failure } = caller(t, url, {
    provider: { errors: { code: ['error'], soft: { path: ['ok'], equals: false } } },
    options: { limits: inThread },
  });
  const { code, detail } = await failure();
  assert.equal(code, 'not_found');
  assert.equal(detail.upstreamCode, 'channel_not_found');
});

test('an answer that takes a thread too long fails, as often as it is sent', async (t) => {
  const text = `{"id":"${'x'.repeat(8_000_000)}"}`;
  const answer: Answer = (out) =>
    void out.writeHead(200, { 'content-type': 'application/json' }).end(text);
  const { url } = await startUpstream(t, answer);
  const { failure } = caller(t, url, { options: { limits: { ...inThread, digestMs: 1 } } });
  for (const _ of ['the first thread', 'the one after it']) {
    assert.match((await failure()).message, /it takes longer than 1 ms to read/);
  }
});

test('large answers that together take too much are refused, to be asked for again', async (t) => {
  const body = Buffer.alloc(100_000, 'x');
  const held = Promise.withResolvers<() => void>();
  const { url } = await startUpstream(t, (out, _, count) => {
    out.writeHead(200, { 'content-type': 'text/plain' });
    out.write(body);
    // The first one is held open, with what it has taken.
    if (count === 1) held.resolve(() => out.end());
    else out.end();
  });
  const { call, failure } = caller(t, url, {
    options: { limits: { inlineBytes: 1000, responseBytes: 150_000, answersHeld: 2 } },
  });
  const first = call();
  const more = await held.promise;
  let refused = await failure().catch(() => undefined);
  while (refused === undefined) refused = await failure().catch(() => undefined);
  assert.equal(refused.code, 'rate_limited_local');
  assert.equal(refused.detail.retryable, true);
  more();
  await first;
  await call();
});

test('a call that ends while its answer waits for a thread leaves nothing behind', async (t) => {
  const { url } = await startUpstream(t, (out) => sendJson(out, things));
  const { call, failure } = caller(t, url, { options: { limits: inThread } });
  const controller = new AbortController();
  const waiting = failure({}, callContext({ signal: controller.signal }));
  const others = Array.from({ length: 5 }, () => call());
  controller.abort();
  assert.equal((await waiting).code, 'upstream_timeout');
  await Promise.all(others);
});

test('the address of the next page is followed from a large page too', async (t) => {
  const { url } = await startUpstream(t, (out, { url: asked }) =>
    sendJson(out, { things, next: asked.includes('page=2') ? 'https://else.example/' : '?page=2' }),
  );
  const { data } = caller(t, url, {
    tool: {
      request: ({ cursor }: { cursor?: string }) => ({
        method: 'GET',
        path: path`/things`,
        ...(cursor !== undefined && { continueAt: cursor }),
      }),
      paging: { style: 'next_url', next: ['next'] },
      response: { items: ['things'], pick: ['id'] },
    },
    options: { limits: inThread },
  });
  assert.equal((await data())['next_cursor'], 'page=2');
  assert.equal((await data({ cursor: 'page=2' }))['next_cursor'], undefined);
});
