import assert from 'node:assert/strict';
import test from 'node:test';
import { answered } from './answered.ts';

const items = [{ id: 1 }, { id: 2 }];

for (const [type, body] of [
  ['application/x-ndjson', '{"id":1}\n{"id":2}\n'],
  ['application/jsonl; charset=utf-8', '{"id":1}\r\n\r\n{"id":2}'],
  ['application/json-seq', '\u001e{"id":1}\n\u001e{\n"id":2}\n'],
] as const) {
  test(`${type} is read as the list that it is`, async (t) => {
    const { data } = await answered(t, { type, body });
    assert.deepEqual(await data(), { items });
  });
}

test('one JSON text over several lines is read as itself, and what is none as a text', async (t) => {
  const type = 'application/x-ndjson';
  const one = await answered(t, { type, body: '{\n"id": 1\n}' });
  assert.deepEqual(await one.data(), { id: 1 });
  for (const body of ['no JSON\n{"id":1}\n', '1\nno JSON\n']) {
    const other = await answered(t, { type, body });
    assert.deepEqual(await other.data(), { text: body });
  }
});

for (const [last, lines] of [
  [['{"id":'], '1 line of the answer is'],
  [['out of memory', '{"id":'], '2 lines of the answer are'],
] as const) {
  for (const decode of [undefined, 'json'] as const) {
    test(`${lines} no JSON is told, and the others are read, by ${decode}`, async (t) => {
      const type = 'application/x-ndjson';
      const body = `{"id":1}\n{"id":2}\n${last.join('\n')}`;
      const { data } = await answered(t, { type, body, response: { ...(decode && { decode }) } });
      assert.deepEqual(await data(), {
        items: [...items, ...last],
        hint: `${lines} no JSON, or cut off, and given as text`,
      });
    });
  }
}

test('lines that are curated as a text stay one', async (t) => {
  const body = '{"id":1}\n{"id":2}\n';
  const response = { decode: 'text' } as const;
  const { data } = await answered(t, { type: 'application/x-ndjson', body, response });
  assert.deepEqual(await data(), { text: body });
});

test('digits of fractions stay, and a list of lines that is too long loses whole items', async (t) => {
  const type = 'application/x-ndjson';
  const exact = await answered(t, { type, body: '{"price":0.1234567890123456789}\n' });
  assert.match(
    (await exact.call()).content.map((each) => JSON.stringify(each)).join(''),
    /0\.1234567890123456789/,
  );
  const lines = Array.from({ length: 5000 }, (_, id) => `{"id":${id},"name":"${'x'.repeat(40)}"}`);
  const long = await answered(t, { type, body: lines.join('\n') });
  const { items: kept, truncated } = (await long.data()) as {
    items: { id: number }[];
    truncated?: true;
  };
  assert.equal(truncated, true);
  assert.ok(kept.length > 100 && kept.length < lines.length);
  assert.deepEqual(
    kept.map(({ id }) => id),
    [...kept.keys()],
  );
});
