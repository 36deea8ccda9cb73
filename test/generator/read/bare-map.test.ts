import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bareMap } from '../../../generator/read/document/bare-map.ts';

test('a map without prototype takes any name and is no hash table', () => {
  setFlagsFromString('--allow-natives-syntax');
  const isHashTable: (map: object) => boolean = runInNewContext('map => !%HasFastProperties(map)');
  const map = bareMap({ type: 'object' }, undefined, { title: 'a' });
  const own = '__proto__';
  map[own] = 1;
  assert.deepEqual(Object.entries(map), [
    ['type', 'object'],
    ['title', 'a'],
    [own, 1],
  ]);
  assert.equal(Object.getPrototypeOf(map), null);
  assert.equal(isHashTable(map), false);
  assert.equal(isHashTable(Object.create(null)), true);
});
