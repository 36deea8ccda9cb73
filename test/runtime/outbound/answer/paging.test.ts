import assert from 'node:assert/strict';
import test, { suite, type TestContext } from 'node:test';
import fc from 'fast-check';
import { path } from '#contract/path';
import { offset, pageNumber } from '#contract/request';
import type { Paging, ResponseShape, TypedVendorTool } from '#contract/tool';
import { parseLinkHeader } from '../../../../runtime/outbound/content/link-header.ts';
import { caller } from '../harness.ts';
import { type Answer, sendJson, startUpstream, type Upstream } from '../upstream.ts';

interface Arguments {
  readonly cursor?: string;
  readonly limit?: number;
}

interface PagedSetting {
  readonly paging: Paging;
  readonly answer: Answer;
  readonly items?: ResponseShape['items'];
  readonly request?: TypedVendorTool<Arguments>['request'];
}

const byCursor: TypedVendorTool<Arguments>['request'] = ({ cursor, limit }) => ({
  method: 'GET',
  path: path`/things`,
  query: { cursor, limit },
});

/** Read a list to its end: the items, and the vendor's addresses that were read. */
async function readAll(t: TestContext, setting: PagedSetting, args: Arguments = {}) {
  const { paging, answer, items = ['items'], request = byCursor } = setting;
  const upstream = await startUpstream(t, answer);
  const { data } = caller(t, upstream.url, {
    tool: { paging, request: request as never, response: { items } },
  });
  const all: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 10; pages += 1) {
    const result = await data(cursor === undefined ? { ...args } : { ...args, cursor });
    all.push(...(result['items'] as unknown[]));
    cursor = result['next_cursor'] as string | undefined;
    if (cursor === undefined) return { all, urls: upstream.seen.map(({ url }) => url) };
  }
  assert.fail('the list has no end');
}

const thirdIsLast =
  (next: object, none: object): Answer =>
  (response, _, count) =>
    sendJson(response, { items: [count], ...(count < 3 ? next : none) });

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

const byPage: TypedVendorTool<Arguments>['request'] = ({ cursor, limit }) => ({
  method: 'GET',
  path: path`/things`,
  query: { page: pageNumber(cursor, 0), limit },
});

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

test('link_header: the page number of rel=next is the cursor, whatever its path (GitHub)', async (t) => {
  const { all, urls } = await readAll(t, {
    paging: { style: 'link_header', parameter: 'page' },
    items: [],
    request: ({ cursor }) => ({ method: 'GET', path: path`/things`, query: { page: cursor } }),
    answer: (response, _, count) =>
      sendJson(response, [count], 200, {
        link: `<https://vendor.example/repositories/7/things?page=1>; rel="first", ${
          count < 3
            ? `<https://vendor.example/repositories/7/things?page=${count + 1}&x=y>; rel="next"`
            : ''
        }`,
      }),
  });
  assert.deepEqual(all, [1, 2, 3]);
  assert.deepEqual(urls, ['/things', '/things?page=2', '/things?page=3']);
});

const byAddress: TypedVendorTool<Arguments>['request'] = ({ cursor, limit }) => ({
  method: 'GET',
  path: path`/things`,
  query: { fixed: 1, limit },
  continueAt: cursor,
});

test('next_url: the query of the next address comes back, but changes nothing that is fixed', async (t) => {
  const { all, urls } = await readAll(t, {
    paging: { style: 'next_url', next: ['next'] },
    request: byAddress,
    answer: (response, { headers }, count) =>
      sendJson(response, {
        items: [count],
        next: count < 3 ? `http://${headers.host}/things?fixed=2&after=${count}&after=b%26` : null,
      }),
  });
  assert.deepEqual(all, [1, 2, 3]);
  assert.deepEqual(urls, [
    '/things?fixed=1',
    '/things?fixed=1&after=1&after=b%26',
    '/things?fixed=1&after=2&after=b%26',
  ]);
});

test('next_url: a relative address is one of the same place', async (t) => {
  const { all } = await readAll(t, {
    paging: { style: 'next_url', next: ['next'] },
    request: byAddress,
    answer: thirdIsLast({ next: '?after=1' }, { next: null }),
  });
  assert.deepEqual(all, [1, 2, 3]);
});

