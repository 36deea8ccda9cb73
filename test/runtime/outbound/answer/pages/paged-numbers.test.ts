import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import { path } from '#contract/path';
import { offset, pageNumber } from '#contract/request';
import type { Paging, TypedVendorTool } from '#contract/tool';
import { caller } from '../../harness.ts';
import { type Answer, sendJson, startUpstream } from '../../upstream.ts';
import { type Arguments, byPage, readAll } from './paged.ts';

const pageCases: readonly (readonly [string, Partial<Paging>, (count: number) => object])[] = [
  ['the total says so', { total: ['total'] }, () => ({ total: 5 })],
  ['the total as text says so', { total: ['total'] }, () => ({ total: '5' })],
  ['has_more says so', { hasMore: ['more'] }, (count) => ({ more: count < 3 })],
  [
    'the answer names the next page',
    { next: ['next'] },
    (count) => ({ next: count < 3 ? count : null }),
  ],
  ['a page is not full', {}, () => ({})],
];

for (const [name, paths, more] of pageCases) {
  test(`page: it ends where ${name}`, async (t) => {
    const { all, urls } = await readAll(
      t,
      {
        paging: { style: 'page', first: 0, pageSize: 2, ...paths },
        request: byPage,
        answer: (response, _, count) =>
          sendJson(response, { items: count < 3 ? [1, 2] : [3], ...more(count) }),
      },
      { limit: 2 },
    );
    assert.deepEqual(all, [1, 2, 1, 2, 3]);
    assert.deepEqual(
      urls.map((url) => new URLSearchParams(url.split('?')[1]).get('page')),
      ['0', '1', '2'],
    );
  });
}

test('offset: it grows by what has been delivered', async (t) => {
  const { all, urls } = await readAll(t, {
    paging: { style: 'offset', total: ['total'] },
    request: ({ cursor }) => ({
      method: 'GET',
      path: path`/things`,
      query: { start: offset(cursor) },
    }),
    answer: (response, { url }) => {
      const start = Number(new URLSearchParams(url.split('?')[1]).get('start'));
      sendJson(response, { items: [1, 2, 3, 4, 5].slice(start, start + 2), total: 5 });
    },
  });
  assert.deepEqual(all, [1, 2, 3, 4, 5]);
  assert.deepEqual(urls, ['/things?start=0', '/things?start=2', '/things?start=4']);
});

test('offset: an empty page is the last, whatever the total says', async (t) => {
  const { all } = await readAll(t, {
    paging: { style: 'offset', total: ['total'] },
    answer: (response) => sendJson(response, { items: [], total: 99 }),
  });
  assert.deepEqual(all, []);
});

test('page: an answer that is given whole is counted by its list, and without a size an empty page is the last', async (t) => {
  const upstream = await startUpstream(t, (response, _, count) =>
    sendJson(response, { columns: 2, rows: count < 3 ? [[count]] : [] }),
  );
  const { data } = caller(t, upstream.url, {
    tool: {
      paging: { style: 'page', first: 1, counted: ['rows'] },
      request: (({ cursor }: Arguments) => ({
        method: 'GET',
        path: path`/things`,
        query: { page: pageNumber(cursor, 1) },
      })) as never,
      response: {},
    },
  });
  assert.deepEqual(await data({}), { columns: 2, rows: [[1]], next_cursor: '2' });
  assert.deepEqual(await data({ cursor: '2' }), { columns: 2, rows: [[2]], next_cursor: '3' });
  assert.deepEqual(await data({ cursor: '3' }), { columns: 2, rows: [] });
});

test('page: the number of all pages tells which one is the last, counted from 0 or 1', async (t) => {
  for (const first of [0, 1]) {
    const { urls } = await readAll(t, {
      paging: { style: 'page', first, pages: ['totalPages'] },
      request: ({ cursor }) => ({
        method: 'GET',
        path: path`/things`,
        query: { page: pageNumber(cursor, first) },
      }),
      answer: (response, _, count) => sendJson(response, { items: [count], totalPages: 3 }),
    });
    assert.deepEqual(urls.at(-1), `/things?page=${first + 2}`);
  }
});
for (const [style, second, third] of [
  ['page', '2', '3'],
  ['offset', '2', '4'],
] as const) {
  test(`${style}: the total says how far it goes where nobody knows which list is counted`, async (t) => {
    const upstream = await startUpstream(t, (response) =>
      sendJson(response, { rows: [1], others: [2], total: 5 }),
    );
    const { data } = caller(t, upstream.url, {
      tool: {
        paging: { style, pageSize: 2, total: ['total'] },
        request: (() => ({ method: 'GET', path: path`/things` })) as never,
        response: {},
      },
    });
    const next = async (cursor?: string) => (await data(cursor ? { cursor } : {}))['next_cursor'];
    assert.deepEqual(
      [await next(), await next(second), await next(third)],
      [second, third, undefined],
    );
  });
}

suite('positions above what the vendor takes', () => {
  const answer: Answer = (response) => sendJson(response, { total: 100, items: [1, 2] });
  const request: TypedVendorTool<Arguments>['request'] = ({ cursor }) => ({
    method: 'GET',
    path: path`/things`,
    query: { start: offset(cursor, 3) },
  });
  const tool = {
    paging: { style: 'offset', total: ['total'], last: 3, pageSize: 2 },
    request: request as never,
    response: { items: ['items'] },
  } as const;

  test('a list ends there, and says why', async (t) => {
    const { url } = await startUpstream(t, answer);
    const { data } = caller(t, url, { tool });
    assert.deepEqual(await data(), { items: [1, 2], next_cursor: '2' });
    assert.deepEqual(await data({ cursor: '2' }), {
      items: [1, 2],
      truncated: true,
      hint: 'the vendor takes no offset above 3; narrow the list by other arguments to see the rest',
    });
  });

  test('no such request is sent', async (t) => {
    const { url, seen } = await startUpstream(t, answer);
    const { code } = await caller(t, url, { tool }).failure({ cursor: '4' });
    assert.deepEqual([code, seen.length], ['invalid_arguments', 0]);
  });
});
