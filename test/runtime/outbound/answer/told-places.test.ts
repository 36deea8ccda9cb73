import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { path } from '#contract/path';
import type { ProviderAuth } from '#contract/provider';
import { continued, pageNumber } from '#contract/request';
import type { Paging } from '#contract/tool';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

interface Arguments {
  readonly cursor?: string;
}

const input = { type: 'object', properties: { cursor: { type: 'string' } } };
const byCursor = ({ cursor }: Arguments) => ({
  method: 'GET',
  path: path`/things`,
  query: { start: cursor },
});
const byAddress = ({ cursor }: Arguments) => ({
  method: 'GET',
  path: path`/things`,
  continueAt: continued(cursor, 'limit'),
});

/** What a tool makes of an answer that says where it goes on. */
async function after(
  t: TestContext,
  next: unknown,
  {
    paging,
    request = byCursor,
    filler = '',
  }: { paging: Paging; request?: typeof byCursor | typeof byAddress; filler?: string },
) {
  const { url, seen } = await startUpstream(t, (response) =>
    sendJson(response, { items: [{ id: 0 }], next, filler }),
  );
  const tool = { paging, input, request: request as never, response: { items: ['items'] } };
  const { data } = caller(t, url, { tool });
  return { data, seen, result: await data({}) };
}

const cursor: Paging = { style: 'cursor', next: ['next'] };

for (const next of [
  '?start=c2&limit=2',
  '/things?limit=2&start=c2',
  'https://a.example/?start=c2',
]) {
  test(`the cursor in ${next} is its place in the list`, async (t) => {
    const { result, data, seen } = await after(t, next, { paging: cursor });
    assert.equal(result['next_cursor'], 'c2');
    await data({ cursor: 'c2' });
    assert.equal(seen[1]?.url, '/things?start=c2');
  });
}

for (const next of ['/w8AAA==', '?', 'a?start=c2', '/x?start=1&after=2']) {
  test(`the cursor ${next} is one as it is`, async (t) => {
    const { result } = await after(t, next, { paging: cursor });
    assert.equal(result['next_cursor'], next);
  });
}

for (const next of [0, '0']) {
  test(`the cursor ${JSON.stringify(next)} of an answer ends the list`, async (t) => {
    const { result } = await after(t, next, { paging: cursor });
    assert.equal(result['next_cursor'], undefined);
  });
}

test('the id 0 of the last item leads on', async (t) => {
  const paging: Paging = { style: 'cursor', next: ['items', -1, 'id'] };
  const { result } = await after(t, null, { paging });
  assert.equal(result['next_cursor'], '0');
});

for (const length of [1, 100_000]) {
  test(`a cursor that the tool would refuse is not given, in an answer of ${length}`, async (t) => {
    const paging: Paging = { style: 'next_url', next: ['next'] };
    const how = { paging, request: byAddress, filler: 'x'.repeat(length) };
    const { result, data } = await after(t, '?limit=2&tok=1', how);
    assert.equal(result['next_cursor'], undefined);
    assert.equal(result['truncated'], true);
    assert.match(String(result['hint']), /^the list goes on, but what leads there is nothing/);
    await assert.rejects(data({ cursor: 'limit=2&tok=1' }), /next_cursor of an earlier answer/);
  });
}

for (const [next, cursor] of [
  ['?page=2&after=x', '2'],
  [3, '3'],
  ['/things?limit=2', undefined],
  ['soon', undefined],
] as const) {
  test(`the next page ${next} is ${cursor ?? 'none that can be asked for'}`, async (t) => {
    const paging: Paging = { style: 'page', next: ['next'], parameter: 'page' };
    const request = ({ cursor: page }: Arguments) => ({
      ...{ method: 'GET', path: path`/things` },
      query: { page: pageNumber(page, 1) },
    });
    const { result } = await after(t, next, { paging, request: request as never });
    assert.equal(result['next_cursor'], cursor);
    assert.equal(typeof result['hint'], cursor === undefined ? 'string' : 'undefined');
  });
}

for (const next of [0, -1, '0', '?page=0']) {
  test(`the page behind the last one may be called ${next}`, async (t) => {
    const paging: Paging = { style: 'page', next: ['next'], parameter: 'page' };
    const request = ({ cursor: page }: Arguments) => ({
      ...{ method: 'GET', path: path`/things` },
      query: { page: pageNumber(page, 1) },
    });
    const { result } = await after(t, next, { paging, request: request as never });
    assert.deepEqual(Object.keys(result), ['items']);
  });
}

test('one that it takes is', async (t) => {
  const paging: Paging = { style: 'next_url', next: ['next'] };
  const { result } = await after(t, '?limit=2&after=1', { paging, request: byAddress });
  assert.equal(result['next_cursor'], 'limit=2&after=1');
});

test('no member of an object in the query takes the place of the credential', async (t) => {
  const { url, seen } = await startUpstream(t, (response) => sendJson(response, {}));
  const auth: ProviderAuth = {
    type: 'api_key',
    in: 'query',
    name: 'sig',
    format: '{token}',
    env: ['K'],
    required: true,
  };
  const { data } = caller(t, url, {
    tool: {
      input: { type: 'object', properties: { filter: { type: 'object' } } },
      request: (({ filter }: { filter: object }) => ({
        method: 'GET',
        path: path`/things`,
        query: { ...filter },
      })) as never,
    },
    provider: { auth: [auth] },
    options: { env: { K: 'secret-1' } },
  });
  await data({ filter: { a: '1' } });
  assert.equal(seen[0]?.url, '/things?a=1&sig=secret-1');
  for (const name of ['sig', 'SIG', 'sig[]']) {
    await assert.rejects(data({ filter: { [name]: 'mine' } }), /carries the credential/);
  }
  assert.equal(seen.length, 1);
});