const strangers = [
  'https://evil.example/admin?after=1',
  'ftp://evil.example/things?after=1',
  'javascript:after=1',
  '/admin?after=1',
  'http://[bad',
  7,
  { a: 1 },
];
for (const next of strangers) {
  test(`next_url: ${JSON.stringify(next)} is ignored`, async (t) => {
    const { all } = await readAll(t, {
      paging: { style: 'next_url', next: ['next'] },
      request: byAddress,
      answer: (response) => sendJson(response, { items: [1], next }),
    });
    assert.deepEqual(all, [1]);
  });
}

for (const [style, answer] of [
  ['next_url', { items: [1], next: 'https://elsewhere.example/others?cursor=2' }],
  ['next_url', { items: [1], next: '/others?cursor=2' }],
  ['link_header', { items: [1] }],
] as const) {
  test(`${style}: a list that goes on where nothing is sent to says that it is not complete`, async (t) => {
    const { url } = await startUpstream(t, (response) => {
      if (style === 'link_header') response.setHeader('link', '</others?cursor=2>; rel="next"');
      sendJson(response, answer);
    });
    const paging: Paging = { style, ...(style === 'next_url' && { next: ['next'] }) };
    const tool = { paging, request: byCursor as never, response: { items: ['items'] } } as const;
    const result = await caller(t, url, { tool }).data();
    assert.equal(result['next_cursor'], undefined);
    assert.match(String(result['hint']), /goes on at an address .* not followed/);
  });
}

test('link_header: a list that goes on without the parameter of its cursor says so', async (t) => {
  const { url } = await startUpstream(t, (response) => {
    response.setHeader('link', '</things?after=2>; rel="next"');
    sendJson(response, [1]);
  });
  const paging: Paging = { style: 'link_header', parameter: 'page' };
  const tool = { paging, request: byCursor as never, response: { items: [] } } as const;
  const hint =
    'the list goes on at an address that has no "page" to continue with; narrow the list by other arguments to see the rest';
  assert.deepEqual(await caller(t, url, { tool }).data(), { items: [1], truncated: true, hint });
});

