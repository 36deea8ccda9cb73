import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generate } from '../../generator/pipeline/pipeline.ts';

const good = join(import.meta.dirname, '../golden/house-telemetry/specs/telemetry/pillar.yaml');

/** What is said of a kind that is good but for one change. */
async function said(t: TestContext, change: (text: string) => string, name = 'pillar.yaml') {
  const base = mkdtempSync(join(tmpdir(), 'telemetry-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, 'specs/telemetry');
  mkdirSync(folder, { recursive: true });
  cpSync(good, join(folder, name));
  writeFileSync(join(folder, name), change(readFileSync(good, 'utf8')));
  const { diagnostics } = await generate({ base, check: true });
  return diagnostics.map(({ code, line, message }) => `${line} ${code} ${message}`);
}

test('a placeholder that nothing fills in is named where it stands', async (t) => {
  const found = await said(t, (text) => text.replace('<query>, from', '<querry>, from'));
  assert.deepEqual(found, ['21 SPEC005 nothing fills in <querry>']);
  const part = await said(t, (text) => text.replace('query: <words>', 'query: <word>'));
  assert.deepEqual(part, ['30 SPEC005 nothing fills in <word>']);
  const url = await said(t, (text) => text.replace('<endpoint>/in', '<base>/in'));
  assert.deepEqual(url, ['12 SPEC005 nothing fills in <base>']);
});

test('a form that values do not have is named where it stands', async (t) => {
  const found = await said(t, (text) => text.replace('app:<value:lucene>', 'app:<value:luzene>'));
  assert.deepEqual(found, ['34 SPEC005 a value has no form luzene']);
});

test('what the schema does not know is refused, and so is a name that is none', async (t) => {
  const shape = await said(t, (text) => text.replace('shape: records', 'shape: recodrs'));
  assert.match(String(shape), /SPEC005 "shape" may not be "recodrs"/);
  const missing = await said(t, (text) => text.replace('health: { path: /up, holds: fine }\n', ''));
  assert.match(String(missing), /the key "health" is missing/);
  assert.match(
    String(await said(t, (text) => text, 'Pillar-2.yaml')),
    /SPEC001 the name of the file/,
  );
});
