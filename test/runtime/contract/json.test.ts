import assert from 'node:assert/strict';
import test from 'node:test';
import { valueAt } from '../../../runtime/contract/json.ts';

const page = {
  data: [
    { id: 1, tags: ['a'] },
    { id: 2, tags: [] },
  ],
  meta: { next: null },
};

test('valueAt reads names, positions from both ends, and every member', () => {
  assert.equal(valueAt(page, ['data', 0, 'id']), 1);
  assert.equal(valueAt(page, ['data', -1, 'id']), 2);
  assert.deepEqual(valueAt(page, ['data', '*', 'id']), [1, 2]);
  assert.equal(valueAt(page, ['meta', 'next']), null);
  assert.equal(valueAt(page, []), page);
});

test('valueAt gives undefined where nothing stands, inherited properties included', () => {
  assert.equal(valueAt(page, ['data', 7, 'id']), undefined);
  assert.equal(valueAt(page, ['constructor']), undefined);
  assert.equal(valueAt(page, ['data', 'length']), undefined);
  assert.equal(valueAt('text', ['length']), undefined);
});
