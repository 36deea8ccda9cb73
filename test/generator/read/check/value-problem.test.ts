import assert from 'node:assert/strict';
import test from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { findValueProblem } from '../../../../generator/read/check/value-problem.ts';
import { Targets } from '../../../../generator/read/document/targets.ts';

/** Follow the references inside `root`. */
function follower(root: Record<string, unknown>) {
  const targets = new Targets(root);
  return (value: unknown) => targets.end(value);
}

const defs = {
  Text: { type: 'string', maxLength: 2 },
  Tree: { type: 'object', properties: { a: { $ref: '#/$defs/Tree' } }, required: ['b'] },
};

const scalar = fc.constantFrom<unknown>(null, true, 0, 1, 1.5, -3, '', 'a', 'abc', '2026-01-01');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { maxKeys: 3 }),
  ),
})).any;

const schema = fc.letrec((tie) => {
  const inner = tie('any');
  const many = fc.array(inner, { minLength: 1, maxLength: 3 });
  const small = fc.nat(3);
  return {
    any: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.constantFrom({ $ref: '#/$defs/Text' }, { $ref: '#/$defs/Tree' }),
      fc.record(
        {
          type: fc.constantFrom('string', 'number', 'integer', 'object', 'array', [
            'null',
            'string',
          ]),
          enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
          const: scalar,
          minimum: small,
          exclusiveMaximum: small,
          multipleOf: fc.constantFrom(1, 2, 0.5),
          minLength: small,
          maxLength: small,
          pattern: fc.constantFrom('^a', 'b$', '^[0-9-]*$'),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          items: inner,
          minItems: small,
          maxItems: small,
          uniqueItems: fc.boolean(),
          properties: fc.dictionary(fc.constantFrom('a', 'b'), inner, { maxKeys: 2 }),
          patternProperties: fc.record({ '^c': inner }, { requiredKeys: [] }),
          additionalProperties: inner,
          propertyNames: fc.constantFrom({ maxLength: 1 }, { enum: ['a', 'b'] }),
          required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
          minProperties: small,
          maxProperties: small,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
        { allOf: many, anyOf: many, oneOf: many, not: inner, if: inner, then: inner, else: inner },
        { requiredKeys: [] },
      ),
    ),
  };
}).any;

// Draft 7 has the same keywords; Ajv for 2020-12 writes broken code for some conditions.
test('values match or fail as Ajv says', () => {
  fc.assert(
    fc.property(schema, value, (any, candidate) => {
      const root = { $defs: defs, allOf: [any] };
      // What is compiled is asked once.
      const code = { optimize: false };
      const ajv = new Ajv({ strict: false, logger: false, validateSchema: false, code });
      const valid = ajv.compile(root)(candidate);
      const found = findValueProblem(follower(root), root, candidate);
      assert.equal(found === undefined, valid, JSON.stringify({ any, candidate, found }));
    }),
    { numRuns: 700, seed: 11 },
  );
});

const none = follower({});

test('prefixItems go before items (JSON Schema 2020-12, section 10.3.1)', () => {
  const pair = { prefixItems: [{ type: 'string' }], items: { type: 'number' } };
  assert.equal(findValueProblem(none, pair, ['a', 1, 2]), undefined);
  assert.deepEqual(findValueProblem(none, pair, ['a', 1, 'b'])?.path, [2]);
  assert.deepEqual(findValueProblem(none, pair, [1])?.path, [0]);
});

test('a problem names its place in the value', () => {
  const found = findValueProblem(
    none,
    { type: 'array', items: { properties: { 'a/b': { type: 'string' } } } },
    [{}, { 'a/b': 1 }],
  );
  assert.deepEqual(found?.path, [1, 'a/b']);
  assert.match(found?.message ?? '', /must be of type string, but it is the number 1/);
});

test('properties that go one way, or that have a default, need not be there', () => {
  const schemaOf = (property: object) => ({ required: ['a'], properties: { a: property } });
  assert.ok(findValueProblem(none, schemaOf({}), {}));
  assert.equal(findValueProblem(none, schemaOf({ readOnly: true }), {}), undefined);
  assert.equal(findValueProblem(none, schemaOf({ writeOnly: true }), {}), undefined);
  assert.equal(findValueProblem(none, schemaOf({ default: 1 }), {}), undefined);
});

test('whole numbers stay in the range of their format', () => {
  assert.ok(findValueProblem(none, { type: 'integer', format: 'uint8' }, 256));
  assert.equal(findValueProblem(none, { type: 'integer', format: 'uint8' }, 255), undefined);
  assert.ok(findValueProblem(none, { type: 'string', format: 'date-time' }, 'yesterday'));
});

test('schemas that multiply and patterns that explode come to an end', () => {
  let doubling: unknown = { type: 'number' };
  for (let level = 0; level < 60; level++) doubling = { anyOf: [doubling, doubling] };
  assert.equal(findValueProblem(none, doubling, 'text'), undefined);
  const root = { a: { anyOf: [{ $ref: '#/a' }, false] } };
  assert.equal(findValueProblem(follower(root), root.a, 1), undefined);
  assert.equal(findValueProblem(none, { pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`), undefined);
});
