import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareBundles, differenceOf } from './bundle-oracle.ts';
import { openFixtures } from './entries.ts';

for (const entry of openFixtures().entries) {
  test(`references of ${entry.name} lead where swagger-parser finds them`, async (t) => {
    const verdict = await compareBundles(entry);
    t.diagnostic(verdict.accepted);
    if (verdict.accepted === 'both') assert.equal(verdict.difference, undefined);
  });
}

test('the comparison follows references, ends in circles and finds what differs', () => {
  const bundle = { a: { $ref: '#/b', d: 1 }, b: { c: { $ref: '#/b' } } };
  const tree: Record<string, unknown> = { c: undefined };
  tree['c'] = tree;
  assert.equal(differenceOf(bundle, { a: { c: tree, d: 1 }, b: tree }), undefined);
  assert.equal(differenceOf(bundle, { a: { c: tree, d: 2 }, b: tree }), '/a/d');
  assert.equal(differenceOf(bundle, { a: { c: tree }, b: tree }), '/a (members)');
  assert.equal(differenceOf(bundle, { a: { c: [], d: 1 }, b: tree }), '/a/c');
});
