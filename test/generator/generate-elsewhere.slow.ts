import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { filesUnder } from '../../generator/write/input-hashes.ts';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'generator/cli.js');

test('the same specs give the same bytes in any folder, time zone and locale', (t) => {
  const elsewhere = { TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
  const base = mkdtempSync(join(tmpdir(), 'copy of specs '));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  cpSync(join(root, 'specs'), join(base, 'specs'), { recursive: true });
  const options = { cwd: base, encoding: 'utf8', env: { ...process.env, ...elsewhere } } as const;
  const { status, stdout } = spawnSync(process.execPath, [main, 'generate', '--accept'], options);
  assert.equal(status, 0, stdout);
  const paths = filesUnder(root, 'generated');
  assert.deepEqual(filesUnder(base, 'generated'), paths);
  for (const path of paths) {
    // What came together in a merge stands in it until the next run.
    if (path === 'generated/manifest.txt') continue;
    const [made, kept] = [base, root].map((folder) => readFileSync(join(folder, path), 'utf8'));
    assert.equal(made, kept, path);
  }
  assert.ok(paths.length > 100);
});
