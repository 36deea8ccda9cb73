import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { mutations } from './mutations.ts';
import { openVendor } from './vendor-copy.ts';
import { vendors } from './vendors.ts';

const applied = new Set<string>();

for (const id of vendors) {
  suite(id, async () => {
    const vendor = await openVendor(id);
    for (const [what, [kind, breaks], mutate] of mutations) {
      test(`${id}: ${what}: ${kind}`, async (t) => {
        if (applied.has(what)) return t.diagnostic('another has shown it');
        const later = vendor.copy();
        const tool = mutate(later, vendor);
        if (tool === undefined) return t.diagnostic('it has no place for that');
        applied.add(what);
        const { changes } = await vendor.drift(later);
        const found = changes.find((one) => one.tool === tool && one.kind === kind);
        assert.ok(found, `${tool}: ${JSON.stringify(changes, null, 1)}`);
        assert.equal(found.breaks, breaks);
        assert.ok(found.line > 0 && found.column > 0);
      });
    }
  });
}

test('each kind of mutation was made at some vendor', () => {
  after(() => applied.clear());
  assert.ok(mutations.length >= 30);
  const missing = mutations.flatMap(([what]) => (applied.has(what) ? [] : [what]));
  assert.deepEqual(missing, []);
});
