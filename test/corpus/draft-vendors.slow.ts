import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addProvider } from '../../generator/provider/add-provider.ts';

const vendors = process.env['OPENAPI_VENDORS'];
const root = join(import.meta.dirname, '../..');

/** A vendor, and the files with which its descriptions begin. */
interface Vendor {
  readonly folder: string;
  readonly entries: readonly string[];
}

for (const { folder, entries } of vendors === undefined ? smallOnes() : listedIn(vendors)) {
  for (const entry of entries) {
    test(`${join(folder, entry).slice((vendors ?? root).length + 1)} is drafted with a tool`, async (t) => {
      const base = mkdtempSync(join(tmpdir(), 'draft-vendors-'));
      t.after(() => rmSync(base, { recursive: true }));
      cpSync(join(root, 'specs/schemas'), join(base, 'specs/schemas'), { recursive: true });
      const added = await addProvider({
        ...{ id: 'vendor', base, description: join(folder, entry), root: folder },
        day: '2026-01-31',
      });
      if (!('written' in added)) return assert.fail(added.problem ?? 'it cannot be read');
      assert.ok(added.requests.operations.length > 0);
      assert.deepEqual(
        added.diagnostics.filter(({ severity }) => severity === 'error'),
        [],
      );
    });
  }
}

/** The table in the folder's index names the files that are descriptions of their own. */
function listedIn(folder: string): readonly Vendor[] {
  const rows = readFileSync(join(folder, 'INDEX.md'), 'utf8').matchAll(
    /^\| ([a-z0-9-]+) \| ([^|]+) \|/gm,
  );
  return Array.from(rows, ([, vendor = '', entries = '']) => ({
    folder: join(folder, vendor),
    entries: entries.split(',').map((entry) => entry.trim()),
  }));
}

function smallOnes(): readonly Vendor[] {
  const folder = join(root, 'test/fixtures');
  return [{ folder, entries: readdirSync(folder).filter((name) => name.endsWith('.yaml')) }];
}
