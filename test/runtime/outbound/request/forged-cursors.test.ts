import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { path } from '#contract/path';
import type { ProviderAuth } from '#contract/provider';
import { continued, deep } from '#contract/request';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

interface Arguments {
  readonly cursor?: string;
  readonly name?: string;
}

const auth: ProviderAuth = {
  type: 'api_key',
  in: 'query',
  name: 'key',
  format: '{token}',
  env: ['K'],
  required: true,
};

const tool = {
  paging: { style: 'next_url', next: ['next'] },
  input: { type: 'object', properties: { cursor: {}, name: {} } },
  request: (({ cursor, name = 'things' }: Arguments) => ({
    method: 'GET',
    path: path`/v1/${name}?kind=open`,
    query: { fixed: 1, page: deep({ size: 10 }) },
    continueAt: continued(cursor, 'fixed', 'fixed[]', 'key', 'kind', 'kind[0]', 'page', 'q'),
  })) as never,
  response: { items: ['items'] },
} as const;

const odd = [
  '//evil.example/',
  '#',
  '?',
  '/../admin',
  '&key=x',
  '\r\nX-A: b',
  '%2F..',
  '\\',
  ':80',
  '@',
];
const text = fc.array(fc.oneof(fc.constantFrom(...odd), fc.string({ maxLength: 5 })), {
  maxLength: 4,
});
const names = [
  ...['q', 'fixed', 'FIXED', 'Kind', 'key', 'KEY', 'page[size]', 'Page[Size]', 'page[number]'],
  ...['after', 'next', 'account', 'from_user', 'FIXED[]', 'kind[0]', ' after', 'page[size][]'],
];
const cursors = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(...names),
        text.map((parts) => parts.join('')),
      ),
      text,
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .chain((pairs) => {
    const raw = pairs.map(([name, value]) => `${name}=${value.join('')}`).join('&');
    const given = pairs.map(([name, value]) => [name, value.join('')]);
    return fc.constantFrom(raw, new URLSearchParams(given).toString());
  });

test('no cursor changes where a request goes, what the tool fixes, or who asks', async (t) => {
  const { url, seen } = await startUpstream(t, (response) => sendJson(response, { items: [] }));
  const { data } = caller(t, url, {
    ...{ tool, provider: { auth: [auth] }, options: { env: { K: 'secret-1' } } },
  });
  await fc.assert(
    fc.asyncProperty(cursors, async (cursor) => {
      const before = seen.length;
      await data({ cursor }).catch((error: unknown) => {
        assert.equal((error as { code?: string }).code, 'invalid_arguments');
      });
      const request = seen[before];
      if (request === undefined) return;
      assert.equal(request.headers.host, new URL(url).host);
      const asked = new URL(request.url, url);
      assert.equal(asked.pathname, '/v1/things');
      const sent = [...asked.searchParams].filter(([name]) =>
        /^\s*(?:kind|fixed|page\[size\]|key)(?:\[\d*\])*$/i.test(name),
      );
      assert.deepEqual(sent, [
        ['kind', 'open'],
        ['fixed', '1'],
        ['page[size]', '10'],
        ['key', 'secret-1'],
      ]);
      const others = [...asked.searchParams.keys()].filter((name) =>
        /account|user|x-a/i.test(name),
      );
      assert.deepEqual(others, []);
      assert.equal(request.headers['x-a'], undefined);
    }),
    { numRuns: 300 },
  );
  assert.ok(seen.length > 50);
});

test('a cursor with half of a character is refused, as it would arrive as another one', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, { items: [] }));
  const error = await caller(t, upstream.url, { tool }).failure({ cursor: 'after=a\ud800' });
  assert.equal(error.code, 'invalid_arguments');
  assert.equal(upstream.seen.length, 0);
});

test('no member of an object that is spread over the query takes the place of the credential', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const request = ({ filter }: { filter?: Record<string, string> }) => ({
    method: 'GET',
    path: path`/things`,
    query: { ...filter, fixed: 1 },
  });
  const { data, failure } = caller(t, upstream.url, {
    ...{ provider: { auth: [auth] }, options: { env: { K: 'secret-key' } } },
    tool: { request: request as never },
  });
  for (const name of ['key', 'KEY', 'key[]', 'key[0]']) {
    const error = await failure({ filter: { [name]: 'mine' } });
    assert.equal(error.code, 'invalid_arguments');
    assert.match(error.message, /carries the credential/);
  }
  await data({ filter: { fixed: '2', colour: 'red' } });
  assert.deepEqual(
    upstream.seen.map(({ url }) => url),
    ['/things?fixed=1&colour=red&key=secret-key'],
  );
});
