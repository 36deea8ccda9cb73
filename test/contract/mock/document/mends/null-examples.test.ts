import assert from 'node:assert/strict';
import test from 'node:test';
import { dropNullExamples } from './null-examples.ts';

test('an example of null is taken out where its schema allows none', () => {
  const list = { type: 'array', items: { type: 'object', example: null }, example: null };
  const root = { schemas: { list } };
  assert.equal(dropNullExamples(root), true);
  assert.deepEqual(root, { schemas: { list: { type: 'array', items: { type: 'object' } } } });
  assert.equal(dropNullExamples(root), false);
});

for (const schema of [
  { type: 'null', example: null },
  { type: ['object', 'null'], example: null },
  { type: 'object', nullable: true, example: null },
  { type: 'object', 'x-nullable': true, example: null },
  { properties: { type: { type: 'string' }, example: { type: 'object' } } },
  { example: null },
]) {
  test(`${JSON.stringify(schema)} stays`, () => {
    assert.equal(dropNullExamples(structuredClone(schema)), false);
  });
}
