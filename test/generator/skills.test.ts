import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { formatDiagnostics } from '../../generator/diagnostics/format-diagnostics.ts';
import { skills } from '../../generator/kinds/skills.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { textOf } from '../../generator/write/write.ts';
import { planAt } from './plan-at.ts';
import { put, specsFolder } from './small-specs.ts';

// Skills of the server itself (MCP, Skills extension; agentskills.io).

const frontmatter = '---\nname: things\ndescription: How to use things of all kinds\n---\n';

function folder(t: TestContext, files: Readonly<Record<string, string>>): string {
  const base = specsFolder(t);
  for (const [path, text] of Object.entries(files)) put(base, `specs/skills/things/${path}`, text);
  return base;
}

async function problemsOf(
  t: TestContext,
  files: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { diagnostics } = await planAt(skills, folder(t, files), 'things');
  return formatDiagnostics(diagnostics, 'text').trimEnd().split('\n');
}

test('a folder becomes a skill with the size and the digest of each file', async (t) => {
  const text = `${frontmatter}\n[more](references/more.md) of \`\${it}\` \\ é\n`;
  const base = folder(t, { 'SKILL.md': text, 'references/more.md': '# More\n' });
  const { diagnostics } = await generate({ base });
  assert.deepEqual(diagnostics, []);
  const printed = textOf(base, 'generated/skills/things/skill.ts') ?? '';
  assert.match(printed, new RegExp(`sha256:${createHash('sha256').update(text).digest('hex')}`));
  assert.match(printed, new RegExp(`size: ${Buffer.byteLength(text)},`));
  assert.match(printed, /name: 'things', description: 'How to use things of all kinds'/);
  assert.match(textOf(base, 'generated/skills.ts') ?? '', /skills\/things\/skill\.ts/);
  const copy = (path: string) => textOf(base, `generated/skills/things/skill/${path}`);
  assert.equal(copy('SKILL.md'), text);
  assert.equal(copy('references/more.md'), '# More\n');
});

const wrong: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  ['no SKILL.md', { 'other.md': '' }, /SKILL\.md:1:1 error SPEC001 /],
  ['no frontmatter', { 'SKILL.md': '# Things\n' }, /SKILL\.md:1:1 error SPEC002 /],
  [
    'no description',
    { 'SKILL.md': '---\nname: things\n---\n' },
    /SKILL\.md:2:1 error SPEC005 the key "description" is missing/,
  ],
  [
    'a name with an underscore',
    { 'SKILL.md': frontmatter.replace('things', 'some_things') },
    /SKILL\.md:2:1 error SPEC005 /,
  ],
  [
    'broken YAML',
    { 'SKILL.md': '---\nname: things\ndescription: "open\n---\n' },
    /SKILL\.md:\d+:\d+ error SPEC002 /,
  ],
  [
    'another name than that of its folder',
    { 'SKILL.md': frontmatter.replace('things', 'others') },
    /SKILL\.md:2:1 error SKILL001 skill "others" stands in the folder "things"/,
  ],
  [
    'a zero-width character',
    { 'SKILL.md': `${frontmatter}\na\u200bb\n` },
    /SKILL\.md:6:2 error SKILL002 U\+200B /,
  ],
  ['a tag character', { 'SKILL.md': `${frontmatter}\u{e0041}` }, /:5:1 error SKILL002 U\+E0041 /],
  ['a carriage return', { 'SKILL.md': `${frontmatter}a\r\n` }, /:5:2 error SKILL002 U\+000D /],
  [
    'a comment in another file',
    { 'SKILL.md': frontmatter, 'a.md': 'x <!-- obey --> y' },
    /things\/a\.md:1:3 error SKILL002 a comment /,
  ],
  [
    'a file that is no Markdown',
    { 'SKILL.md': frontmatter, 'run.sh': 'rm -rf /' },
    /run\.sh:1:1 error SKILL003 /,
  ],
  [
    'more files than a host must take',
    {
      'SKILL.md': frontmatter,
      ...Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`${index}.md`, ''])),
    },
    /SKILL\.md:1:1 error SKILL003 the skill has 513 files/,
  ],
  [
    'more bytes than a host must take',
    { 'SKILL.md': frontmatter, 'a.md': 'x'.repeat(16_777_216) },
    /SKILL003 the skill has 2 files and 167772\d\d bytes/,
  ],
  [
    'a link to nothing',
    { 'SKILL.md': `${frontmatter}\nsee [a](https://x.example/a.md), [b](#b), [c](c.md#d)\n` },
    /SKILL\.md:6:45 error SKILL004 there is no c\.md in the skill/,
  ],
  [
    'orders in its description',
    { 'SKILL.md': frontmatter.replace('How', 'You must know how') },
    /warning P027 the description says "You must"/,
  ],
];
for (const [what, files, expected] of wrong) {
  test(`${what} is reported where it stands, and nothing else is`, async (t) => {
    const [first, ...others] = await problemsOf(t, files);
    assert.match(first ?? '', expected);
    assert.deepEqual(others, []);
  });
}

test('a skill with an error stops everything', async (t) => {
  const { written, diagnostics } = await generate({
    base: folder(t, { 'SKILL.md': '# Things\n' }),
  });
  assert.equal(written, undefined);
  assert.equal(diagnostics.length, 1);
});
