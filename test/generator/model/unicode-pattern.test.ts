import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { unicodePattern } from '../../../generator/model/schema/unicode-pattern.ts';

const cases = [
  ['^[a-z\\_]+$', '^[a-z_]+$'],
  ['^\\d{3}\\-\\d{4}$', '^\\d{3}-\\d{4}$'],
  ['^[\\w\\-\\@]+\\:x$', '^[\\w\\-@]+:x$'],
  ['^a\\.b\\/c$', '^a\\.b\\/c$'],
  // A letter may be meant as what other dialects have there.
  ['^\\Aabc\\Z$', '^\\Aabc\\Z$'],
  // What is in the way is something else.
  ['^a{\\_}$', '^a{\\_}$'],
  ['([', '(['],
];

for (const [pattern = '', expected] of cases) {
  test(`needless backslashes of ${pattern} (JSON Schema 2020-12 core, section 6.4)`, () => {
    assert.equal(unicodePattern(pattern), expected);
  });
}

test('a pattern matches what it matched before', () => {
  const pieces = [
    '\\_',
    '\\-',
    '\\@',
    '[',
    ']',
    'a',
    '-',
    '\\d',
    '\\]',
    '\\[',
    '^',
    '+',
    '\\\\',
    '_',
  ];
  const patterns = fc
    .array(fc.constantFrom(...pieces), { maxLength: 8 })
    .map((all) => all.join(''));
  const texts = fc.array(fc.constantFrom('_', '-', '@', 'a', '1', '[', ']', '\\', '^'), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(patterns, texts, (pattern, characters) => {
      const text = characters.join('');
      const made = unicodePattern(pattern);
      if (made === pattern) return;
      assert.equal(new RegExp(made, 'u').test(text), new RegExp(pattern).test(text));
    }),
    { numRuns: 3000 },
  );
});
