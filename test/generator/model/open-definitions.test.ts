import assert from 'node:assert/strict';
import test from 'node:test';
import { withOpenDefinitions } from '../../../generator/model/schema/open-definitions.ts';
import { valueFault } from '../../../generator/model/schema/schema-check.ts';
import { bytesOf } from '../../../generator/model/schema/shorter-texts.ts';

const many = Array.from({ length: 60 }, (_, index) => `a-value-with-the-number-${index}`);
const schema = {
  type: 'object',
  properties: {
    query: { $ref: '#/$defs/Query' },
    one: { oneOf: [{ $ref: '#/$defs/Deep' }, { $ref: '#/$defs/Other' }] },
  },
  additionalProperties: false,
  $defs: {
    Query: {
      type: 'object',
      properties: { near: { enum: ['a'] }, deep: { $ref: '#/$defs/Deep' } },
      not: { $ref: '#/$defs/Other' },
      unevaluatedProperties: false,
    },
    Deep: {
      type: 'object',
      properties: { kind: { type: 'string', enum: many }, rest: { $ref: '#/$defs/Deepest' } },
      required: ['kind'],
    },
    Other: { type: 'object', properties: { other: { enum: many } }, required: ['other'] },
    Deepest: { type: 'object', properties: { last: { enum: many } } },
  },
};

test('definitions for which there is no room are left open, those nearest to the arguments last', () => {
  const mostBytes = 1000;
  const opened = withOpenDefinitions(schema, mostBytes);
  assert.ok(opened);
  assert.ok(bytesOf(opened.schema) <= mostBytes, `${bytesOf(opened.schema)}`);
  assert.equal(opened.open, 2);
  const description = 'Cut, see the first description';
  const properties = { kind: { type: 'string' } };
  assert.deepEqual(opened.schema['$defs'], {
    Deep: { type: 'object', description, properties, required: ['kind'] },
    Other: { type: 'object', description, properties: { other: {} }, required: ['other'] },
    Query: {
      type: 'object',
      properties: { near: { enum: ['a'] }, deep: { $ref: '#/$defs/Deep' } },
    },
  });
  assert.notEqual(valueFault(opened.schema, { query: { near: 'b' } }), undefined);
  assert.notEqual(valueFault(opened.schema, { query: { deep: {} } }), undefined);
  assert.notEqual(valueFault(opened.schema, { other: 1 }), undefined);
});

test('what the whole schema takes is not refused where a part of it is open', () => {
  const opened = withOpenDefinitions(schema, 1000);
  assert.ok(opened);
  const [value] = many;
  for (const right of [
    { query: { near: 'a', deep: { kind: value, rest: { last: value } } } },
    { one: { kind: value, other: 'no alternative of its own' } },
    { one: { other: value } },
  ]) {
    assert.equal(valueFault(schema, right), undefined);
    assert.equal(valueFault(opened.schema, right), undefined);
  }
});

test('an open definition says of what type a member is that it demands, and what that demands', () => {
  const properties = { deep: { $ref: '#/$defs/Deep' }, near: { enum: many } };
  const demanding = { type: 'object', properties, required: ['deep'] };
  const opened = withOpenDefinitions(
    {
      type: 'object',
      properties: { query: { $ref: '#/$defs/Demanding' } },
      $defs: { ...schema.$defs, Demanding: demanding },
    },
    500,
  );
  assert.deepEqual(Object(opened?.schema['$defs']).Demanding.properties, {
    deep: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
  });
});

test('arguments that are too large themselves stay so', () => {
  assert.equal(withOpenDefinitions(schema, 300), undefined);
});
