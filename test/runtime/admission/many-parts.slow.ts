import assert from 'node:assert/strict';
import test from 'node:test';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from '#contract/json';
import { createSchemaCompiler } from '../../../runtime/admission/steps/schema-compiler.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);

const member = (name: string) => ({ properties: { [name]: { type: 'integer' } } });

const mapOf = (count: number, part: (name: string) => readonly [string, unknown]) =>
  Object.fromEntries(names(count).map(part));

/** A schema of so many parts in one keyword. */
const keywords: Record<string, (count: number) => JsonSchema> = {
  allOf: (count) => ({ allOf: names(count).map(member) }),
  anyOf: (count) => ({
    anyOf: names(count).map((name) => ({ ...member(name), required: [name] })),
  }),
  oneOf: (count) => ({
    oneOf: names(count).map((name) => ({ ...member(name), required: [name] })),
  }),
  prefixItems: (count) => ({ prefixItems: names(count).map((name) => ({ const: name })) }),
  patternProperties: (count) => ({
    patternProperties: mapOf(count, (name) => [`^${name}$`, { type: 'integer' }]),
  }),
  dependentSchemas: (count) => ({
    dependentSchemas: mapOf(count, (name) => [name, { required: [`${name}b`] }]),
  }),
  dependentRequired: (count) => ({
    dependentRequired: mapOf(count, (name) => [name, [`${name}b`]]),
  }),
};

const surroundings: Record<string, (schema: JsonSchema) => JsonSchema> = {
  'by itself': (schema) => schema,
  'closed beside it': (schema) => ({
    ...schema,
    unevaluatedProperties: false,
    unevaluatedItems: false,
  }),
  'by name, closed around it': (schema) => ({
    $ref: '#/$defs/Many',
    properties: { a: true },
    unevaluatedProperties: false,
    unevaluatedItems: false,
    $defs: { Many: schema },
  }),
  'in a member, denied': (schema) => ({ properties: { a: { not: schema } } }),
};

/** Values that have members of one group, of two, and others. */
const inner: readonly unknown[] = [
  {},
  5,
  { m5: 1 },
  { m5: 'x' },
  { m5: 1, m8: 1 },
  { m5: 1, m140: 1 },
  { m140: 'x' },
  { m140: 1, m140b: 1 },
  { m5: 1, other: 1 },
  [],
  ['m0', 'm2'],
  names(150),
  [...names(149), 'm0'],
  [...names(150), 'more'],
];
const values = [...inner, ...inner.map((a) => ({ a }))];

/**
 * All but its place in the schema, which the compiler says in two ways, and names that a wrong part has. Where two
 * alternatives fit of which one should, it tells what is wrong with those before the second, which nobody needs.
 */
function told(errors: readonly ErrorObject[] | null | undefined): string[] {
  const several = errors?.find(({ params }) => Array.isArray(params['passingSchemas']));
  return (several ? [several] : (errors ?? []))
    .filter(({ keyword }) => !keyword.startsWith('unevaluated'))
    .map(({ instancePath, keyword, params, data }) =>
      JSON.stringify([instancePath, keyword, params, data]),
    )
    .toSorted();
}

for (const [keyword, schemaOf] of Object.entries(keywords)) {
  for (const [around, within] of Object.entries(surroundings)) {
    test(`many parts of ${keyword} refuse in groups what they refuse together: ${around}`, () => {
      const schema = within(schemaOf(150));
      const options = { allErrors: true, verbose: true, strict: false, ownProperties: true };
      const together = new Ajv2020(options).compile(schema);
      const grouped = createSchemaCompiler({ allErrors: true }).compile(schema);
      const first = createSchemaCompiler({ allErrors: false }).compile(schema);
      for (const value of values) {
        const wanted = together(value);
        assert.equal(grouped(value), wanted, JSON.stringify(value));
        assert.equal(first(value), wanted, JSON.stringify(value));
        assert.deepEqual(told(grouped.errors), told(together.errors), JSON.stringify(value));
      }
    });
  }

  test(`a call is checked against 2,000 parts of ${keyword}`, () => {
    const validate = createSchemaCompiler({ allErrors: false }).compile(schemaOf(2000));
    const isChoice = keyword === 'anyOf' || keyword === 'oneOf';
    assert.equal(validate(keyword === 'prefixItems' ? names(2000) : { m1999: 1, m1999b: 1 }), true);
    assert.equal(validate(keyword === 'prefixItems' ? ['m1'] : { m1999: 'x' }), false);
    if (isChoice) assert.equal(validate({}), false);
  });
}

test('what is wrong with a part is told where the part stands', () => {
  const validate = createSchemaCompiler({ allErrors: true }).compile(
    keywords['allOf']?.(150) ?? {},
  );
  assert.equal(validate({ m140: 'x' }), false);
  assert.equal(validate.errors?.[0]?.schemaPath, '#/allOf/140/properties/m140/type');
});
