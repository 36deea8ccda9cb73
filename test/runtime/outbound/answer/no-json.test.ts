import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { relaxed, relaxedPage } from '#contract/schema/relaxed';
import { caller } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

// Vendors call their answer JSON and send `OK`. The call has succeeded, and who reads an error
// makes it again.

const why = 'the answer is a text instead of JSON';

async function callerOf(t: TestContext, said: string, isList = false) {
  const { url } = await startUpstream(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(said);
  });
  const item = { id: 'integer' } as const;
  return caller(t, url, {
    tool: isList
      ? { output: relaxedPage(item), response: { items: ['things'] } }
      : { output: relaxed(item) },
  });
}

const whole = [
  'OK',
  'Created successfully.\n',
  '{"id":1}\n{"id":2}\n',
  '{"id":1}{"id":2}',
  '{"ratio":1,}',
  `)]}',\n{"id":1}`,
  // Read by a thread of its own.
  `OK ${'x'.repeat(100_000)}`,
];

for (const said of whole) {
  const name = JSON.stringify(said.slice(0, 40));
  test(`${name} arrives as a text, with a mark`, async (t) => {
    const { text, not_as_described } = await (await callerOf(t, said)).data();
    assert.equal(String(text).slice(0, 1000), said.slice(0, 1000));
    assert.deepEqual(not_as_described, [why]);
  });

  test(`${name} in the place of a list stands beside an empty one`, async (t) => {
    const { items, answer, not_as_described } = await (await callerOf(t, said, true)).data();
    assert.deepEqual(items, []);
    assert.ok(JSON.stringify(answer).includes(JSON.stringify(said.slice(0, 20)).slice(1, -1)));
    assert.deepEqual(not_as_described, [why]);
  });
}

test('blanks and line ends alone are an empty answer', async (t) => {
  const { data } = await callerOf(t, ' \r\n');
  assert.deepEqual(await data(), {
    not_as_described: ['the answer is empty instead of an object'],
  });
});

for (const cut of ['{"a":', '["a"', '"abc', '{"a":1},', '\0\u0001']) {
  test(`${JSON.stringify(cut)} is cut off, or no text`, async (t) => {
    const { failure } = await callerOf(t, cut);
    assert.match((await failure()).message, /JSON is broken or cut off/);
  });
}

const errors: readonly (readonly [string, RegExp])[] = [
  ['name is too short', /: name is too short$/],
  [`{"detail":"name is too short","input":"${'x'.repeat(100_000)}"}`, /: .*name is too short/],
  // The limit falls into a character.
  [`{"detail":"too short","input":"${'x'.repeat(65_000)}${'é'.repeat(9000)}"}`, /: .*too short/],
];

for (const [said, shown] of errors) {
  test(`of an error that is called JSON, ${said.length} characters, the words are told`, async (t) => {
    const { url } = await startUpstream(t, (response) => {
      response.writeHead(400, { 'content-type': 'application/problem+json' }).end(said);
    });
    const { message } = await caller(t, url).failure();
    assert.match(message, shown);
    assert.ok(message.length < 600);
  });
}

test('NaN and the infinities, which Python writes, are texts in an answer that is read', async (t) => {
  const said = '{"id":1,"a":NaN,"b":[-Infinity,"NaN \\"Infinity"],"c":12345678901234567890}';
  const { content, structuredContent } = await (await callerOf(t, said)).call();
  assert.deepEqual(structuredContent, {
    hint: 'what is no number in JSON (NaN, Infinity) is a text here',
    id: 1,
    a: 'NaN',
    b: ['-Infinity', 'NaN "Infinity'],
    c: '12345678901234567890',
  });
  assert.equal(content.length, 1);
  const list = await callerOf(t, '{"things":[{"id":NaN},{"id":2}]}', true);
  const { items, not_as_described } = await list.data();
  assert.deepEqual(items, [{ id: null }, { id: 2 }]);
  assert.deepEqual(not_as_described, ['items[].id is no integer']);
});

test('a text that speaks of NaN, however long and broken, is not read for long', async (t) => {
  const { text } = await (await callerOf(t, `NaN ${'"\\"'.repeat(200_000)}`)).data();
  assert.match(String(text), /^NaN /);
});
