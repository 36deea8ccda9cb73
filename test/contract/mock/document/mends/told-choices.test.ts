import assert from 'node:assert/strict';
import test from 'node:test';
import { takeToldChoices } from './told-choices.ts';

test('parts that are told to be alternatives are such', () => {
  const parts = [{ type: 'string' }, { type: 'integer' }];
  const root = { kind: { 'x-one-of': true, allOf: parts }, all: { allOf: parts } };
  assert.equal(takeToldChoices(root), true);
  assert.deepEqual(root, { kind: { 'x-one-of': true, oneOf: parts }, all: { allOf: parts } });
  assert.equal(takeToldChoices(root), false);
});
