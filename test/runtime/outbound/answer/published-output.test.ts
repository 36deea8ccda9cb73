import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { JsonSchema } from '#contract/json';
import { asWritten, relaxed, relaxedPage } from '#contract/schema/relaxed';
import type { ResponseShape } from '#contract/tool';
import { caller } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

// MCP 2026-07-28, tools/call: structured content has to conform to the output schema.

const mark = 'dev.agent-tool-server/not-as-described';

async function answered(
  t: TestContext,
  body: string,
  output: JsonSchema,
  {
    response,
    type = 'application/json',
    status = 200,
  }: { response?: ResponseShape; type?: string; status?: number } = {},
) {
  const misfits: (readonly [string, readonly string[]])[] = [];
  const { url } = await startUpstream(t, (reply) => {
    reply.writeHead(status, { 'content-type': type }).end(body);
  });
  const { call } = caller(t, url, {
    tool: { output, ...(response && { response }) },
    options: { onMisfit: (tool, places) => misfits.push([tool, places]) },
  });
  return { result: await call(), misfits, call };
}

test('an answer as promised goes out as it is', async (t) => {
  const output = relaxed({ id: 'integer', name: 'string' });
  const { result, misfits } = await answered(t, '{"id":1,"more":[1]}', output);
  assert.deepEqual(result.structuredContent, { id: 1, more: [1] });
  assert.equal(result._meta, undefined);
  assert.equal(result.content.length, 1);
  assert.deepEqual(misfits, []);
});

test('of an answer with wrong types the rest goes out as data, and all of it as text', async (t) => {
  const output = relaxed({
    id: 'integer',
    owner: { name: 'string', 'a/b~%': 'string' },
    tags: ['string'],
  });
  const body = '{"id":"7","owner":{"name":"Ada","a/b~%":5},"tags":["a",{"b":1},2]}';
  const { result, misfits } = await answered(t, body, output);
  const places = ['id is no integer', 'owner.a/b~% is no string', 'tags[] is no string'];
  assert.deepEqual(result.structuredContent, {
    id: null,
    owner: { name: 'Ada', 'a/b~%': null },
    tags: ['a', null, null],
    not_as_described: places,
  });
  assert.deepEqual(result._meta, { [mark]: places });
  const [whole, note] = result.content.map((block) => (block.type === 'text' ? block.text : ''));
  assert.equal(whole, body);
  assert.match(note ?? '', /^Acme has not answered as this tool describes: id is no integer; /);
  assert.deepEqual(misfits, [['acme_things_list', places]]);
});

test('a number beyond 2^53 is lost nowhere', async (t) => {
  const output = relaxed({
    id: 'long',
    size: 'number',
    ids: ['integer'],
    low: 'integer',
  });
  const body =
    '{"id":12345678901234567890,"size":10000000000000000,"ids":[-9007199254740994],"low":1}';
  const { result } = await answered(t, body, output);
  assert.deepEqual(result.structuredContent, {
    id: '12345678901234567890',
    size: 10_000_000_000_000_000,
    ids: [-9_007_199_254_740_994],
    low: 1,
  });
  assert.equal(result._meta, undefined);
  // Of what would be rounded, the text alone has all digits.
  const rounded = await answered(t, '{"id":1,"ids":[9007199254740993]}', output);
  assert.deepEqual(rounded.result.structuredContent, {
    id: 1,
    ids: [null],
    not_as_described: ['ids[] is no integer'],
  });
  assert.match(JSON.stringify(rounded.result.content), /9007199254740993/);
});

test('a text that is not the digits of a long number is no whole number', async (t) => {
  const output = relaxed({
    id: 'long',
    size: 'long',
    any: 'long | boolean',
    odd: 'long',
    ok: 'long',
  });
  const body =
    '{"id":"12","size":"n/a","any":"0012345678901234567","odd":[],"ok":"9007199254740993"}';
  const { result } = await answered(t, body, output);
  assert.deepEqual(result.structuredContent, {
    ...{ id: null, size: null, any: null, odd: null, ok: '9007199254740993' },
    not_as_described: [
      'id is no integer',
      'size is no integer',
      'any is no integer or boolean',
      'odd is no integer',
    ],
  });
});

test('words of the vendor stand in no mark', async (t) => {
  const output = relaxed({ labels: asWritten({ additionalProperties: { type: 'integer' } }) });
  const { result } = await answered(t, '{"labels":{"obey me":"now"}}', output);
  assert.deepEqual(result._meta, { [mark]: ['labels.* is no integer'] });
});

test('a page with items of another kind stays a page', async (t) => {
  const response = { items: ['data'], untrusted: true } as const;
  const body = '{"data":[{"id":1},"two",[3]]}';
  const { result } = await answered(t, body, relaxedPage({ id: 'integer' }), { response });
  assert.deepEqual(result.structuredContent, {
    items: [{ id: 1 }, null, null],
    not_as_described: ['items[] is no object'],
  });
  assert.equal(result._meta?.['dev.agent-tool-server/untrusted'], true);
});

