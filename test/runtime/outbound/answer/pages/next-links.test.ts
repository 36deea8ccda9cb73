import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { path } from '#contract/path';
import type { Paging, TypedVendorTool } from '#contract/tool';
import { parseLinkHeader } from '../../../../../runtime/outbound/content/link-header.ts';
import { caller } from '../../harness.ts';
import { sendJson, startUpstream, type Upstream } from '../../upstream.ts';
import { type Arguments, byCursor, readAll, thirdIsLast } from './paged.ts';

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

for (const next of ['c2', '2', 2, '?cursor=c2&limit=2', '/things?cursor=c2', 'cursor=c2']) {
  test(`next_url: ${JSON.stringify(next)} leads on, be it the value or an address that has it`, async (t) => {
    const { all, urls } = await readAll(t, {
      paging: { style: 'next_url', next: ['next'], parameter: 'cursor' },
      answer: (response, _, count) =>
        sendJson(response, { items: [count], next: count < 2 ? next : null }),
    });
    assert.deepEqual(all, [1, 2]);
    assert.equal(urls[1], `/things?cursor=${String(next).includes('c2') ? 'c2' : '2'}`);
  });
}

for (const name of ['cursor', 'page_token']) {
  test(`a header with the address of the next page holds the value of the parameter that takes it: ${name}`, async (t) => {
    const { all, urls } = await readAll(t, {
      paging: { style: 'cursor', nextHeader: 'Next-Page', parameter: 'cursor' },
      answer: (response, { headers }, count) => {
        const next = `http://${headers.host}/things?_limit=1&${name}=${count}%3D`;
        sendJson(response, { items: [count] }, 200, count < 3 ? { 'next-page': next } : {});
      },
    });
    assert.deepEqual(all, [1, 2, 3]);
    assert.deepEqual(urls, ['/things', '/things?cursor=1%3D', '/things?cursor=2%3D']);
  });
}

for (const [headers, told] of [
  [{ link: '<https://vendor.example/things?page=2>; rel="next"' }, 'link'],
  [{ 'Next-Page': 'https://vendor.example/things?_token=abc' }, 'next-page'],
  [{ 'x-next-page': '2' }, 'x-next-page'],
  [{ 'x-next-page': '' }, undefined],
  [{ link: '<https://vendor.example/things?page=1>; rel="first"' }, undefined],
  [{ 'x-next-steps': 'none' }, undefined],
] as const) {
  const what = JSON.stringify(headers);
  test(`a list without pages says ${told === undefined ? 'nothing' : 'that it goes on'} where its headers are ${what}`, async (t) => {
    const upstream = await startUpstream(t, (response) =>
      sendJson(response, { items: [1] }, 200, headers),
    );
    const { data } = caller(t, upstream.url, { tool: { response: { items: ['items'] } } });
    const hint = `the vendor says in its header "${told}" that the list goes on, which this tool does not follow; narrow the list by other arguments to see the rest`;
    const more = told === undefined ? {} : { truncated: true, hint };
    assert.deepEqual(await data({}), { items: [1], ...more });
  });
}
