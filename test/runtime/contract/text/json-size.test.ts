import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { nestedDeeperThan } from '#contract/json';
import { excessOfJson, mostValues, sizeOfJson } from '#contract/text/json-size';

const unbounded = { values: Infinity, levels: Infinity };

test('the levels of a text are those of its value, and no value is overlooked', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1), (value, space) => {
      const { values, levels } = sizeOfJson(JSON.stringify(value, null, space), unbounded);
      assert.equal(nestedDeeperThan(value, levels), false);
      assert.ok(levels === 0 || nestedDeeperThan(value, levels - 1));
      const { all, empty } = countOf(value);
      assert.equal(values, all + empty);
    }),
  );
});

/** Every value, and how many of them are arrays and objects without members. */
function countOf(value: unknown): { readonly all: number; readonly empty: number } {
  if (typeof value !== 'object' || value === null) return { all: 1, empty: 0 };
  const members = Object.values(value).map(countOf);
  return members.reduce(
    (sum, { all, empty }) => ({ all: sum.all + all, empty: sum.empty + empty }),
    { all: 1, empty: members.length === 0 ? 1 : 0 },
  );
}

test('what stands in a text counts for nothing, whatever is escaped in it', () => {
  for (const text of ['[[{,,', '\\', '"', '\\"[', '"]', '\\\\', 'a"b\\"c[']) {
    const { values, levels } = sizeOfJson(JSON.stringify([text, text]), unbounded);
    assert.deepEqual({ values, levels }, { values: 3, levels: 1 }, text);
  }
});

test('broken text is counted to its end', () => {
  for (const text of ['"', '"\\', '["\\"', '[1,', '}}]]', '']) sizeOfJson(text, unbounded);
});

test('a text with too much in it is told by what it has too much of', () => {
  const many = (count: number) => `[${Array(count).fill('{}').join()}]`;
  assert.equal(excessOfJson(many(mostValues / 2 - 1)), undefined);
  assert.equal(excessOfJson(many(mostValues / 2)), 'holds more than 50000 values');
  const long = ' '.repeat(mostValues);
  assert.equal(excessOfJson(`${long}${'['.repeat(128)}`), undefined);
  assert.equal(excessOfJson(`${long}${'['.repeat(129)}`), 'is nested deeper than 128 levels');
  assert.equal(excessOfJson(JSON.stringify('{},'.repeat(1_000_000))), undefined);
});
