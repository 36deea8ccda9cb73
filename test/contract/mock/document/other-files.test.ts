import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { bringIn } from './other-files.ts';

test('what stands in other files is brought in once, though it leads to itself', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'other-files-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const node = { properties: { next: { $ref: '#/components/schemas/Node' } } };
  writeFileSync(
    join(folder, 'nodes.yaml'),
    JSON.stringify({ components: { schemas: { Node: node } } }),
  );
  writeFileSync(join(folder, 'path.yaml'), JSON.stringify({ get: { $ref: 'nodes.yaml#/x' } }));
  const there = { $ref: 'nodes.yaml#/components/schemas/Node' };
  const root = {
    paths: { '/a': { get: { schema: { ...there } } }, '/b': { $ref: 'path.yaml' } },
    components: { schemas: { Own: { ...there } } },
  };
  bringIn(root, join(folder, 'main.yaml'));
  const own = { $ref: '#/components/schemas/nodes.yaml_0' };
  assert.deepEqual(root, {
    // What leads nowhere stays, for whoever mends that.
    paths: { '/a': { get: { schema: own } }, '/b': { get: { $ref: 'nodes.yaml#/x' } } },
    components: { schemas: { Own: own, 'nodes.yaml_0': { properties: { next: own } } } },
  });
});
