import assert from 'node:assert/strict';
import test from 'node:test';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from '#contract/json';
import { createSchemaCompiler } from '../../../runtime/admission/steps/schema-compiler.ts';

const compiler = createSchemaCompiler({ allErrors: true });

/** The same without any definition left for later. */
function atOnce(schema: JsonSchema) {
  const options = { allErrors: true, verbose: true, strict: false, ownProperties: true };
  return new Ajv2020(options).compile(schema);
}

/** All but where in the schema it stands, which the compiler says in two ways. */
function told({ instancePath, keyword, params, data }: ErrorObject): string {
  return JSON.stringify([instancePath, keyword, params, data]);
}

const tree = {
  type: 'object',
  properties: {
    name: { $ref: '#/$defs/Name' },
    left: { $ref: '#/$defs/Tree' },
    kind: { $ref: '#/$defs/Kind', enum: ['leaf', 'twig'] },
  },
  required: ['name'],
  additionalProperties: false,
};

const schemas: Record<string, JsonSchema> = {
  recursive: {
    $ref: '#/$defs/Tree',
    $defs: { Tree: tree, Name: { type: 'string', maxLength: 3 }, Kind: { type: 'string' } },
  },
  alternatives: {
    properties: { one: { oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] } },
    not: { $ref: '#/$defs/No' },
    $defs: {
      A: { properties: { a: { const: 1 } }, required: ['a'] },
      B: { properties: { b: { $ref: '#/$defs/No' } }, required: ['b'] },
      No: { type: 'string' },
    },
  },
  'members that parts look at': {
    allOf: [{ $ref: '#/$defs/Part' }, { anyOf: [{ $ref: '#/$defs/Other' }, true] }],
    unevaluatedProperties: false,
    $defs: {
      Part: { properties: { name: { type: 'string' } }, required: ['name'] },
      Other: { $ref: '#/$defs/Last', properties: { left: { type: 'object' } }, required: ['left'] },
      Last: { anyOf: [{ properties: { kind: true }, required: ['kind'] }, true] },
    },
  },
  'members that two parts look at': {
    properties: { left: { $ref: '#/$defs/Both', unevaluatedProperties: false } },
    $defs: {
      Both: { allOf: [{ $ref: '#/$defs/One' }, { $ref: '#/$defs/Two' }] },
      One: { properties: { name: { type: 'string' }, left: { $ref: '#/$defs/Both' } } },
      Two: { properties: { kind: { type: 'string' } } },
    },
  },
  'true and false': {
    properties: { name: { $ref: '#/$defs/All' }, left: { $ref: '#/$defs/None' } },
    $defs: { All: true, None: false },
  },
  'names that are no paths': {
    properties: { name: { $ref: '#name' }, left: { $ref: '#/properties/name' } },
    $defs: { Name: { $anchor: 'name', type: 'string', maxLength: 3 } },
  },
};

/** More members than one piece of code checks. */
const many = Object.fromEntries(
  Array.from({ length: 200 }, (_, index) => [`m/${index}`, { type: 'string' }]),
);

const withMany: Record<string, JsonSchema> = {
  'many members': {
    properties: { ...many, name: { $ref: '#/$defs/Name' }, left: tree.properties.kind },
    additionalProperties: { type: 'number' },
    $defs: { Name: { type: 'string', maxLength: 3 }, Kind: { type: 'string' } },
  },
  'many members, and no definition': { properties: many, additionalProperties: false },
  'many members of a definition': {
    $ref: '#/$defs/Tree',
    $defs: {
      Tree: { ...tree, properties: { ...many, ...tree.properties } },
      Name: { type: 'string' },
      Kind: {},
    },
  },
  'many members that parts look at': {
    allOf: [{ properties: many }, { properties: { name: true } }],
    unevaluatedProperties: false,
  },
  'many members that a definition looks at': {
    properties: { left: { $ref: '#/$defs/Outer' } },
    $defs: {
      Outer: { $ref: '#/$defs/Inner', properties: { name: true }, unevaluatedProperties: false },
      Inner: { properties: { ...many, left: { $ref: '#/$defs/Outer' } } },
    },
  },
};

const values: readonly unknown[] = [
  {},
  7,
  { name: 'ab' },
  { name: 'abcd', left: { name: 5, left: {}, kind: 'tree' } },
  { name: 'a', left: { name: 'b', left: { name: 'c', more: 1 } } },
  { name: 'a', left: {}, kind: 'leaf' },
  { name: 'a', left: {}, kind: 'leaf', more: 1 },
  { name: 'a', kind: 1 },
  { left: { name: 'a', kind: 'b', left: { more: 1 } } },
  { left: { constructor: {}, more: 1 } },
  { one: { a: 1, b: 'b' } },
  { one: { a: 2 } },
  { one: { b: 5 } },
  { 'm/1': 'a', 'm/150': 'b' },
  { 'm/1': 1, 'm/150': 2, name: 'abcd', more: {} },
  { left: { 'm/1': 1, left: { 'm/150': 'b', more: 1 }, name: 'a' } },
];

for (const [name, schema] of Object.entries({ ...schemas, ...withMany })) {
  test(`definitions that are compiled when they are needed refuse the same: ${name}`, () => {
    const [lazy, whole] = [compiler.compile(schema), atOnce(schema)];
    // Twice: the first value of a definition is the one that it is compiled with.
    for (const value of [...values, ...values]) {
      const [given, wanted] = [lazy, whole].map((validate) => [
        validate(value),
        (validate.errors ?? []).map(told).toSorted(),
      ]);
      assert.deepEqual(given, wanted, JSON.stringify(value));
    }
  });
}

test('a call does not wait for definitions that it does not need', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `Link${index}`);
  const chain = names.map((name, index) => {
    const next = { $ref: `#/$defs/Link${(index + 1) % names.length}` };
    return [name, { type: 'object', properties: { next }, additionalProperties: false }];
  });
  const validate = compiler.compile({ $ref: '#/$defs/Link0', $defs: Object.fromEntries(chain) });
  assert.equal(validate({ next: { next: {} } }), true);
  assert.equal(validate({ next: { next: { last: {} } } }), false);
  const [problem] = validate.errors ?? [];
  assert.equal(problem?.instancePath, '/next/next');
  assert.equal(problem?.schemaPath, '#/$defs/Link2/additionalProperties');
});

test('a schema of thousands of members takes a call, and says what is wrong with it', () => {
  const members = Array.from({ length: 5000 }, (_, index) => [`m${index}`, { type: 'string' }]);
  const properties = Object.fromEntries(members);
  const closed = { type: 'object', properties, additionalProperties: false };
  for (const schema of [
    { properties: { query: { $ref: '#/$defs/Query' } }, $defs: { Query: closed } },
    { properties: { query: closed } },
    { properties: { query: { allOf: [{ properties }], unevaluatedProperties: false } } },
  ]) {
    for (const allErrors of [false, true]) {
      const validate = createSchemaCompiler({ allErrors }).compile(schema);
      assert.equal(validate({ query: { m1: 'a', m4999: 'b' } }), true);
      assert.equal(validate({ query: { m1: 'a', m4999: 5 } }), false);
      assert.equal(validate.errors?.at(-1)?.instancePath, '/query/m4999');
      assert.equal(validate({ query: { m1: 'a', m5000: 'b' } }), false);
    }
  }
});

test('a reference that leads nowhere is told when the schema is compiled', () => {
  const schema = { properties: { name: { $ref: '#/$defs/Gone' } }, $defs: { Name: {} } };
  assert.throws(() => compiler.compile(schema), /Gone/);
});
