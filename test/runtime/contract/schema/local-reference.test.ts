import assert from 'node:assert/strict';
import test from 'node:test';
import { localTarget } from '#contract/schema/local-reference';

const root = {
  properties: { 'a/b': { type: 'string' }, 'm~n': { type: 'null' }, 'ä %': true },
  allOf: [{ title: 'first' }, { $anchor: 'second', title: 'second' }],
  default: { $anchor: 'data' },
  dependencies: { x: { $anchor: 'old' } },
};

test('a pointer leads through names and positions, escaped as in a URI (RFC 6901, section 6)', () => {
  assert.equal(localTarget(root, '#'), root);
  assert.deepEqual(localTarget(root, '#/properties/a~1b'), { type: 'string' });
  assert.deepEqual(localTarget(root, '#/properties/m~0n'), { type: 'null' });
  assert.deepEqual(localTarget(root, '#/properties/m%7E0n'), { type: 'null' });
  assert.equal(localTarget(root, '#/properties/%C3%A4%20%25'), true);
  assert.deepEqual(localTarget(root, '#/allOf/0'), { title: 'first' });
});

test('an anchor names a schema wherever it stands, but nothing in data (2020-12 core, 8.2.2)', () => {
  assert.equal(localTarget(root, '#second'), root.allOf[1]);
  assert.equal(localTarget(root, '#old'), root.dependencies.x);
  assert.equal(localTarget(root, '#data'), undefined);
});

test('what leads nowhere, to another document or to no schema leads to nothing', () => {
  for (const reference of [
    '#/nowhere',
    '#/properties/constructor',
    '#/allOf/-1',
    '#/allOf/length',
    '#/properties/a~1b/type',
    '#/%',
    '#none',
    'other.json',
    'https://example.com/schema#/properties',
    7,
    undefined,
  ]) {
    assert.equal(localTarget(root, reference), undefined, String(reference));
  }
});
