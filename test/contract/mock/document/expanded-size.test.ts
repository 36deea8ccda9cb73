import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('so are those that stand in another file', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'expanded-size-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'few.yaml'), JSON.stringify(cluster(3)));
  writeFileSync(join(folder, 'many.yaml'), JSON.stringify(cluster(12)));
  const file = join(folder, 'main.yaml');
  const into = (other: string) => ({ paths: { $ref: `./${other}#/schemas/S0` } });
  assert.equal(expandsBeyond(into('few.yaml'), 100, file), false);
  assert.equal(expandsBeyond(into('many.yaml'), 1_000_000, file), true);
  assert.equal(expandsBeyond(into('missing.yaml'), 100, file), false);
});
