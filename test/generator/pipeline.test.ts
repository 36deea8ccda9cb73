import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { filesUnder, hashInputs } from '../../generator/write/input-hashes.ts';
import { isUpToDate } from '../../generator/write/manifest.ts';
import { curation, put, specsFolder } from './small-specs.ts';

/** Every file with its text. */
function tree(base: string): Record<string, string> {
  const paths = [...filesUnder(base, 'generated'), ...filesUnder(base, 'specs')];
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(base, path), 'utf8')]));
}

test('an error anywhere leaves everything as it was', async (t) => {
  const base = specsFolder(t, 'alpha', 'beta');
  await generate({ base });
  put(base, 'specs/providers/alpha/curation.yaml', curation('alpha', 'alpha_things', 'oops: 1\n'));
  const more = '    when_to_use: Often\n';
  put(base, 'specs/providers/beta/curation.yaml', curation('beta', undefined, more));
  const before = tree(base);
  const { diagnostics, written } = await generate({ base });
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
    ['P018'],
  );
  assert.equal(written, undefined);
  assert.deepEqual(tree(base), before);
});

test('a provider that goes takes its files with it', async (t) => {
  const base = specsFolder(t, 'alpha', 'beta');
  await generate({ base });
  rmSync(join(base, 'specs/providers/beta'), { recursive: true });
  const { written } = await generate({ base });
  assert.deepEqual(
    written?.deleted.filter((path) => path.startsWith('generated/providers/')),
    [
      'generated/providers/beta/definitions.json',
      'generated/providers/beta/index.ts',
      'generated/providers/beta/search-documents.ts',
      'generated/providers/beta/skill.ts',
      'generated/providers/beta/skill/SKILL.md',
      'generated/providers/beta/skill/references/things.md',
      'generated/providers/beta/things.ts',
    ],
  );
  assert.equal(existsSync(join(base, 'generated/providers/beta')), false);
});

test('a provider folder that is a link and a second description are errors (SPEC001)', async (t) => {
  const base = specsFolder(t, 'alpha', 'beta');
  renameSync(join(base, 'specs/providers/beta'), join(base, 'beta'));
  symlinkSync(join(base, 'beta'), join(base, 'specs/providers/beta'));
  put(base, 'specs/providers/alpha/openapi.json', '{}');
  const { diagnostics } = await generate({ base });
  assert.deepEqual(
    diagnostics.map(({ code, file, message }) => `${code} ${file}: ${message}`),
    [
      'SPEC001 specs/providers/alpha/openapi.json: openapi.yaml is read, so this file is not',
      'SPEC001 specs/providers/beta: this is a symbolic link, which is not followed',
    ],
  );
});

test('a constant header that would end its line is refused, in name and value', async (t) => {
  const base = specsFolder(t, 'alpha');
  const headers =
    'headers: { X-Fine: "a b", X-Evil: "a\\r\\nX: b", "X: y": c }\nuser_agent: "a\\nb"\n';
  put(base, 'specs/providers/alpha/curation.yaml', headers + curation('alpha'));
  const { diagnostics } = await generate({ base });
  assert.deepEqual(
    diagnostics.map(({ code, pointer }) => `${code} ${pointer}`),
    ['P018 /headers/X-Evil', 'P018 /headers/X: y', 'P018 /user_agent'],
  );
});

