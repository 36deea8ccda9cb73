import assert from 'node:assert/strict';
import test from 'node:test';
import { nameNulls } from './nullable-types.ts';

test('null and exclusive bounds are written as JSON Schema has them', () => {
  const root = {
    a: { type: 'string', nullable: true, enum: ['x'] },
    b: { properties: { nullable: { type: 'integer', 'x-nullable': true } } },
    c: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false },
  };
  nameNulls(root);
  assert.deepEqual(root, {
    a: { type: ['string', 'null'], enum: ['x', null] },
    b: { properties: { nullable: { type: ['integer', 'null'] } } },
    c: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  });
});
