import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../../../generator/read/text/json-text.ts';
import { linePositions } from '../../../../generator/read/text/line-positions.ts';

function problems(text: string): string[] {
  const position = linePositions(text);
  return parseJson(text).problems.map(({ code, offset, message }) => {
    const { line, column } = position(offset);
    return `${code} ${line}:${column} ${message}`;
  });
}

test('a path leads to its key, in an array to the item, else to the nearest ancestor', () => {
  const text = ' {"a": [1, {"b\\u0041": "}{"}],\n "c": {}}';
  const { offsetOf } = parseJson(text);
  assert.equal(offsetOf([]), text.indexOf('{'));
  assert.equal(offsetOf(['a', '1', 'bA']), text.indexOf('"b'));
  assert.equal(offsetOf(['a', '0']), text.indexOf('1'));
  assert.equal(offsetOf(['c', 'nothing', 'here']), text.indexOf('"c'));
});

test('duplicate keys are reported wherever they stand', () => {
  assert.deepEqual(problems('{"a": 1,\n "b": [{"c": ":", "c": 2}],\n "a": 3}'), [
    'SPEC002 2:19 "c" is already a key of this map',
    'SPEC002 3:2 "a" is already a key of this map',
  ]);
});

test('of a path that stands twice, the operations that are lost are told', () => {
  const text = '{"paths": {"/a": {"get": {}, "summary": "A", "put": {}}, "/a": {"post": {}}}}';
  assert.deepEqual(problems(text), [
    'SPEC002 1:58 "/a" is already a key of this map; the last one counts, lost of the first: GET, PUT',
  ]);
});

test('an error is reported where the grammar of RFC 8259 breaks', () => {
  assert.deepEqual(problems('{"a": 1,\n}'), ['SPEC002 2:1 expected a key, found "}"']);
  assert.deepEqual(problems('{"a": [1, b]}'), ['SPEC002 1:11 expected a value, found "b]}"']);
  assert.deepEqual(problems('{"a" 1}'), ['SPEC002 1:6 expected ":", found "1}"']);
  assert.deepEqual(problems('[1'), ['SPEC002 1:3 expected "," or ], found the end']);
  assert.deepEqual(problems('{} {}'), ['SPEC002 1:4 expected the end, found "{}"']);
  assert.deepEqual(problems('[01]'), ['SPEC002 1:2 expected a value or ], found "01]"']);
});

test('whatever JSON.parse refuses has an error, whatever it takes has none', () => {
  const near = fc
    .json()
    .chain((text) =>
      fc
        .tuple(fc.nat(text.length), fc.nat(2), fc.constantFrom('', '"', ',', ':', '}', '1', 'x'))
        .map(([at, cut, insert]) => text.slice(0, at) + insert + text.slice(at + cut)),
    );
  fc.assert(
    fc.property(near, (text) => {
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      const syntax = parseJson(text).problems.filter(({ message }) =>
        message.startsWith('expected'),
      );
      assert.equal(syntax.length, valid ? 0 : 1);
    }),
    { numRuns: 500, seed: 7 },
  );
});

test('every path of a value is found at its own text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.array(fc.jsonValue())), (value) => {
      const text = JSON.stringify(value, null, 1);
      const { offsetOf } = parseJson(text);
      for (const [key, items] of Object.entries(value)) {
        assert.ok(text.startsWith(JSON.stringify(key), offsetOf([key])));
        items.forEach((item, index) => {
          const start = JSON.stringify(item).slice(0, 1);
          assert.ok(text.startsWith(start, offsetOf([key, String(index)])));
        });
      }
    }),
    { numRuns: 200, seed: 7 },
  );
});

test('a member called __proto__ is only a property', () => {
  const value = parseJson('{"__proto__": {"polluted": true}}').value as object;
  assert.deepEqual(Object.keys(value), ['__proto__']);
  assert.equal(Object.getPrototypeOf(value), null);
});

test('nesting without end is an error', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  assert.deepEqual(problems(deep), ['SPEC002 1:1 values are nested deeper than 400 levels']);
});
