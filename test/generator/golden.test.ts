import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { formatResult } from '../../generator/commands/format-result.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { filesUnder } from '../../generator/write/input-hashes.ts';
import { textOf } from '../../generator/write/write.ts';

/**
 * Each folder of test/golden is one provider that shows one feature: `openapi.yaml`,
 * `curation.yaml` and what else a provider may have, then `expected.txt` with what the generator
 * says, `expected/` with what it writes, or both. `node --test --test-update-snapshots` writes them.
 */
const golden = join(import.meta.dirname, '../golden');
const root = join(golden, '../..');
const updating = process.execArgv.includes('--test-update-snapshots');
const cases = readdirSync(golden).filter((name) => existsSync(join(golden, name, 'curation.yaml')));

/** Files that are compared only where a case asks for them: they say the same in most cases. */
const common = /^(?:index\.ts|search-documents\.ts|definitions\.json|skill\.ts|skill\/.+)$/;

for (const name of cases) {
  test(`golden: ${name}`, async (t) => {
    const base = mkdtempSync(join(tmpdir(), 'golden-'));
    t.after(() => rmSync(base, { recursive: true, force: true }));
    copyCase(name, base);
    const result = await generate({ base });
    await compareReport(t, name, formatResult(result, 'text'));
    compareFiles(t, name, base);
    if (result.written === undefined) return;
    const again = await generate({ base });
    assert.deepEqual(again.written?.written, [], 'a second run changes nothing');
    assert.deepEqual(again.written?.deleted, []);
  });
}

/**
 * Folders that hold `specs/` instead show what the server offers itself: `expected/` is what
 * `generated/` holds then. Of what each run writes they hold what they are about.
 */
const houses = readdirSync(golden).filter((name) => existsSync(join(golden, name, 'specs')));
const commonOfHouses = /^(?:manifest\.txt|surfaces\.ts|tables\.ts|docs\/.+)$/;

for (const name of houses) {
  test(`golden: ${name}`, async (t) => {
    const base = mkdtempSync(join(tmpdir(), 'golden-'));
    t.after(() => rmSync(base, { recursive: true, force: true }));
    cpSync(join(golden, name, 'specs'), join(base, 'specs'), { recursive: true });
    const { diagnostics } = await generate({ base });
    assert.deepEqual(diagnostics, []);
    const expected = filesUnder(join(golden, name), 'expected').map((path) =>
      path.slice('expected/'.length),
    );
    const written = filesUnder(base, 'generated')
      .map((path) => path.slice('generated/'.length))
      .filter((path) => expected.includes(path) || !commonOfHouses.test(path));
    if (!updating) assert.deepEqual(written, expected);
    for (const path of written) {
      const text = textOf(base, `generated/${path}`) ?? '';
      t.assert.fileSnapshot(text, join(golden, name, 'expected', path), { serializers: [String] });
    }
    assert.deepEqual((await generate({ base })).written?.written, []);
  });
}

test('TypeScript accepts every expected file', async () => {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const run = promisify(execFile)(tsc, ['--noEmit', '-p', join(golden, 'tsconfig.json')]);
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  assert.equal(stdout, '');
});

test('Biome leaves every expected file as it is', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'golden-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const { files: _, $schema: __, ...config } = JSON.parse(textOf(root, 'biome.json') ?? '{}');
  writeFileSync(join(base, 'biome.json'), JSON.stringify({ ...config, root: true }));
  for (const path of filesUnder(root, 'test/golden').filter((path) => path.endsWith('.ts'))) {
    cpSync(join(root, path), join(base, path.replace('test/golden', 'generated')));
  }
  const biome = join(root, 'node_modules/.bin/biome');
  const run = promisify(execFile)(biome, ['ci', '--colors=off', 'generated'], { cwd: base });
  const { stderr } = await run.catch((error: { stderr: string }) => error);
  assert.equal(stderr, '');
});

function copyCase(name: string, base: string): void {
  const folder = join(base, 'specs/providers/golden');
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(join(golden, name))) {
    if (entry.startsWith('expected')) continue;
    const target = entry === 'presets.yaml' ? join(base, 'specs/providers') : folder;
    cpSync(join(golden, name, entry), join(target, entry), { recursive: true });
  }
}

/** What is said counts where it is more than the summary of a run without problems. */
async function compareReport(t: test.TestContext, name: string, report: string): Promise<void> {
  const path = join(golden, name, 'expected.txt');
  const isSilent = report.split('\n').length === 2 && !report.includes('error');
  assert.ok(updating || isSilent === !existsSync(path), `unexpected report:\n${report}`);
  if (!isSilent) t.assert.fileSnapshot(report, path, { serializers: [String] });
  else if (updating) rmSync(path, { force: true });
}

function compareFiles(t: test.TestContext, name: string, base: string): void {
  const folder = join(golden, name, 'expected');
  const expected = filesUnder(join(golden, name), 'expected').map((path) =>
    path.slice('expected/'.length),
  );
  const written = filesUnder(base, 'generated/providers/golden')
    .map((path) => path.slice('generated/providers/golden/'.length))
    .filter((path) => expected.includes(path) || !common.test(path));
  if (updating)
    for (const path of expected) if (!written.includes(path)) rmSync(join(folder, path));
  if (!updating) assert.deepEqual(written, expected);
  for (const path of written) {
    const text = textOf(base, `generated/providers/golden/${path}`) ?? '';
    t.assert.fileSnapshot(text, join(folder, path), { serializers: [String] });
  }
}