test('next_url: a credential in the next address does not become a cursor', async (t) => {
  const upstream: Upstream = await startUpstream(t, (response) =>
    sendJson(response, { items: [1], next: '/things?key=secret-1&after=2' }),
  );
  const { data } = caller(t, upstream.url, {
    provider: {
      auth: [
        {
          type: 'api_key',
          in: 'query',
          name: 'key',
          format: '{token}',
          env: ['K'],
          required: true,
        },
      ],
    },
    tool: {
      paging: { style: 'next_url', next: ['next'] },
      request: byAddress as never,
      response: { items: ['items'] },
    },
    options: { env: { K: 'secret-1' } },
  });
  assert.equal((await data())['next_cursor'], 'after=2');
  await data({ cursor: 'after=2&key=stolen' });
  assert.equal(upstream.seen[1]?.url, '/things?fixed=1&after=2&key=secret-1');
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

test('Link headers are read as RFC 8288 section 3 writes them', () => {
  const targets = (header: string) =>
    parseLinkHeader(header).map(({ target, relations, anchor }) => [
      target,
      relations.join(' '),
      anchor,
    ]);
  assert.deepEqual(targets('<a>; rel=next'), [['a', 'next', undefined]]);
  assert.deepEqual(targets('<a,b;c>; title="x, y; <z>"; REL="Next last", <d>;rel="prev"'), [
    ['a,b;c', 'next last', undefined],
    ['d', 'prev', undefined],
  ]);
  assert.deepEqual(targets(', <a> ; ; rel = "next" ; rel="prev" ; x; title*=UTF-8\'\'y ,, <b>,'), [
    ['a', 'next', undefined],
    ['b', '', undefined],
  ]);
  assert.deepEqual(targets('<a>; anchor="#x"; rel="next"; t="\\"quoted\\""'), [
    ['a', 'next', '#x'],
  ]);
  for (const broken of ['', 'a', '<a', ';', '<a>; rel="next']) {
    assert.ok(
      parseLinkHeader(broken).every(({ relations }) => !relations.includes('next')),
      broken,
    );
  }
});

test('any Link header is read in time, and well-formed ones come back', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'<>;,="\\ ra') }),
      (text) => void parseLinkHeader(text),
    ),
  );
  const link = fc.record({
    target: fc.webPath(),
    title: fc.string(),
    rel: fc.array(fc.constantFrom('next', 'prev', 'last'), { minLength: 1, maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.array(link), (links) => {
      const header = links
        .map(({ target, title, rel }) => {
          const quoted = title.replace(/[\\"]/g, '\\$&');
          return `<${target}>; title="${quoted}"; rel="${rel.join(' ')}"`;
        })
        .join(', ');
      assert.deepEqual(
        parseLinkHeader(header),
        links.map(({ target, rel }) => ({ target, relations: rel })),
      );
    }),
  );
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

test('cursor: an answer that says it is the last one is, whatever cursor it names', async (t) => {
  const paging = { style: 'cursor', next: ['after'], hasMore: ['more'] } as const;
  const told =
    (last: object): Answer =>
    (response, _, count) =>
      sendJson(response, { items: [count], after: `c${count}`, ...(count < 3 ? {} : last) });
  assert.deepEqual((await readAll(t, { paging, answer: told({ more: false }) })).all, [1, 2, 3]);
  assert.deepEqual((await readAll(t, { paging, answer: told({ after: null }) })).all, [1, 2, 3]);
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

suite('vendors that give fewer items than they are asked for', () => {
  const rows = Array.from({ length: 60 }, (_, at) => at);
  const input = {
    type: 'object',
    properties: { cursor: { type: 'string' }, limit: { type: 'integer', maximum: 100 } },
  };
  const most = 25;

  /** All items, the first call with `limit` and the others with nothing but the cursor. */
  async function readRows(t: TestContext, paging: Paging, told: object, limit: number) {
    const upstream = await startUpstream(t, (response, { url }) => {
      const query = new URLSearchParams(url.split('?')[1]);
      const size = Math.min(Number(query.get('limit')), most);
      const page = query.get('page');
      const start = page === null ? Number(query.get('start')) : (Number(page) - 1) * size;
      sendJson(response, { items: rows.slice(start, start + size), ...told });
    });
    const { data } = caller(t, upstream.url, {
      tool: {
        paging,
        input,
        request: (({ cursor, limit = 20 }: Arguments) => ({
          method: 'GET',
          path: path`/things`,
          query:
            paging.style === 'page'
              ? { page: pageNumber(cursor, 1), limit }
              : { start: offset(cursor), limit },
        })) as never,
        response: { items: ['items'], maxItems: 100 },
      },
    });
    const all: unknown[] = [];
    let result = await data({ limit });
    for (let pages = 1; pages < 10; pages += 1) {
      all.push(...(result['items'] as unknown[]));
      if (result['next_cursor'] === undefined) return all;
      result = await data({ cursor: result['next_cursor'] });
    }
    assert.fail('the list has no end');
  }

  for (const style of ['page', 'offset'] as const) {
    for (const limit of [7, 20, 100]) {
      const name = `${style}: every item of pages of ${limit} comes once`;
      test(`${name}, where only an empty page is sure to be the last`, async (t) => {
        assert.deepEqual(await readRows(t, { style, pageSize: 20, sure: 20 }, {}, limit), rows);
      });
      test(`${name}, where the total is told`, async (t) => {
        const paging: Paging = { style, pageSize: 20, total: ['total'] };
        assert.deepEqual(await readRows(t, paging, { total: 60 }, limit), rows);
      });
    }
  }

  test('page: a size that the tool does not take is refused in a cursor too', async (t) => {
    const { url, seen } = await startUpstream(t, (response) => sendJson(response, { items: [1] }));
    const { failure } = caller(t, url, {
      tool: { paging: { style: 'page', pageSize: 20 }, input, response: { items: ['items'] } },
    });
    const error = await failure({ cursor: '2/101' });
    assert.deepEqual(
      [error.code, error.message, seen.length],
      [
        'invalid_arguments',
        'cursor must be the next_cursor of an earlier answer, but it asks for pages of 101 items',
        0,
      ],
    );
  });

  test('page: a page that did not fit goes on in pages of the same size', async (t) => {
    const { url } = await startUpstream(t, (response, { url }) => {
      const size = Number(new URLSearchParams(url.split('?')[1]).get('limit'));
      sendJson(response, { items: rows.slice(0, size).map((at) => `${at}`.padEnd(20)) });
    });
    const { data } = caller(t, url, {
      tool: {
        paging: { style: 'page', pageSize: 5 },
        input,
        request: (({ limit = 5 }: Arguments) => ({
          method: 'GET',
          path: path`/things`,
          query: { limit },
        })) as never,
        response: { items: ['items'], maxBytes: 400 },
      },
    });
    const first = await data({ limit: 20 });
    const count = (first['items'] as unknown[]).length;
    assert.equal(first['next_cursor'], `skip=${count}/20;`);
    const second = await data({ cursor: first['next_cursor'] });
    assert.equal((second['items'] as string[])[0]?.trim(), String(count));
  });
});
