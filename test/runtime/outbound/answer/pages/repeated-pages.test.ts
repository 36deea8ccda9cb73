import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { path } from '#contract/path';
import { offset, pageNumber } from '#contract/request';
import type { Paging } from '#contract/tool';
import { caller } from '../../harness.ts';
import { sendJson, startUpstream } from '../../upstream.ts';

interface Arguments {
  readonly cursor?: string;
  readonly limit?: number;
}

const rows = Array.from({ length: 50 }, (_, id) => ({ id, name: `row ${id}` }));
const input = {
  type: 'object',
  properties: { cursor: { type: 'string' }, limit: { type: 'integer', maximum: 100 } },
};

type Cut = (page: number, size: number) => readonly unknown[];

/** Read a list page by page: its items, how often the vendor was asked, and how it ended. */
async function walk(t: TestContext, paging: Paging, cut: Cut, limit?: number) {
  const isOffset = paging.style === 'offset';
  const { url, seen } = await startUpstream(t, (response, request) => {
    const query = new URLSearchParams(request.url.split('?')[1]);
    const size = Number(query.get('limit'));
    const at = Number(query.get('at'));
    const page = isOffset ? Math.floor(at / size) : at - 1;
    sendJson(response, { items: cut(page, size), next: 'n', more: true });
  });
  const { data } = caller(t, url, {
    tool: {
      ...{ paging, input, response: { items: ['items'], maxItems: 100 } },
      request: (({ cursor, limit: size = 10 }: Arguments) => ({
        method: 'GET',
        path: path`/things`,
        query: {
          limit: size,
          at: paging.style === 'cursor' ? cursor : (isOffset ? offset : pageAt)(cursor),
        },
      })) as never,
    },
  });
  const all: unknown[] = [];
  const size = limit === undefined ? {} : { limit };
  let result = await data(size);
  for (let pages = 1; pages < 60; pages += 1) {
    all.push(...(result['items'] as unknown[]));
    const cursor = result['next_cursor'];
    if (cursor === undefined) return { all, asked: seen.length, end: result['hint'] };
    result = await data({ cursor, ...size });
  }
  assert.fail('the list has no end');
}

const pageAt = (cursor?: string) => pageNumber(cursor, 1);
const first: Cut = (_, size) => rows.slice(0, size);
const honest: Cut = (page, size) => rows.slice(page * size, (page + 1) * size);
const lastAgain: Cut = (page, size) => honest(Math.min(page, rows.length / size - 1), size);
const sure = { pageSize: 10, sure: 10 } as const;

for (const style of ['page', 'offset'] as const) {
  for (const limit of [10, 25]) {
    test(`${style}: a vendor that ignores it is asked twice, in pages of ${limit}`, async (t) => {
      const { all, asked, end } = await walk(t, { style, ...sure }, first, limit);
      assert.deepEqual([all.length, asked], [2 * limit, 2]);
      assert.match(String(end), /once more/);
    });

    test(`${style}: a vendor that repeats its last page is asked once more, in pages of ${limit}`, async (t) => {
      const { all, asked } = await walk(t, { style, ...sure }, lastAgain, limit);
      assert.deepEqual(all.slice(0, rows.length), rows);
      assert.equal(asked, rows.length / limit + 1);
    });

    test(`${style}: every row of other pages comes once, in pages of ${limit}`, async (t) => {
      const { all, end } = await walk(t, { style, ...sure }, honest, limit);
      assert.deepEqual([all, end], [rows, undefined]);
    });
  }

  test(`${style}: the flag of a vendor that ignores it does not go on for ever`, async (t) => {
    const paging: Paging = { style, pageSize: 10, hasMore: ['more'] };
    assert.equal((await walk(t, paging, first)).asked, 2);
  });

  for (const [what, item] of [
    ['values', 0],
    ['objects without an id', { value: 0 }],
  ] as const) {
    test(`${style}: pages of one that are equal by chance are no end: ${what}`, async (t) => {
      const cut: Cut = (page) => (page < 5 ? [item] : []);
      const { all, end } = await walk(t, { style, ...sure }, cut, 1);
      assert.deepEqual([all.length, end], [5, undefined]);
    });
  }
}

test('cursor: a vendor that ignores it, and names the same one again, comes to an end', async (t) => {
  const paging: Paging = { style: 'cursor', next: ['next'], pageSize: 10 };
  const { asked, end } = await walk(t, paging, first);
  assert.ok(asked <= 3);
  assert.match(String(end), /once more/);
});

for (const [count, words] of [
  [3, /once more/],
  [0, /same page/],
] as const) {
  test(`cursor: where more follows, a page of ${count} that leads to itself is no silent end`, async (t) => {
    const paging: Paging = { style: 'cursor', next: ['next'], pageSize: 10, hasMore: ['more'] };
    const { asked, end } = await walk(t, paging, () => rows.slice(0, count));
    assert.ok(asked <= 3);
    assert.match(String(end), words);
  });
}

test('a page that did not fit goes on, and is still told from the one before', async (t) => {
  const { url } = await startUpstream(t, (response) => sendJson(response, rows.slice(0, 10)));
  const { data } = caller(t, url, {
    tool: {
      ...{ paging: { style: 'page', pageSize: 10 }, input, response: { items: [], maxItems: 6 } },
      request: (() => ({ method: 'GET', path: path`/things` })) as never,
    },
  });
  const cursors: unknown[] = [];
  let result = await data();
  while (result['next_cursor'] !== undefined && cursors.length < 9) {
    cursors.push(result['next_cursor']);
    result = await data({ cursor: result['next_cursor'] });
  }
  const mark = String(cursors[1]).slice(0, 13);
  assert.deepEqual(cursors, ['skip=6;', `${mark}2`, `skip=6;${mark}2`]);
  assert.match(mark, /^was=[\w-]{8};$/);
});

test('a list of which more follows, and nobody says where, ends with a hint', async (t) => {
  const paging = { style: 'cursor', next: ['lost'], hasMore: ['more'], pageSize: 10 } as const;
  const { all, asked, end } = await walk(t, paging, first);
  assert.deepEqual([all.length, asked], [10, 1]);
  assert.match(String(end), /^the vendor says that more follows, but not where; narrow the list/);
});
