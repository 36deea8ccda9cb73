import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { readOptions } from '../../generator/commands/generate-options.ts';
import { curation, put, specsFolder } from './small-specs.ts';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'generator/cli.js');

function run(base: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: base, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], options);
  return { status, stdout, stderr };
}

test('a check is silent where nothing has changed, and ends with 1 where something has', (t) => {
  const base = specsFolder(t, 'alpha');
  assert.equal(run(base, ['generate']).status, 0);
  assert.deepEqual(run(base, ['generate', '--check']), { status: 0, stdout: '', stderr: '' });
  put(base, 'generated/providers/alpha/index.ts', 'export {};\n');
  const { status, stdout } = run(base, ['generate', '--check']);
  assert.equal(status, 1);
  assert.match(stdout, /^generated\/providers\/alpha\/index\.ts differs from what specs\/ give$/m);
  assert.match(stdout, /1 file differs from what specs\/ give; run npm run generate\n$/);
});

test('errors end with 2, in each format', (t) => {
  const base = specsFolder(t, 'alpha');
  put(base, 'specs/providers/alpha/curation.yaml', curation('alpha').replace('listThings', 'list'));
  const text = run(base, ['generate']);
  assert.equal(text.status, 2);
  assert.match(text.stdout, /^specs\/providers\/alpha\/curation\.yaml:8:13 error P001 /);
  assert.match(text.stdout, /1 error in 1 provider; nothing was written\n$/);
  const github = run(base, ['generate', '--format', 'github']);
  assert.equal(github.status, 2);
  assert.match(
    github.stdout,
    /^::error file=specs\/providers\/alpha\/curation\.yaml,line=8,col=13,title=P001::/,
  );
  const json = run(base, ['generate', '--format', 'json']);
  assert.equal(json.status, 2);
  const { diagnostics, summary } = JSON.parse(json.stdout);
  assert.equal(diagnostics[0].code, 'P001');
  assert.equal(summary, '1 error in 1 provider; nothing was written');
});

for (const args of [
  ['--check', '--watch'],
  ['--check', '--accept'],
  ['--format', 'xml'],
  ['--provider', '../x'],
  ['--unknown'],
  ['surplus'],
]) {
  test(`"generate ${args.join(' ')}" is a bad command line`, (t) => {
    const base = specsFolder(t, 'alpha');
    const options = readOptions(args, base);
    assert.ok('problem' in options && options.problem !== '');
  });
}

for (const args of [['generate', '--format', 'xml'], ['generate', '--provider', 'nobody'], []]) {
  test(`"${args.join(' ')}" ends with exit code 3 and says why`, (t) => {
    const { status, stdout, stderr } = run(specsFolder(t, 'alpha'), args);
    assert.equal(status, 3);
    assert.equal(stdout, '');
    assert.match(stderr, /text, json, github|there are: alpha|^Usage/);
  });
}

for (const command of ['generate', 'provider']) {
  test(`"${command} --help" prints the usage`, (t) => {
    const { status, stdout, stderr } = run(specsFolder(t, 'alpha'), [command, '--help']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^Usage: npm run /);
  });
}

test('a folder without specs and a link in generated/ are said to be what they are: exit code 3', (t) => {
  const empty = mkdtempSync(join(tmpdir(), 'empty-'));
  t.after(() => rmSync(empty, { recursive: true, force: true }));
  assert.match(run(empty, ['generate']).stderr, /there is no folder specs/);
  const base = specsFolder(t, 'alpha');
  symlinkSync(empty, join(base, 'generated'));
  const { status, stderr } = run(base, ['generate']);
  assert.equal(status, 3);
  assert.equal(stderr, 'generated is a symbolic link; nothing was written\n');
});