test('a text that a comma has made a map of is told where it stands', async (t) => {
  const base = specsFolder(t, 'alpha');
  const text = curation('alpha').replace('type: none', 'type: {Not this, or that}');
  put(base, 'specs/providers/alpha/curation.yaml', text);
  const { diagnostics } = await generate({ base });
  assert.deepEqual(
    diagnostics.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`),
    ['P018 /auth/0/type "type" may not be a map'],
  );
});

test('a problem in a curation names the key and what it should be', async (t) => {
  const base = specsFolder(t, 'alpha');
  const text = curation('alpha').replace('List the things of alpha', 'List');
  put(base, 'specs/providers/alpha/curation.yaml', `homepage: null\ncategories: [1]\n${text}`);
  const { diagnostics } = await generate({ base });
  const messages = diagnostics.map(({ message }) => message);
  assert.ok(messages.includes('"homepage" must be of type string, but it is null'), `${messages}`);
  assert.ok(messages.includes('"categories[0]" must be of type string, but it is 1'));
  assert.ok(messages.includes('"purpose" must have at least 10 characters, but it has 4'));
});

test('a tool name is unique among all providers (P002)', async (t) => {
  const base = specsFolder(t, 'alpha', 'beta');
  put(base, 'specs/providers/beta/curation.yaml', curation('beta', 'alpha_things_list'));
  const { diagnostics } = await generate({ base });
  const [problem] = diagnostics;
  assert.equal(problem?.code, 'P002');
  assert.equal(problem?.file, 'specs/providers/beta/curation.yaml');
  assert.match(problem?.message ?? '', /already used in specs\/providers\/alpha/);
});

test('presets come from presets.yaml and from the curation', async (t) => {
  const base = specsFolder(t, 'alpha', 'beta');
  put(base, 'specs/providers/presets.yaml', 'presets: { default: [beta, alpha], small: [beta] }\n');
  put(base, 'specs/providers/beta/curation.yaml', `preset: [own, small]\n${curation('beta')}`);
  await generate({ base });
  const map = tree(base)['generated/providers.ts'] ?? '';
  assert.match(map, /alpha: \{[^}]*presets: \['default'\]/);
  assert.match(map, /beta: \{[^}]*presets: \['default', 'small', 'own'\]/);
});

test('a check finds one changed byte, a missing file and one too many', async (t) => {
  const base = specsFolder(t, 'alpha');
  await generate({ base });
  assert.deepEqual((await generate({ base, check: true })).drift, []);
  appendFileSync(join(base, 'generated/providers/alpha/things.ts'), ' ');
  rmSync(join(base, 'generated/providers/alpha/index.ts'));
  put(base, 'generated/providers/alpha/stray.ts', 'export {};\n');
  const before = tree(base);
  const { drift = [] } = await generate({ base, check: true });
  assert.deepEqual(
    drift.map(({ path, kind }) => `${kind} ${path}`),
    [
      'missing generated/providers/alpha/index.ts',
      'surplus generated/providers/alpha/stray.ts',
      'changed generated/providers/alpha/things.ts',
    ],
  );
  assert.match(drift[2]?.diff ?? '', /^--- generated\/providers\/alpha\/things\.ts\ton disk\n/);
  assert.deepEqual(tree(base), before, 'a check writes nothing');
});

test('a check finds dotfiles and links, even one to the right bytes', async (t) => {
  const base = specsFolder(t, 'alpha');
  await generate({ base });
  assert.ok(isUpToDate(base, hashInputs(base)));
  const own = join(base, 'generated/providers/alpha');
  renameSync(join(own, 'things.ts'), join(base, 'things.ts'));
  symlinkSync(join(base, 'things.ts'), join(own, 'things.ts'));
  symlinkSync(join(base, 'nowhere'), join(own, 'dangling.ts'));
  put(base, 'generated/.hidden.ts', 'export {};\n');
  assert.equal(isUpToDate(base, hashInputs(base)), false);
  const { drift = [] } = await generate({ base, check: true });
  assert.deepEqual(
    drift.map(({ path, kind }) => `${kind} ${path}`),
    [
      'surplus generated/.hidden.ts',
      'surplus generated/providers/alpha/dangling.ts',
      'surplus generated/providers/alpha/things.ts',
    ],
  );
});

test('a link to the right bytes is not up to date', async (t) => {
  const base = specsFolder(t, 'alpha');
  await generate({ base });
  const file = join(base, 'generated/providers/alpha/things.ts');
  renameSync(file, join(base, 'things.ts'));
  symlinkSync(join(base, 'things.ts'), file);
  assert.equal(isUpToDate(base, hashInputs(base)), false);
});

test('a missing lock file is drift, and a lock file that only misses a new tool too', async (t) => {
  const base = specsFolder(t, 'alpha');
  await generate({ base });
  rmSync(join(base, 'specs/providers/alpha/tools.lock.json'));
  const { drift = [] } = await generate({ base, check: true });
  assert.ok(drift.some(({ path }) => path === 'specs/providers/alpha/tools.lock.json'));
});

test('another generator with the same output is no drift', async (t) => {
  const base = specsFolder(t, 'alpha');
  await generate({ base });
  const path = join(base, 'generated/manifest.txt');
  const manifest = readFileSync(path, 'utf8');
  assert.ok(isUpToDate(base, hashInputs(base)));
  writeFileSync(path, manifest.replace(/^\w+(?= {2}generator$)/m, '0'.repeat(64)));
  assert.equal(isUpToDate(base, hashInputs(base)), false);
  assert.deepEqual((await generate({ base, check: true })).drift, []);
});

test('a manifest with the lines of two branches only makes the next check slower', async (t) => {
  const base = specsFolder(t, 'alpha');
  await generate({ base });
  const path = join(base, 'generated/manifest.txt');
  const manifest = readFileSync(path, 'utf8');
  const others = `${manifest.replaceAll(/^\w+/gm, '1'.repeat(64))}${'2'.repeat(64)}  generated/theirs.ts\n`;
  put(base, 'generated/theirs.ts', 'stale');
  writeFileSync(path, others + manifest);
  assert.equal(isUpToDate(base, hashInputs(base)), false);
  const { written } = await generate({ base });
  assert.deepEqual(written?.written, ['generated/manifest.txt']);
  assert.deepEqual(written?.deleted, ['generated/theirs.ts']);
  assert.equal(readFileSync(path, 'utf8'), manifest);
});

test('a breaking change is refused until it is accepted', async (t) => {
  const base = specsFolder(t, 'alpha');
  await generate({ base });
  put(base, 'specs/providers/alpha/curation.yaml', curation('alpha', 'alpha_list'));
  const refused = await generate({ base });
  assert.equal(refused.diagnostics[0]?.code, 'P031');
  assert.equal(refused.written, undefined);
  const accepted = await generate({ base, accept: true });
  assert.equal(accepted.diagnostics[0]?.severity, 'info');
  assert.deepEqual((await generate({ base, check: true })).drift, []);
  assert.deepEqual((await generate({ base })).diagnostics, []);
});

test('one provider alone leaves what belongs to all of them, until everything is generated', async (t) => {
  const base = specsFolder(t, 'alpha', 'beta');
  await generate({ base });
  const before = tree(base);
  put(base, 'specs/providers/beta/curation.yaml', 'wrong: [');
  const more = '    when_to_use: Often\n';
  put(base, 'specs/providers/alpha/curation.yaml', curation('alpha', undefined, more));
  const { written } = await generate({ base, provider: 'alpha' });
  assert.deepEqual(written?.written, [
    'generated/providers/alpha/things.ts',
    'generated/providers/alpha/definitions.json',
    'generated/providers/alpha/search-documents.ts',
    'generated/providers/alpha/skill.ts',
    'generated/providers/alpha/skill/references/things.md',
    'specs/providers/alpha/tools.lock.json',
    'generated/manifest.txt',
  ]);
  assert.deepEqual((await generate({ base, provider: 'alpha', check: true })).drift, []);
  put(base, 'specs/providers/beta/curation.yaml', curation('beta'));
  const after = tree(base);
  assert.equal(
    after['generated/providers/beta/things.ts'],
    before['generated/providers/beta/things.ts'],
  );
  assert.equal(isUpToDate(base, hashInputs(base)), false);
  await generate({ base });
  assert.ok(isUpToDate(base, hashInputs(base)));
});
