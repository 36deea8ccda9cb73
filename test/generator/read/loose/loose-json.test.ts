import assert from 'node:assert/strict';
import test from 'node:test';
import { parseLooseJson } from '../../../../generator/read/loose/loose-json.ts';
import { findJsonError } from '../../../../generator/read/text/json-syntax.ts';

const read = [
  [
    'a comma behind the last item',
    '{"a": [1, 2,\n], "b": {"c": 1,},}',
    '{"a":[1,2],"b":{"c":1}}',
    [11],
  ],
  ['a missing comma', '{"a": [{} {}\n"x"]\n"b": 1}', '{"a":[{},{},"x"],"b":1}', [9]],
  ['a tab in a text', '{"a\t": "b\tc"}', '{"a ":"b c"}', [1]],
  ['a line that ends in a text', '["one\ntwo"]', '["one two"]', [1]],
  [
    'a comment',
    '// first\n{"a": "//" /* "b": 2, */, // third\n"c": [1, // fourth\n]}',
    '{"a":"//","c":[1]}',
    [0, 51],
  ],
] as const;

for (const [what, text, value, places] of read) {
  test(`${what} is read as it is meant, and told of`, () => {
    const { value: found, problems, offsetOf } = parseLooseJson(text);
    assert.equal(JSON.stringify(found), value);
    assert.deepEqual(
      problems.map(({ severity, offset }) => [severity, offset]),
      places.map((offset) => ['warning', offset]),
    );
    assert.equal(offsetOf(['c']), Math.max(text.indexOf('"c": ['), text.search(/\S/)));
  });
}

test('what is not clear stays an error at its place', () => {
  for (const [text, offset] of [
    ['{"a": 1', 7],
    ['{"a": "one,\n"b": 2}', 6],
    ['{"a": 1 2}', 8],
    ['{"a": 1 "b"}', 8],
    ['{"a": 1}, {}', 8],
    ['{"a": 1,, "b": 2}', 8],
    ['{"a": /* 1}', 6],
    ['{"a"  1}', 6],
    ['{,}', 1],
    ['[1 2]', 3],
    ['[1,\n/* none */', 14],
  ] as const) {
    const { value, problems } = parseLooseJson(text);
    assert.equal(value, undefined, text);
    assert.equal(problems.length, 1);
    assert.equal(findJsonError(text)?.offset, problems[0]?.offset, text);
    assert.equal(problems[0]?.severity, 'error');
    if (!text.endsWith('*/')) assert.equal(problems[0]?.offset, offset, text);
  }
});

test('all places are mended in one walk, however many there are', () => {
  const { value, problems } = parseLooseJson(
    `[${'{"a": "b\tc" // d\n"e": [1,],}\n'.repeat(50_000)}]`,
  );
  assert.equal((value as unknown[]).length, 50_000);
  assert.match(problems.map(({ message }) => message).join(), /\(and of 99998 more\)/);
  assert.equal(parseLooseJson(`[${'"a\n'.repeat(100_001)}`).value, undefined);
  assert.equal(parseLooseJson('/*'.repeat(200_000)).value, undefined);
});
