import assert from 'node:assert/strict';
import test from 'node:test';
import { path } from '#contract/path';
import type { Paging } from '#contract/tool';
import { caller } from '../../harness.ts';
import { type Answer, sendJson, startUpstream } from '../../upstream.ts';
import { type Arguments, byCursor, readAll, thirdIsLast } from './paged.ts';

test('cursor: the next cursor comes from the answer', async (t) => {
  const paging = { style: 'cursor', next: ['meta', 'next'] } as const;
  const { all, urls } = await readAll(t, {
    paging,
    answer: thirdIsLast({ meta: { next: 'c+/=' } }, { meta: { next: '' } }),
  });
  assert.deepEqual(all, [1, 2, 3]);
  assert.deepEqual(urls, ['/things', '/things?cursor=c%2B%2F%3D', '/things?cursor=c%2B%2F%3D']);
});

test('cursor: the next cursor can come in a header of its own', async (t) => {
  const { all, urls } = await readAll(t, {
    paging: { style: 'cursor', nextHeader: 'X-Next-Page-Token' },
    items: [],
    answer: (response, _, count) => {
      if (count < 3) response.setHeader('x-next-page-token', `a/${count}`);
      sendJson(response, [count]);
    },
  });
  assert.deepEqual(all, [1, 2, 3]);
  assert.deepEqual(urls, ['/things', '/things?cursor=a%2F1', '/things?cursor=a%2F2']);
});

test('cursor: the header may hold the address of the next page', async (t) => {
  const { all, urls } = await readAll(t, {
    paging: { style: 'cursor', nextHeader: 'X-Next-Page' },
    items: [],
    answer: (response, _, count) => {
      if (count < 2) response.setHeader('x-next-page', '/things?pageToken=a%3D&color=red');
      sendJson(response, [count]);
    },
  });
  assert.deepEqual(all, [1, 2]);
  assert.equal(urls[1], '/things?cursor=a%3D');
});

test('cursor: the last item can be the cursor, as long as there is more (Stripe)', async (t) => {
  const { all, urls } = await readAll(t, {
    paging: { style: 'cursor', next: ['items', -1, 'id'], hasMore: ['has_more'] },
    answer: (response, _, count) =>
      sendJson(response, { items: [{ id: `i${count}` }], has_more: count < 2 }),
  });
  assert.deepEqual(all, [{ id: 'i1' }, { id: 'i2' }]);
  assert.equal(urls[1], '/things?cursor=i1');
});

test('cursor: one that repeats ends with the page that is not full (Crossref)', async (t) => {
  const { all } = await readAll(
    t,
    {
      paging: { style: 'cursor', next: ['next'] },
      answer: (response, _, count) =>
        sendJson(response, { items: count < 3 ? [1, 2] : [3], next: 'same' }),
    },
    { limit: 2 },
  );
  assert.deepEqual(all, [1, 2, 1, 2, 3]);
});

test('cursor: one of absurd length is none', async (t) => {
  const { all } = await readAll(t, {
    paging: { style: 'cursor', next: ['next'] },
    answer: (response) => sendJson(response, { items: [1], next: 'x'.repeat(10_000) }),
  });
  assert.deepEqual(all, [1]);
});

test('token_body: the token goes back in the body', async (t) => {
  const upstream = await startUpstream(
    t,
    thirdIsLast({ next_page_token: 't1' }, { next_page_token: null }),
  );
  const { data } = caller(t, upstream.url, {
    tool: {
      paging: { style: 'token_body', next: ['next_page_token'] },
      request: ({ cursor }: Arguments) => ({
        method: 'POST',
        path: path`/query`,
        body: { kind: 'json', value: { page_token: cursor } },
      }),
      response: { items: ['items'] },
    },
  });
  const first = await data();
  await data({ cursor: first['next_cursor'] });
  assert.deepEqual(
    upstream.seen.map(({ body }) => body),
    ['{}', '{"page_token":"t1"}'],
  );
});

for (const next of [['page'], ['page', 'endCursor']]) {
  test(`relay: $.${next.join('.')} leads on`, async (t) => {
    const { all, urls } = await readAll(t, {
      paging: {
        style: 'relay',
        next,
        ...(next.length === 2 ? { hasMore: ['page', 'hasNextPage'] } : {}),
      },
      answer: thirdIsLast(
        { page: { hasNextPage: true, endCursor: 'e' } },
        { page: { hasNextPage: false, endCursor: 'e' } },
      ),
    });
    assert.deepEqual(all, [1, 2, 3]);
    assert.equal(urls[1], '/things?cursor=e');
  });
}

