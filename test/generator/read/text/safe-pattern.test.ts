import assert from 'node:assert/strict';
import test from 'node:test';
import { isAmbiguous } from '../../../../generator/read/text/pattern-ambiguity.ts';
import { isSafePattern } from '../../../../generator/read/text/safe-pattern.ts';

const safe = [
  '^\\d{5}(-\\d{4})?$',
  '^([0-9]+([.][0-9]+)?(ns|us|ms|s|m|h))+$',
  '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==)?$',
  '^[^@\\s]+@[\\w-]+(\\.[\\w-]+)+$',
  '^(?<year>\\d{4})-[\\]\\x41-\\u0043-]*?$',
];
const unsafe = [
  ...['(a+)+$', '(a|a)*$', '(\\w+\\s?)*$', '(a?){30}a{30}', '(a|ab|b)*c', '^(a|[a-z])*$'],
  ...[
    '^(\\d{1,20}){1,20}$',
    '^((\\w|.)){20}$',
    '(.|\\s)*x',
    '(x+x+)+y',
    '([a-c]|[b-d])+$',
    '(',
    '^(a(b+))?]$',
  ],
];

test('a pattern is kept where no loop of it matches the same text in two ways', () => {
  for (const pattern of safe) assert.ok(isSafePattern(pattern), pattern);
  for (const pattern of unsafe) assert.ok(!isSafePattern(pattern), pattern);
});

test('a long run of one kind of character is weighed as a loop', () => {
  const name = '[0-9A-Za-z]([-0-9A-Za-z]{0,61}[0-9A-Za-z])?';
  assert.ok(isSafePattern(`^(${name}\\.)+[A-Za-z]{2,63}\\.?$`));
  assert.ok(!isSafePattern(`^(${name})+[A-Za-z]{2,63}\\.?$`));
  assert.ok(!isSafePattern(`^(${name}\\.?)+[A-Za-z]{2,63}\\.?$`));
});

test('a pattern of whole characters is weighed as the flag u reads it', () => {
  const kept = [
    '^\\p{L}+$',
    "^\\p{Lu}[\\p{L}\\p{M} .'-]{0,60}$",
    "^[\\p{L}]+([ '-][\\p{L}]+){0,2}\\.?$",
    '^\\P{L}+(x\\P{L}+)*$',
    '^[^\\p{C}]+$',
    '^\\u{1f600}+$',
    '^[\\w-.]+$',
  ];
  for (const pattern of kept) assert.ok(isSafePattern(pattern), pattern);
  const dropped = [
    ...['^(\\p{L}|[a-z])*$', '^([^\\p{N}]|a)*$', '^(\\u{61}|a)*$', '^(\\ud83d\\ude00|😀)*$'],
    ...['^([^\\0-\\uffff]|[^\\0-\\uffff])*$', '^(?!a)(\\p{L}|a)*$'],
    ...['^\\p{L}+(a\\p{L}+)*$', '^\\p{L}+(é\\p{Lu}+)*$'],
  ];
  for (const pattern of dropped) assert.ok(!isSafePattern(pattern), pattern);
});

test('nothing is said of what refers back or is too large', () => {
  for (const pattern of ['(a)\\1', '\\p{L}', 'abc'.repeat(101), '(a?)*']) {
    assert.equal(isAmbiguous(pattern), undefined, pattern);
  }
  assert.equal(isAmbiguous('[a-\\d]'), false);
});

test('a pattern as long as one of all forms of an address (RFC 4291, section 2.2) is kept', () => {
  const byte = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
  const group = '[0-9a-fA-F]{1,4}';
  const shortened = [1, 2, 3, 4, 5].map(
    (left) => `(${group}:){1,${left}}(:${group}){1,${6 - left}}`,
  );
  const pattern = `^(?:$|(${byte}\\.){3}${byte}|(${group}:){7}${group}|${shortened.join('|')})$`;
  assert.equal(isAmbiguous(pattern), false);
  assert.ok(isSafePattern(pattern));
});

test('what takes too many steps to look at is not trusted', () => {
  const many = (places: number) => '[a-z]?'.repeat(places);
  assert.equal(isAmbiguous(`^${many(20)}$`), false);
  assert.equal(isAmbiguous(`^${many(110)}$`), true);
  assert.ok(!isSafePattern(`^(?:${many(110)}!)*$`));
  // A run that is too long to count is one place.
  assert.ok(isSafePattern('^(?:[a-z]{0,110}-)*$'));
});

test('what looks around is weighed by itself, and what stands around it without it', () => {
  const day = '(?:(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))';
  const kept = [`(?<![0-9])${day}(?![0-9])`, '^(?=.*[a-z])(?=.*\\d)[a-z\\d]{8,}$', '^a(?=b)*b+$'];
  for (const pattern of kept) assert.ok(isSafePattern(pattern), pattern);
  for (const pattern of ['^(?!.*(a+)+b)x*$', '^(?:(?!x)a|a)*$', '^(?=(a)\\1)(b+)(?<!c)+$']) {
    assert.ok(!isSafePattern(pattern), pattern);
  }
});
