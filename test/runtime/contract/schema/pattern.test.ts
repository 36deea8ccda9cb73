import assert from 'node:assert/strict';
import test from 'node:test';
import { compilePattern } from '#contract/schema/pattern';
import { valueFault } from '../../../../generator/model/schema/schema-check.ts';
import { createSchemaCompiler } from '../../../../runtime/admission/steps/schema-compiler.ts';

const cases = [
  { pattern: '^\\p{L}+$', taken: 'Zoë', refused: 'a1' },
  { pattern: '^.$', taken: '😀', refused: 'ab' },
  { pattern: '^[\\w-.]+\\-$', taken: 'a.b-', refused: 'a b-' },
];

test('a pattern is read with the flag u, and without it where it is none with it', () => {
  for (const { pattern, taken, refused } of cases) {
    const schema = { type: 'object', properties: { a: { pattern } } };
    const check = createSchemaCompiler({ allErrors: false }).compile(schema);
    assert.deepEqual([check({ a: taken }), check({ a: refused })], [true, false], pattern);
    assert.equal(valueFault(schema, { a: taken }), undefined, pattern);
    assert.ok(valueFault(schema, { a: refused }), pattern);
  }
  assert.throws(() => compilePattern('('), SyntaxError);
});

test('names of members are read the same way', () => {
  const { compile } = createSchemaCompiler({ allErrors: false });
  const check = compile({ patternProperties: { '^\\p{L}+$': { type: 'integer' } } });
  assert.deepEqual([check({ Zoë: 1 }), check({ Zoë: 'x' })], [true, false]);
});
