import assert from 'node:assert/strict';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { comparableText, nestedDeeperThan, valueAt } from '#contract/json';

const page = {
  data: [
    { id: 1, tags: ['a'] },
    { id: 2, tags: [] },
  ],
  meta: { next: null },
};

test('valueAt reads names, positions from both ends, and every member', () => {
  assert.equal(valueAt(page, ['data', 0, 'id']), 1);
  assert.equal(valueAt(page, ['data', -1, 'id']), 2);
  assert.deepEqual(valueAt(page, ['data', '*', 'id']), [1, 2]);
  assert.equal(valueAt(page, ['meta', 'next']), null);
  assert.equal(valueAt(page, []), page);
});

test('valueAt gives undefined where nothing stands, inherited properties included', () => {
  assert.equal(valueAt(page, ['data', 7, 'id']), undefined);
  assert.equal(valueAt(page, ['constructor']), undefined);
  assert.equal(valueAt(page, ['data', 'length']), undefined);
  assert.equal(valueAt('text', ['length']), undefined);
});

function nested(levels: number, member: unknown = 1): unknown {
  let value = member;
  for (let level = 0; level < levels; level += 1) value = level % 2 ? { a: 0, b: value } : [value];
  return value;
}

test('nestedDeeperThan counts the levels of arrays and objects, empty ones too', () => {
  assert.equal(nestedDeeperThan('text', 0), false);
  assert.equal(nestedDeeperThan(null, 0), false);
  assert.equal(nestedDeeperThan([], 0), true);
  assert.equal(nestedDeeperThan(nested(128), 128), false);
  assert.equal(nestedDeeperThan(nested(129), 128), true);
  assert.equal(nestedDeeperThan([[], {}, nested(128)], 128), true);
  assert.equal(nestedDeeperThan(nested(127, {}), 128), false);
});

test('nestedDeeperThan does not run out of stack or time', () => {
  assert.equal(nestedDeeperThan(nested(1_000_000), 128), true);
  assert.equal(nestedDeeperThan(nested(1_000_000), 2_000_000), false);
  assert.equal(nestedDeeperThan(Array(1_000_000).fill([1]), 2), false);
});

test('comparableText is the same for equal values alone, whatever they hold', () => {
  const key = fc.constantFrom('a', 'b', '__proto__', 'members', 'number', '\ud800');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        null,
        true,
        0,
        1,
        1e308,
        Infinity,
        -Infinity,
        '',
        'Infinity',
        '\ud800',
        '\udc00',
      ),
      fc.array(tie('value'), { maxLength: 2 }),
      fc
        .array(fc.tuple(key, tie('value')), { maxLength: 2 })
        .map((members): unknown => Object.fromEntries(members)),
    ),
  }));
  fc.assert(
    fc.property(value, value, (a, b) => {
      assert.equal(comparableText(a) === comparableText(b), isDeepStrictEqual(a, b));
    }),
  );
});

test('comparableText does not depend on the order of members', () => {
  const parsed = (text: string) => comparableText(JSON.parse(text));
  assert.equal(
    parsed('{"a":1,"__proto__":{"c":2,"b":3}}'),
    parsed('{"__proto__":{"b":3,"c":2},"a":1}'),
  );
  assert.notEqual(parsed('{"__proto__":{"a":1}}'), parsed('{}'));
});
