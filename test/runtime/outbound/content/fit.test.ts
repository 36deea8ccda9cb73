import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { fit, fitList, jsonBytes } from '#contract/text/fit';

const anything = fc.jsonValue({ maxDepth: 5, noUnicodeString: false });
/** The text takes its share as a whole; the list needs more than an even share of what is left. */
const tight = {
  '\0': false,
  '\0\0\0\0': [false, false],
  '\0\0\0\0\0': '\0\0\u{10000}',
};

test('any value fits into any budget of 16 bytes or more, and what fits is not changed', () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 16, max: 400 }), (value, budget) => {
      const fitted = fit(value, budget);
      assert.ok(jsonBytes(fitted) <= budget, `${JSON.stringify(fitted)} over ${budget}`);
      if (jsonBytes(value) <= budget) assert.equal(fitted, value);
    }),
    { numRuns: 500, examples: [[tight, 108]] },
  );
});

test('a list keeps its first items as they are', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 32, max: 300 }), (items, budget) => {
      const kept = fitList(items, budget);
      assert.deepEqual(kept, items.slice(0, kept.length));
      const next = items[kept.length];
      if (next !== undefined) assert.ok(jsonBytes([...kept, next]) >= budget);
    }),
  );
});

test('a text is cut between characters, not inside one', () => {
  for (let budget = 16; budget < 40; budget += 1) {
    const text = fit('😀é"\\'.repeat(20), budget);
    assert.ok(typeof text === 'string' && text.isWellFormed() && text.endsWith('…'));
  }
});

test('every member of an object gets its share; what small ones leave goes to large ones', () => {
  const value = { small: 'abc', large: 'x'.repeat(1_000), other: 'y'.repeat(50) };
  const fitted = fit(value, 300) as typeof value;
  assert.equal(fitted.small, value.small);
  assert.equal(fitted.other, value.other);
  assert.ok(fitted.large.length > 180);
  assert.deepEqual(Object.keys(fitted), Object.keys(value));
});

test('the count of bytes is that of the JSON text, or above the limit where that is', () => {
  const members = fc.oneof(anything, fc.constantFrom(undefined, Number.NaN, -0, 1e21));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), members), fc.nat(200), (value, limit) => {
      const bytes = Buffer.byteLength(JSON.stringify([value, undefined]));
      assert.equal(jsonBytes([value, undefined]), bytes);
      const count = jsonBytes([value, undefined], limit);
      if (bytes <= limit) assert.equal(count, bytes);
      else assert.ok(count > limit);
    }),
  );
});

test('what does not fit is not looked through to its end', () => {
  let reads = 0;
  const item = {
    get a() {
      reads += 1;
      return 1;
    },
  };
  const many = new Array(100_000).fill(item);
  for (const value of [many, { x: { y: { z: many } } }, { x: many, y: many }]) {
    fit(value, 1_000);
  }
  assert.ok(reads < 5_000, `${reads} reads`);
});
