import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import type { CallContext } from '#contract/caller';
import type { Skill } from '#contract/skill';
import { Skills, skillLibrary } from '../../../runtime/offer/skills.ts';

const source = 'acme';

// MCP, Skills extension: listing, directory resources, lazy retrieval.

function skillOf(name: string, ...others: readonly string[]): Skill {
  const files = ['SKILL.md', ...others].map((path) => ({
    path,
    digest: `sha256:${'0'.repeat(64)}`,
    size: 1,
  }));
  const folder = new URL('./no-such-folder/', import.meta.url);
  return { frontmatter: { name, description: `About ${name}` }, folder, files };
}

test('nothing is loaded before somebody asks, and then once', async () => {
  let loads = 0;
  const load = async () => {
    loads += 1;
    return skillOf('one');
  };
  const skills = new Skills([{ source, load }]);
  const library = skillLibrary(skills);
  assert.equal(loads, 0);
  await Promise.all([skills.page(), library.listed(), skills.folder('skill://one')]);
  await library.find('skill://one/SKILL.md');
  assert.equal(loads, 1);
});

test('a skill that could not be loaded is tried again', async () => {
  let fails = true;
  const load = async () => {
    if (fails) throw new Error('not now');
    return skillOf('one');
  };
  const skills = new Skills([{ source, load }]);
  await assert.rejects(skills.page(), /not now/);
  fails = false;
  assert.equal((await skills.page())?.items.length, 1);
});

test('many skills come page by page, each of them once and whole', async () => {
  const names = Array.from({ length: 450 }, (_, index) => `skill-${index}`);
  const skills = new Skills(
    names.map((name) => ({ source, load: async () => skillOf(name, 'a.md') })),
  );
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = (await skills.page(cursor)) ?? assert.fail('the cursor leads nowhere');
    for (const { frontmatter, resources } of page.items) {
      seen.push(frontmatter.name);
      assert.equal(resources.length, 2);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(seen, names);
});

test('every folder lists what stands directly in it, the folders among it', async () => {
  const skills = new Skills([
    { source, load: async () => skillOf('one', 'a/b/x y.md', 'a/c.md', 'a/b/z.md') },
  ]);
  const childrenOf = async (uri: string) =>
    [...((await skills.folder(uri)) ?? [])].flatMap(([, { items }]) =>
      items.map(({ uri: child, mimeType }) => `${child} ${mimeType}`),
    );
  assert.deepEqual(await childrenOf('skill://one'), [
    'skill://one/SKILL.md text/markdown',
    'skill://one/a inode/directory',
  ]);
  assert.deepEqual(await childrenOf('skill://one/a'), [
    'skill://one/a/b inode/directory',
    'skill://one/a/c.md text/markdown',
  ]);
  assert.deepEqual(await childrenOf('skill://one/a/b'), [
    'skill://one/a/b/x%20y.md text/markdown',
    'skill://one/a/b/z.md text/markdown',
  ]);
  assert.equal(await skills.folder('skill:/'), undefined);
});

test('the files of a skill are read from its folder, whatever they are called', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'skill #1 '));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'a?'));
  writeFileSync(join(folder, 'a?', 'x%20 é.md'), 'Its own text');
  const skill = { ...skillOf('one', 'a?/x%20 é.md'), folder: pathToFileURL(`${folder}/`) };
  const library = skillLibrary(new Skills([{ source, load: async () => skill }]));
  const uri = 'skill://one/a%3F/x%2520%20%C3%A9.md';
  const file = (await library.find(uri)) ?? assert.fail('there is no such file');
  // Whoever asks reads the same.
  const contents = await file.read({} as CallContext);
  assert.deepEqual(contents, [{ uri, mimeType: 'text/markdown', text: 'Its own text' }]);
});

test('a list shows where each skill begins', async () => {
  const library = skillLibrary(new Skills([{ source, load: async () => skillOf('one', 'a.md') }]));
  assert.deepEqual(
    (await library.listed()).map(({ uri, name, description }) => [uri, name, description]),
    [['skill://one/SKILL.md', 'one', 'About one']],
  );
  assert.equal((await library.find('skill://one/a.md'))?.definition.name, 'a.md');
  assert.equal(await library.find('skill://one'), undefined);
});
