import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { JsonSchema } from '#contract/json';
import { createSchemaCompiler } from '../../../../runtime/admission/steps/schema-compiler.ts';
import { brieferRules } from '../../../../runtime/mcp/profiles/briefer-rules.ts';

const compiler = createSchemaCompiler({ allErrors: false });
const moments = [{ format: 'date-time' }, { format: 'date' }];

const shorter: readonly (readonly [title: string, given: JsonSchema, made: JsonSchema])[] = [
  [
    'the digits of a long number',
    { type: ['integer', 'string'], format: 'int64', pattern: '^-?[1-9]\\d{15,18}$' },
    { type: ['integer', 'string'], format: 'int64' },
  ],
  [
    'the digits of a long number without a sign',
    { type: ['integer', 'string', 'null'], minimum: 0, pattern: '^[1-9]\\d{15,19}$' },
    { type: ['integer', 'string', 'null'], minimum: 0 },
  ],
  [
    'a point in time whose words tell it',
    { type: 'string', description: 'When. A date-time or a date.', anyOf: moments },
    { type: 'string', description: 'When. A date-time or a date.' },
  ],
  ['the bits of a number', { type: 'integer', format: 'int32' }, { type: 'integer' }],
  [
    'the bits of a number within a list',
    { type: 'array', items: { type: ['number', 'null'], format: 'double', maximum: 5 } },
    { type: 'array', items: { type: ['number', 'null'], maximum: 5 } },
  ],
];

for (const [title, given, made] of shorter) {
  test(`a rule that costs more to read than it tells is left out: ${title}`, () => {
    assert.deepEqual(brieferRules(given), made);
    assert.deepEqual(brieferRules({ properties: { a: given } }), { properties: { a: made } });
  });
}

for (const [title, schema] of Object.entries<JsonSchema>({
  'a pattern of another kind': { type: ['integer', 'string'], pattern: '^[1-9]\\d{5}$' },
  'digits that are no number': { type: 'string', pattern: '^[1-9]\\d{15,18}$' },
  'a point in time without words': { type: 'string', description: 'When', anyOf: moments },
  'another choice beside the words': {
    description: 'When. A date-time or a date.',
    anyOf: [...moments, { format: 'time' }],
  },
  'a text that is called a number': { type: 'string', format: 'double' },
  'an argument that is called like a rule': {
    properties: { format: { const: 'int32' }, pattern: { type: 'integer' } },
  },
  'two that need each other': { dependentRequired: { a: ['b'], b: ['a'] } },
  'needs that differ': { dependentRequired: { a: ['b', 'c'], b: ['a', 'c'], c: ['a'] } },
  'needs of as many others': {
    dependentRequired: { a: ['b', 'c', 'd'], b: ['a', 'c', 'd'], c: ['a', 'b', 'c'] },
  },
  'a need that nothing needs back': { dependentRequired: { d: ['a', 'b', 'c'] } },
})) {
  test(`other rules stay: ${title}`, () => assert.deepEqual(brieferRules(schema), schema));
}

test('arguments that need each other are told around one of them, which asks for the same', () => {
  const given = {
    dependentRequired: {
      a: ['b', 'c', 'd'],
      b: ['a', 'c', 'd'],
      c: ['a', 'b', 'd'],
      d: ['a', 'b', 'c'],
      e: ['a', 'b', 'c', 'd'],
    },
  };
  const made = brieferRules(given);
  const hub = 'b';
  assert.deepEqual(made, {
    dependentRequired: { a: [hub], b: ['a', 'c', 'd'], c: [hub], d: [hub], e: [hub] },
  });
  const [before, after] = [given, made].map((schema) => compiler.compile(schema));
  assert.ok(before && after);
  const objects = fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']);
  fc.assert(
    fc.property(objects, (names) => {
      const value = Object.fromEntries(names.map((name) => [name, 1]));
      return before(value) === after(value);
    }),
  );
});
