import assert from 'node:assert/strict';
import test from 'node:test';
import { LRUCache } from 'lru-cache';
import { atMost } from '#contract/memory/at-most';

test('a cache holds at most so many entries, the latest', () => {
  const cache = new LRUCache<number, number>(atMost(3));
  for (let key = 0; key < 10; key++) cache.set(key, key);
  assert.deepEqual([...cache.keys()], [9, 8, 7]);
});
