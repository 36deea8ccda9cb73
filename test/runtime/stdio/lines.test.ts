import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { idOfLong } from '../../../runtime/mcp/wire/long-message.ts';
import { Lines } from '../../../runtime/stdio/lines.ts';

/** What comes of `chunks`, with the ids of lines that are too long. */
function read(limit: number, chunks: readonly Buffer[]): unknown[] {
  const found: unknown[] = [];
  const lines = new Lines({
    limit,
    line: (bytes) => found.push(bytes.toString('utf8')),
    tooLong: (start, end) => found.push({ id: idOfLong(start, end) }),
  });
  for (const chunk of chunks) lines.push(chunk);
  lines.finish();
  return found;
}

test('lines are the same however the bytes arrive', () => {
  const line = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .map((text) => text.replace(/\n/g, ''));
  fc.assert(
    fc.property(fc.array(line), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (all, sizes) => {
      let bytes = Buffer.from(all.map((each) => `${each}\n`).join(''));
      const chunks: Buffer[] = [];
      for (const size of sizes) {
        if (bytes.length === 0) break;
        chunks.push(bytes.subarray(0, size));
        bytes = bytes.subarray(size);
      }
      assert.deepEqual(
        read(1000, chunks),
        all.filter((each) => each !== ''),
      );
    }),
  );
});

test('a last line without an end counts', () => {
  assert.deepEqual(read(10, [Buffer.from('a\nb')]), ['a', 'b']);
});

test('what follows a line that is too long is read', () => {
  const found = read(10, [Buffer.from(`${'x'.repeat(9)}`), Buffer.from('xx\nok\n0123456789\n')]);
  assert.deepEqual(found, [{ id: undefined }, 'ok', '0123456789']);
});

const filler = 'x'.repeat(2000);
const long: readonly (readonly [id: unknown, text: string])[] = [
  [7, `{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"${filler}"}}`],
  ['a"b', `{"id" : "a\\"b","params":{"a":"${filler}"}}`],
  [8, `{"method":"m","params":{"a":"${filler}"},"jsonrpc":"2.0","id":8}`],
  ['z', `{"params":"${filler}", "id" : "z" } `],
  [undefined, `{"method":"m","params":{"a":"${filler}","id":9}}`],
  [undefined, `{"method":"m","params":{"id":9,"a":"${filler}"}}`],
  [undefined, `{"method":"m","b":"${filler}","a\\"id":9}`],
  [undefined, `{"id":1.5,"b":"${filler}"}`],
];
for (const [id, text] of long) {
  test(`the id of ${text.slice(0, 24)}...${text.slice(-24)} is ${id}`, () => {
    const bytes = Buffer.from(`${text}\n`);
    assert.deepEqual(read(1000, [bytes.subarray(0, 1500), bytes.subarray(1500)]), [{ id }]);
  });
}
