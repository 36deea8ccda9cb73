import assert from 'node:assert/strict';
import test from 'node:test';
import { subschemas, withSubschemas } from '#contract/schema/subschemas';
import { applicators, schemaWith, titleOf } from './applicators.ts';

for (const applicator of applicators) {
  test(`a schema in ${titleOf(applicator)} is found, and can be changed`, () => {
    const inner = { type: 'string' };
    const schema = schemaWith(applicator, inner);
    const { keyword } = applicator;
    const key = { one: undefined, list: 0, map: 'a' }[applicator.holds];
    const found = key === undefined ? { keyword, schema: inner } : { keyword, key, schema: inner };
    assert.deepEqual(subschemas(schema), [found]);
    const changed = withSubschemas(keyword, schema[keyword], () => false);
    assert.deepEqual({ [keyword]: changed }, schemaWith(applicator, false));
  });
}

test('a list of items is a tuple, and what comes after it stands beside it (draft-07, 6.4)', () => {
  const schema = { items: [{ type: 'string' }, true], additionalItems: false };
  assert.deepEqual(subschemas(schema), [
    { keyword: 'items', key: 0, schema: { type: 'string' } },
    { keyword: 'items', key: 1, schema: true },
    { keyword: 'additionalItems', schema: false },
  ]);
});

test('names that a property needs are no schema (draft-07, 6.5.7)', () => {
  const dependencies = { card: ['address'], cash: { required: ['change'] } };
  assert.deepEqual(subschemas({ dependencies }), [
    { keyword: 'dependencies', key: 'cash', schema: { required: ['change'] } },
  ]);
  assert.deepEqual(
    withSubschemas('dependencies', dependencies, () => true),
    { card: ['address'], cash: true },
  );
});

test('names in a map are names, whatever keyword they read like', () => {
  const properties = { default: { type: 'string' }, $ref: { type: 'number' } };
  assert.deepEqual(
    subschemas({ properties }).map(({ key }) => key),
    ['default', '$ref'],
  );
});

test('data holds no schemas, and neither do keywords that nobody knows', () => {
  const data = { type: 'object', properties: { a: { $ref: '#/nowhere' } } };
  const schema = { default: data, const: data, enum: [data], examples: [data], 'x-more': data };
  assert.deepEqual(subschemas(schema), []);
  assert.equal(
    withSubschemas('default', data, () => false),
    data,
  );
});

test('what is no schema has none in it', () => {
  for (const value of [true, false, null, 'text', 7, [{ not: {} }], undefined]) {
    assert.deepEqual(subschemas(value), []);
  }
  assert.deepEqual(subschemas({ properties: ['a'], allOf: { a: 1 } }), [
    { keyword: 'allOf', schema: { a: 1 } },
  ]);
});
