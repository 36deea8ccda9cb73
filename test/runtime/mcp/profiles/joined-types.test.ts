import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { JsonSchema } from '#contract/json';
import { createSchemaCompiler } from '../../../../runtime/admission/steps/schema-compiler.ts';
import { joinedTypes } from '../../../../runtime/mcp/profiles/joined-types.ts';
import { valuesOf } from './schema-values.ts';

const none = { type: 'null' };
const compiler = createSchemaCompiler({ allErrors: false });

const cases: readonly (readonly [title: string, given: JsonSchema, made: JsonSchema])[] = [
  [
    'a text or null',
    { anyOf: [{ type: 'string' }, none], description: 'Who' },
    { type: ['string', 'null'], description: 'Who' },
  ],
  [
    'null or a text with words and values of its own',
    { oneOf: [none, { type: 'string', enum: ['a', 'b'], description: 'Which' }], default: null },
    { type: ['null', 'string'], enum: ['a', 'b', null], default: null, description: 'Which' },
  ],
  [
    'a text or a list, each with its rules',
    {
      anyOf: [
        { type: 'string', maxLength: 3 },
        { type: 'array', items: { type: 'string' } },
      ],
    },
    { type: ['string', 'array'], maxLength: 3, items: { type: 'string' } },
  ],
  [
    'a choice within a choice',
    { anyOf: [{ type: 'array', items: { anyOf: [{ type: 'integer' }, none] } }, none] },
    { type: ['array', 'null'], items: { type: ['integer', 'null'] } },
  ],
];

for (const [title, given, made] of cases) {
  test(`a choice among types is a list of types: ${title}`, () => {
    assert.deepEqual(joinedTypes(given), made);
    const [before, after] = [given, made].map((schema) => compiler.compile(schema));
    assert.ok(before && after);
    const values = fc.oneof(valuesOf(given), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(fc.property(values, (value) => before(value) === after(value)));
  });
}

const string = { type: 'string' };

for (const [title, schema] of Object.entries({
  'the words of one of three': {
    anyOf: [string, { type: 'integer', description: 'Its id' }, none],
  },
  'the words of the choice': { anyOf: [{ ...string, description: 'A' }, none], description: 'B' },
  'values beside another type': { anyOf: [{ ...string, enum: ['a'] }, { type: 'integer' }] },
  'a constant': { anyOf: [{ ...string, const: 'a' }, none] },
  'numbers of two kinds': { oneOf: [{ type: 'integer' }, { type: 'number' }] },
  'two objects': { anyOf: [{ type: 'object' }, { type: 'object', required: ['a'] }] },
  'rules beside the choice': { anyOf: [{ type: 'array', contains: {} }, none], minContains: 2 },
  'a rule of another type': { anyOf: [{ ...string, minimum: 3 }, { type: 'integer' }] },
  'a reference': { anyOf: [{ $ref: '#/$defs/A' }, none], $defs: { A: {} } },
  'anything at all': { anyOf: [string, {}] },
})) {
  test(`a choice stays for ${title}`, () => {
    assert.deepEqual(joinedTypes(schema), schema);
  });
}

test('a property named as a choice is none', () => {
  const schema = { type: 'object', properties: { anyOf: { type: 'array' }, oneOf: {} } };
  assert.deepEqual(joinedTypes(schema), schema);
});
