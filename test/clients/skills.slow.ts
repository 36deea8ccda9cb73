import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { SKILL_LIMITS, SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { providers } from '../../generated/providers.ts';
import { createService } from '../../runtime/main.ts';
import { legacy, modern } from '../runtime/mcp/rpc.ts';
import { connectFirst, connectSecond } from './connect.ts';

// The Skills extension (SEP-2640) of the whole server, read by the official client.

async function start(t: TestContext, wanted: string): Promise<URL> {
  const { http } = await createService({
    SERVICE_PROVIDER: wanted,
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_CONTACT: 'test@example.com',
  });
  t.after(() => http.close());
  return new URL('/mcp', await http.listen({ host: '127.0.0.1', port: 0 }));
}

async function connect(
  t: TestContext,
  url: URL,
): Promise<{ client: Client; skills: SkillsClient }> {
  const client = await connectSecond(url, { pin: '2026-07-28' });
  t.after(() => client.close());
  return { client, skills: new SkillsClient(client) };
}

const own = 'skill://agent-tool-server/SKILL.md';

test('the official client accepts every skill, and verifies every file of each', async (t) => {
  const { skills } = await connect(t, await start(t, 'all-providers'));
  assert.equal(skills.supported, true);
  assert.equal(skills.directoryRead, true);
  const { skills: entries } = await skills.list();
  assert.equal(entries.length, Object.keys(providers).length + 1);
  for (const entry of entries) {
    assert.ok(entry.resources !== 'dynamic' && entry.resources.length > 1);
    assert.ok(entry.resources.length <= SKILL_LIMITS.files);
    for (const { uri } of entry.resources) {
      const file = await skills.read(entry, uri);
      assert.equal(file.verified, true, uri);
      assert.equal(file.mimeType, 'text/markdown');
    }
    assert.deepEqual((await skills.get(entry.uri)).skill, entry);
  }
});

test('every link of a skill leads to a file that it has, and every file is linked', async (t) => {
  const { skills } = await connect(t, await start(t, 'all-providers'));
  for (const entry of (await skills.list()).skills) {
    assert.ok(entry.resources !== 'dynamic');
    const root = entry.uri.slice(0, -'SKILL.md'.length);
    const texts = await Promise.all(
      entry.resources.map(async ({ uri }) => (await skills.read(entry, uri)).text ?? ''),
    );
    const links = texts.flatMap((text) => [...text.matchAll(/\]\((references\/[^)]+)\)/g)]);
    const linked = new Set(links.map(([, link]) => root + link));
    const files = entry.resources.map(({ uri }) => uri).filter((uri) => uri !== entry.uri);
    assert.deepEqual([...linked].sort(), files.sort());
  }
});

test('only skills of enabled providers are there, whatever is asked', async (t) => {
  const { client, skills } = await connect(t, await start(t, 'osv'));
  const names = (await skills.list()).skills.map(({ frontmatter }) => frontmatter.name);
  assert.deepEqual(names, ['agent-tool-server', 'osv-tools']);
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    [own, 'skill://osv-tools/SKILL.md'],
  );
  await assert.rejects(skills.get('skill://github-tools/SKILL.md'), { code: -32602 });
  await assert.rejects(client.readResource({ uri: 'skill://github-tools/SKILL.md' }), {
    code: -32602,
  });
  await assert.rejects(skills.readDirectory('skill://github-tools'), { code: -32602 });
});

test('a folder lists its files and the folders in it, each with what it is', async (t) => {
  const { skills } = await connect(t, await start(t, 'osv'));
  const { resources } = await skills.readDirectory('skill://osv-tools');
  const { frontmatter } = (await skills.get('skill://osv-tools/SKILL.md')).skill;
  assert.deepEqual(
    resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
    [
      { uri: 'skill://osv-tools/SKILL.md', name: 'osv-tools', mimeType: 'text/markdown' },
      { uri: 'skill://osv-tools/references', name: 'references', mimeType: 'inode/directory' },
    ],
  );
  assert.equal(resources[0]?.description, frontmatter.description);
  const below = await skills.readDirectory('skill://osv-tools/references');
  assert.deepEqual(
    below.resources.map(({ name }) => name),
    ['vulnerabilities.md'],
  );
});

const noFolders = ['skill://', 'skill://osv-tools/', own, 'skill://nothing', 'docs://tools', ''];
for (const uri of noFolders) {
  test(`${JSON.stringify(uri)} is no folder: -32602`, async (t) => {
    const url = await start(t, 'osv');
    const { body } = await modern(url, { method: 'resources/directory/read', params: { uri } });
    assert.equal(body.error?.code, -32602);
  });
}

const wrong: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['skills/list', { cursor: 7 }],
  ['skills/list', { cursor: 'x' }],
  ['skills/get', {}],
  ['skills/get', { uri: 7 }],
  ['skills/get', { uri: 'skill://osv-tools' }],
  ['skills/get', { uri: 'skill://osv-tools/references/vulnerabilities.md' }],
  ['skills/get', { uri: '__proto__' }],
  ['resources/directory/read', {}],
  ['resources/directory/read', { uri: 'skill://osv-tools', cursor: 'x' }],
  ['resources/read', { uri: 'skill://osv-tools' }],
  ['resources/read', { uri: 'skill://osv-tools/references/../SKILL.md' }],
];
for (const [method, params] of wrong) {
  test(`${method} ${JSON.stringify(params)} is -32602`, async (t) => {
    const url = await start(t, 'osv');
    const { status, body } = await modern(url, { method, params });
    assert.equal(status, 200);
    assert.equal(body.error?.code, -32602);
  });
}

test('the handshake era has the files as resources, and none of the methods', async (t) => {
  const url = await start(t, 'osv');
  for (const method of ['skills/list', 'skills/get', 'resources/directory/read']) {
    const { body } = await legacy(url, { method, params: { uri: own } });
    assert.equal(body.error?.code, -32601);
  }
  const client = await connectFirst(url);
  t.after(() => client.close());
  const { contents } = await client.readResource({ uri: own });
  assert.equal(contents.length, 1);
});