test('date_window: the last date is where the next window starts', async (t) => {
  const { all, urls } = await readAll(t, {
    paging: { style: 'date_window', next: ['items', -1, 'at'], hasMore: ['more'] },
    answer: (response, _, count) =>
      sendJson(response, { items: [{ at: `2026-0${count}-01` }], more: count < 2 }),
  });
  assert.equal(all.length, 2);
  assert.equal(urls[1], '/things?cursor=2026-01-01');
});

test('a header can mark the last page', async (t) => {
  const { all } = await readAll(t, {
    paging: { style: 'cursor', next: ['next'], stop: { header: 'X-Last', value: 'yes' } },
    answer: (response, _, count) =>
      sendJson(response, { items: [count], next: 'n' }, 200, count < 2 ? {} : { 'x-last': 'yes' }),
  });
  assert.deepEqual(all, [1, 2]);
});

test('a tool that takes no cursor names none', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, { items: [1], next: 'n' }),
  );
  const { data } = caller(t, upstream.url, {
    tool: {
      input: { type: 'object' },
      paging: { style: 'cursor', next: ['next'] },
      response: { items: ['items'] },
    },
  });
  assert.deepEqual(await data(), { items: [1] });
});

test('cursor: an answer that says it is the last one is, whatever cursor it names', async (t) => {
  const paging = { style: 'cursor', next: ['after'], hasMore: ['more'] } as const;
  const told =
    (last: object): Answer =>
    (response, _, count) =>
      sendJson(response, { items: [count], after: `c${count}`, ...(count < 3 ? {} : last) });
  assert.deepEqual((await readAll(t, { paging, answer: told({ more: false }) })).all, [1, 2, 3]);
  assert.deepEqual((await readAll(t, { paging, answer: told({ after: null }) })).all, [1, 2, 3]);
});

test('cursor: what cannot be given on says that the list is not complete', async (t) => {
  const wordsOf = async (next: unknown) => {
    const { url } = await startUpstream(t, (response) => sendJson(response, { items: [1], next }));
    const tool = {
      paging: { style: 'cursor', next: ['next'] },
      request: byCursor as never,
      response: { items: ['items'] },
    } as const;
    return (await caller(t, url, { tool }).data())['hint'];
  };
  const rest = 'narrow the list by other arguments to see the rest';
  const words: readonly (readonly [unknown, string | undefined])[] = [
    ['x'.repeat(8193), `what leads to the next page is longer than 8192 characters; ${rest}`],
    [['2026', 7], `the list goes on, but what leads there is of type array and no text; ${rest}`],
    [{ id: 7 }, `the list goes on, but what leads there is of type object and no text; ${rest}`],
    [true, `the list goes on, but what leads there is of type boolean and no text; ${rest}`],
    ...[[], {}, false, null, ''].map((none) => [none, undefined] as const),
  ];
  for (const [next, hint] of words) assert.equal(await wordsOf(next), hint);
});

test('cursor: 0 after the last page is no cursor, which would lead to the first one (Redis, SCAN)', async (t) => {
  for (const none of [0, '0']) {
    const { all } = await readAll(t, {
      paging: { style: 'cursor', next: ['next'] },
      answer: thirdIsLast({ next: 7 }, { next: none }),
    });
    assert.deepEqual(all, [1, 2, 3]);
  }
});

test('cursor: of an answer that is given whole, the cursor of its vendor stands there as long as it leads on', async (t) => {
  const paging: Paging = {
    ...{ style: 'cursor', next: ['next_cursor'], hasMore: ['has_more'], counted: ['items'] },
    pageSize: 2,
  };
  const tool = { paging, request: byCursor as never, response: {} };
  const read = async (answer: object, args: Arguments = {}) => {
    const { url } = await startUpstream(t, (response) => sendJson(response, answer));
    return (await caller(t, url, { tool }).data({ ...args }))['next_cursor'];
  };
  const page = { items: [1] };
  assert.equal(await read({ ...page, next_cursor: 'c2' }), 'c2');
  assert.equal(await read({ ...page, next_cursor: 'c2', has_more: false }), null);
  // It would lead to the first page.
  assert.equal(await read({ ...page, next_cursor: '0' }), null);
  assert.equal(await read({ ...page, next_cursor: '' }), null);
  assert.equal(await read({ ...page, next_cursor: 'same' }, { cursor: 'same' }), null);
  // It would be cut, and come back as another one.
  assert.equal(await read({ ...page, next_cursor: 'x'.repeat(40_000) }), null);
});