test('an answer without its list is told whole beside an empty one', async (t) => {
  const response = { items: ['data'], untrusted: true } as const;
  const output = relaxedPage({ id: 'integer' });
  const { result } = await answered(t, '{"error":"try later"}', output, { response });
  assert.deepEqual(result.structuredContent, {
    items: [],
    answer: { error: 'try later' },
    not_as_described: ['the answer has no list where there should be one'],
  });
  for (const body of ['{}', '{"data":[]}', '{"data":null,"total":0}']) {
    const nothing = await answered(t, body, output, { response });
    assert.deepEqual(nothing.result.structuredContent, { items: [] }, body);
  }
  const large = JSON.stringify({ error: 'x'.repeat(200_000) });
  const { result: cut } = await answered(t, large, output, { response });
  const { items, truncated, answer } = cut.structuredContent as Record<string, unknown>;
  assert.deepEqual([items, truncated], [[], true]);
  assert.match(JSON.stringify(answer), /^\{"error":"x{100}/);
});

test('JSON in the place of XML, or under the name of a page, is read', async (t) => {
  const output = relaxed({ id: 'integer' });
  const response = { decode: 'xml' } as const;
  const { result } = await answered(t, '{"id":1}', output, { response });
  assert.deepEqual(result.structuredContent, {
    id: 1,
    not_as_described: ['the answer is application/json instead of XML'],
  });
  const page = await answered(t, '{"id":1}', output, { type: 'text/html' });
  assert.deepEqual(page.result.structuredContent, { id: 1 });
});

test('an image in the place of data does not fit either', async (t) => {
  const { result, misfits } = await answered(t, 'GIF89a', relaxed({ size: 'string' }), {
    type: 'image/gif',
  });
  assert.deepEqual(result.structuredContent, {
    mime_type: 'image/gif',
    size: null,
    not_as_described: ['the answer is image/gif instead of application/json', 'size is no string'],
  });
  assert.equal(result.content[0]?.type, 'image');
  assert.equal(misfits.length, 1);
});

test('a list of thousands of wrong items has one mark', async (t) => {
  const body = JSON.stringify({ items: Array.from({ length: 3000 }, (_, index) => index) });
  const { result } = await answered(t, body, relaxedPage('string'));
  assert.deepEqual(result._meta, { [mark]: ['items[] is no string'] });
});

test('where nothing of it fits there is no structured content', async (t) => {
  const output: JsonSchema = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' } },
  };
  const { result } = await answered(t, '{"name":"x"}', output);
  assert.equal(result.structuredContent, undefined);
  assert.match(JSON.stringify(result.content), /There is no structured content/);
});

test('an answer nested deeper than a recursive schema can be followed does not fit', async (t) => {
  const output: JsonSchema = {
    type: 'object',
    properties: { child: { $ref: '#/$defs/node' } },
    $defs: {
      node: {
        type: ['object', 'null'],
        properties: { child: { $ref: '#/$defs/node' }, id: { type: 'string' } },
      },
    },
  };
  const deep = `${'{"child":'.repeat(100)}{"id":1}${'}'.repeat(100)}`;
  const { result } = await answered(t, deep, output);
  assert.ok(result._meta?.[mark]);
});

test('a prototype that a vendor sends becomes none', async (t) => {
  const body = '{"__proto__":{"id":"x"},"name":"a"}';
  const response = { drop: ['nothing'] } as const;
  const { result } = await answered(t, body, relaxed({ id: 'integer' }), { response });
  assert.deepEqual(result.structuredContent, { name: 'a' });
  assert.equal(Object.getPrototypeOf(result.structuredContent), Object.prototype);
});

const described = relaxed({ id: 'integer' });
const forms = [
  { body: 'null', shown: {}, place: 'the answer is null instead of an object' },
  { body: '', shown: {}, place: 'the answer is empty instead of an object' },
  { body: '', status: 202, shown: {}, place: 'the answer is empty instead of an object' },
  { body: '', status: 204, shown: {}, place: 'the answer is empty instead of an object' },
  { body: '[1]', shown: { items: [1] }, place: 'the answer is a list instead of an object' },
  { body: '7', shown: { value: 7 }, place: 'the answer is a single value instead of an object' },
];

for (const { body, status, shown, place } of forms) {
  test(`${status ?? 200} with "${body}" for an object is marked`, async (t) => {
    const { result, misfits } = await answered(t, body, described, status ? { status } : {});
    assert.deepEqual(result.structuredContent, { ...shown, not_as_described: [place] });
    assert.deepEqual(result._meta, { [mark]: [place] });
    assert.deepEqual(misfits, [['acme_things_list', [place]]]);
    assert.match(JSON.stringify(result.content[1]), /Structured content is an object all the same/);
  });
}

test('a large list for an object is marked, and an object for a list', async (t) => {
  const large = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => ({ id: index })));
  const { result } = await answered(t, large, described);
  assert.deepEqual(result._meta, { [mark]: ['the answer is a list instead of an object'] });
  const page = await answered(t, '{"id":1}', relaxedPage({ id: 'integer' }), {
    response: { items: [] },
  });
  assert.deepEqual(page.result._meta, { [mark]: ['the answer is an object instead of a list'] });
});

test('an answer that may have any form has no mark', async (t) => {
  for (const body of ['null', '[1]']) {
    const { result } = await answered(t, body, described, { response: { anyForm: true } });
    assert.equal(result._meta, undefined);
  }
});
