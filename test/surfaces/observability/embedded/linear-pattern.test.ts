import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { LinearPattern } from '../../../../runtime/surfaces/observability/embedded/pattern/linear-pattern.ts';

const atom = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\d', '\\w', '1', '^', '$');
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
    tie('pattern').map((each) => `(${each})*`),
    tie('pattern').map((each) => `(?:${each})+`),
    tie('pattern').map((each) => `(?:${each})?`),
    tie('pattern').map((each) => `(?:${each}){1,3}`),
  ),
}));
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' '), maxLength: 12 });

test('a pattern finds what the engine of the language finds', () => {
  fc.assert(
    fc.property(pattern, text, (source, found) => {
      assert.equal(new LinearPattern(source, false).test(found), new RegExp(source).test(found));
      const whole = new RegExp(`^(?:${source})$`);
      assert.equal(new LinearPattern(source, true).test(found), whole.test(found));
    }),
    { numRuns: 3000 },
  );
});

test('flags, classes and codes are those of RE2', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['(?i)ERROR: \\d{2}', 'an error: 42', true],
    ['(?s)a.b', 'a\nb', true],
    ['a.b', 'a\nb', false],
    ['(?P<name>x)[\\]-]', 'x]', true],
    ['\\x41\\x{1F600}', 'A😀', true],
    ['^[^😀]$', '😀', false],
    ['a{0}b', 'b', true],
  ];
  for (const [source, found, expected] of cases) {
    assert.equal(new LinearPattern(source, false).test(found), expected, source);
  }
});

test('what would take forever elsewhere takes one look at each character', () => {
  const pattern = new LinearPattern('^(a+)+$|(.*)*(.*)*x$', false);
  assert.equal(pattern.test(`${'a'.repeat(100_000)}b`), false);
});

test('what is not supported is refused', () => {
  for (const source of ['(?=a)', '(a', 'a)', '*', '\\1', '\\b', '[b-a]', 'a{2000}', '(?m)a']) {
    assert.throws(() => new LinearPattern(source, false), { name: 'QueryRefusal' }, source);
  }
  assert.throws(() => new LinearPattern('((a{100}){100}){100}', false), /too large/);
});
