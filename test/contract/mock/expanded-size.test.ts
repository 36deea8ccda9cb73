import assert from 'node:assert/strict';
import test from 'node:test';
import { expandsBeyond } from './expanded-size.ts';

/** So many schemas of which each refers to all. */
function cluster(count: number) {
  const names = Array.from({ length: count }, (_, index) => `S${index}`);
  const properties = () =>
    Object.fromEntries(names.map((name) => [name, { $ref: `#/schemas/${name}` }]));
  return { schemas: Object.fromEntries(names.map((name) => [name, { properties: properties() }])) };
}

test('schemas that all refer to each other are many more than they look', () => {
  assert.equal(expandsBeyond(cluster(3), 100), false);
  assert.equal(expandsBeyond(cluster(12), 1_000_000), true);
});
