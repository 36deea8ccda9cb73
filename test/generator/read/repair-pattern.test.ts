import assert from 'node:assert/strict';
import test from 'node:test';
import { repairPattern } from '../../../generator/read/repair/repair-pattern.ts';

/** What is left of a pattern, and whether something is told. */
function repaired(pattern: string): readonly [unknown, number] {
  const node: Record<string, unknown> = { type: 'string', pattern };
  const messages: string[] = [];
  repairPattern(node, { path: ['a'], told: (_, message) => messages.push(message) });
  return [node['pattern'], messages.length];
}

for (const [written, meant] of [
  ['/^abc$/', '^abc$'],
  ['/^\\/things\\/\\d+$/gu', '^\\/things\\/\\d+$'],
  ['/^ab-1.$/i', '^[aA][bB]-1.$'],
  ['/^[a-f0-9_x]{2}$/i', '^[a-fA-F0-9_xX]{2}$'],
  ['(?i)^[[:upper:]]\\w*$', '^[A-Za-z]\\w*$'],
  ['\\A[[:alpha:]][[:alnum:]_-]*\\z', '^[A-Za-z][A-Za-z0-9_-]*$'],
  ['\\Ax\\Z', '^x$'],
  ['[^[:space:][:digit:]]+', '[^\\s0-9]+'],
  ['^a{,3}$', '^a{0,3}$'],
  ['^\\Qa.b(\\E\\d+\\Q*', '^a\\.b\\(\\d+\\*'],
  [
    '^\\pL[\\pN\\e]\\x{1F600}\\R?$',
    '^\\p{L}[\\p{N}\\x1b]\\u{1F600}(?:\\r\\n|[\\n\\v\\f\\r\\x85\\u2028\\u2029])?$',
  ],
] as const) {
  test(`the pattern ${written} is read as ${meant}`, () => {
    assert.deepEqual(repaired(written), [meant, 1]);
    assert.ok(new RegExp(meant, 'u'));
  });
}

for (const written of [
  '/^a.b$/s',
  '/^a$/x',
  '(?i)^\\x41$',
  '(?i)^(?<name>a)$',
  '(?i)^[A-z]$',
  '/^straße$/i',
  '[[:graph:]]',
  '^\\h+$',
  '^[\\h]+$',
  '^[a-z&&[^b]]+$',
  '^\\p{IsLatin}$',
  '^\\X$',
]) {
  test(`the pattern ${written} is left out: it is not certain what it means`, () => {
    assert.deepEqual(repaired(written), [undefined, 1]);
  });
}

for (const written of [
  '/abc/',
  '^/v1/[^/]+/$',
  '\\d{3}',
  '\\\\A',
  '[:alpha:]',
  '[\\]a]$',
  '^a$/i',
  '^[a-z&&]$',
  '\\_\\-a{2,}',
]) {
  test(`the pattern ${written} stays as it is`, () => {
    assert.deepEqual(repaired(written), [written, 0]);
  });
}

test('names of members are read so, and an object is open where it is not certain what they are', () => {
  const node: Record<string, unknown> = {
    patternProperties: { '\\Aa\\z': { type: 'string' }, '/^a$/': { maxLength: 3 }, '^b$': {} },
    additionalProperties: false,
  };
  const messages: string[] = [];
  const told = (_: unknown, message: string) => messages.push(message);
  repairPattern(node, { path: ['a'], told });
  assert.deepEqual(node, {
    patternProperties: { '^a$': { allOf: [{ type: 'string' }, { maxLength: 3 }] }, '^b$': {} },
    additionalProperties: false,
  });
  const open: Record<string, unknown> = {
    patternProperties: { '\\h': {}, '^b$': {} },
    additionalProperties: false,
  };
  repairPattern(open, { path: ['a'], told });
  assert.deepEqual(open, { patternProperties: { '^b$': {} } });
  assert.equal(messages.length, 3);
});
