import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { relaxedPage } from '#contract/schema/relaxed';
import type { ResponseShape, VendorTool } from '#contract/tool';
import { caller } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

const output = relaxedPage({ id: 'integer' });

async function listed(
  t: TestContext,
  body: string,
  changes: ResponseShape = {},
  { type = 'application/json', paging }: { type?: string; paging?: VendorTool['paging'] } = {},
) {
  const { url } = await startUpstream(t, (reply) => {
    reply.writeHead(200, { 'content-type': type }).end(body);
  });
  const response = { items: ['items'], ...changes };
  return caller(t, url, { tool: { output, response, ...(paging && { paging }) } }).data();
}

test('what stands beside a list and is not described reaches the caller', async (t) => {
  const body = '{"items":[{"id":1}],"errors":[{"message":"a shard failed"}],"partial":true,"n":9}';
  const beside = { errors: [{ message: 'a shard failed' }], partial: true, n: 9 };
  assert.deepEqual(await listed(t, body), { items: [{ id: 1 }], answer: beside });
  const inner = '{"meta":{"a":1},"data":{"items":[],"note":"x"}}';
  assert.deepEqual(await listed(t, inner, { items: ['data', 'items'] }), {
    items: [],
    answer: { meta: { a: 1 }, data: { note: 'x' } },
  });
});

test('what is described beside a list is left out unless it tells of a failure', async (t) => {
  const besides = [['ok'], ['status'], ['errors'], ['object'], ['meta']] as const;
  const fine = '{"items":[],"ok":true,"status":"ok","errors":[],"object":"list","meta":{"took":3}}';
  assert.deepEqual(await listed(t, fine, { besides }), { items: [] });
  const bad =
    '{"items":[],"ok":false,"status":"denied","errors":["x"],"object":"list","meta":{"took":3,"error":"y"}}';
  assert.deepEqual(await listed(t, bad, { besides }), {
    items: [],
    answer: { ok: false, status: 'denied', errors: ['x'], meta: { error: 'y' } },
  });
});

test('why a list is empty is told, whatever is described', async (t) => {
  const besides = [['code'], ['message']];
  const told = (list: string, code: string, message: string) =>
    listed(t, `{"items":${list},"code":${code},"message":"${message}"}`, { besides });
  assert.deepEqual(await told('[]', '1001', 'denied'), {
    items: [],
    answer: { code: 1001, message: 'denied' },
  });
  for (const code of ['0', '200', '"ok"']) {
    assert.deepEqual(await told('[]', code, 'success'), { items: [] }, code);
  }
  assert.deepEqual(await told('[{"id":1}]', '7', 'EUR'), { items: [{ id: 1 }] });
});

test('what leads to the next page is not told once more', async (t) => {
  const paging = { style: 'cursor', next: ['next'] } as const;
  const body = '{"items":[],"next":null,"per_page":20,"error":"denied"}';
  assert.deepEqual(await listed(t, body, {}, { paging }), {
    items: [],
    answer: { error: 'denied' },
  });
});

test('what stands beside a list has an end, and no long list pushes it out', async (t) => {
  const items = Array.from({ length: 4_000 }, (_, id) => ({ id }));
  const body = JSON.stringify({ items, error: 'denied', facets: 'x'.repeat(50_000) });
  const found = await listed(t, body, { maxBytes: 8_000 });
  const answer = found['answer'] as Record<string, string>;
  assert.equal(answer['error'], 'denied');
  assert.ok((answer['facets'] ?? '').length < 2_000);
  assert.match(String(found['hint']), /of what stands beside the list, a part is left out/);
  assert.ok(JSON.stringify(found).length <= 8_000);
});

const faults: readonly (readonly [string, unknown, string])[] = [
  [
    '{"items":null,"ok":false}',
    { items: null, ok: false },
    'has null where there should be a list',
  ],
  ['{"items":"none"}', { items: 'none' }, 'has a single value where there should be a list'],
  ['"rate limit exceeded"', 'rate limit exceeded', 'is a single value instead of an object'],
  ['null', null, 'is null instead of an object'],
];
for (const [body, answer, fault] of faults) {
  test(`${body} is no empty list`, async (t) => {
    assert.deepEqual(await listed(t, body), {
      items: [],
      answer,
      not_as_described: [`the answer ${fault}`],
    });
  });
}

test('an object in the place of a list is one item, and marked', async (t) => {
  assert.deepEqual(await listed(t, '{"items":{"id":1},"error":"x"}'), {
    items: [{ id: 1 }],
    answer: { error: 'x' },
    not_as_described: ['the answer has an object where there should be a list'],
  });
});

test('null is an empty list where nothing else is said', async (t) => {
  for (const beside of ['"total":0', '"facets":{},"error":null,"more":false'])
    assert.deepEqual(await listed(t, `{"items":null,${beside}}`), { items: [] }, beside);
});

test('what says nothing beside a list is left out', async (t) => {
  const body = '{"items":[{"id":1}],"facets":{},"notes":[],"note":"","pins":0,"error":null}';
  assert.deepEqual(await listed(t, body), { items: [{ id: 1 }] });
  assert.deepEqual(await listed(t, '{"items":[],"ok":false}'), {
    items: [],
    answer: { ok: false },
  });
});

test('a list that may be null is empty then', async (t) => {
  assert.deepEqual(await listed(t, '{"items":null}', { nullList: true }), { items: [] });
});

test('XML in the place of a list is told whole', async (t) => {
  const type = 'application/xml';
  const found = await listed(t, '<Error><Code>AccessDenied</Code></Error>', {}, { type });
  assert.deepEqual(found['answer'], { Error: { Code: 'AccessDenied' } });
  assert.deepEqual(found['items'], []);
});
