import assert from 'node:assert/strict';
import test from 'node:test';
import { valueFault } from '../../../../generator/model/schema/schema-check.ts';
import { schemaExample } from '../../../../generator/provider/examples/schema-example.ts';
import { documentOf } from './described.ts';

for (const [schema, expected] of [
  [{ type: 'string', enum: ['a', 'b'] }, 'a'],
  [{ type: ['null', 'string'], format: 'date-time' }, '2026-01-31T12:00:00Z'],
  [{ type: 'string', minLength: 9, maxLength: 9 }, 'examplexx'],
  [{ type: 'integer', exclusiveMinimum: 4, multipleOf: 5 }, 5],
  [{ type: 'number', maximum: -2 }, -2],
  [{ type: 'number', maximum: 0.3, multipleOf: 0.1 }, 0.3],
  [{ type: 'array', items: { type: 'boolean' }, minItems: 2 }, [true, true]],
  [{ oneOf: [{ type: 'null' }, { const: 7 }] }, 7],
  [{ allOf: [{ type: 'integer' }, { anyOf: [{}, { not: {} }] }] }, 1],
  [{ type: 'integer', anyOf: [{ not: {} }, true] }, 1],
  [
    {
      allOf: [
        { required: ['a'], properties: { a: { type: 'string' } } },
        { required: ['b'], properties: { b: { examples: [3] } } },
      ],
    },
    { a: 'example', b: 3 },
  ],
  [
    {
      type: 'object',
      properties: {
        kind: { enum: ['a', 'b'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      if: { properties: { kind: { const: 'b' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { tags: { items: { enum: ['x'] } } }, required: ['more'] },
      else: { properties: { tags: { items: { enum: ['y'] } } } },
    },
    { more: {}, kind: 'b', tags: ['x'] },
  ],
  [{ type: 'integer', if: false, else: { minimum: 9 } }, 9],
] as const) {
  test(`an example of ${JSON.stringify(schema)} is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(schemaExample(documentOf({}), schema), expected);
  });
}

for (const pattern of ['^[0-9]+$', '^T[A-Z0-9]{10}$', '^\\d{4}-\\d\\d$', '^(a|b)-[^/]+$']) {
  test(`the example of a string that must match ${pattern} does`, () => {
    const example = schemaExample(documentOf({}), { type: 'string', pattern });
    assert.match(String(example), new RegExp(pattern));
    assert.equal(schemaExample(documentOf({}), { type: 'string', pattern }), example);
  });
}

test('the example of a recursive schema ends', () => {
  const Node = {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/Node' } },
  };
  const document = documentOf({ components: { schemas: { Node } } });
  assert.ok(
    JSON.stringify(schemaExample(document, { $ref: '#/components/schemas/Node' })).length < 200,
  );
});

test('of integers and numbers in a oneOf, only a fraction is of one (JSON Schema, oneOf)', () => {
  for (const oneOf of [
    [{ type: 'integer' }, { type: 'number' }],
    [{ type: 'number', minimum: 10 }, { type: 'string' }, { type: 'integer' }],
  ]) {
    const made = schemaExample(documentOf({}), { oneOf });
    assert.equal(valueFault({ oneOf }, made as number), undefined, JSON.stringify(made));
  }
  const given = {
    oneOf: [
      { type: 'integer', enum: [3] },
      { type: 'number', maximum: 1 },
    ],
  };
  assert.equal(schemaExample(documentOf({}), given), 3);
});

for (const pattern of ['^a{99999999}$', '^(?=a)(?:a{9999}){9999}$', '^(?:(?:b{999}){999}){999}$']) {
  test(`no text is made that must match ${pattern}`, () => {
    assert.equal(schemaExample(documentOf({}), { type: 'string', pattern }), 'example');
  });
}
