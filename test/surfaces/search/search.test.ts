import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Tool } from '#contract/tool';
import { startInMemoryServer } from '../../runtime/in-memory-server.ts';
import { echo, toolOf } from '../../runtime/in-memory-tools.ts';
import { legacy, modern } from '../../runtime/mcp/rpc.ts';
import { callTool, searchFront } from './search-server.ts';

const input = {
  type: 'object',
  properties: {
    note: { type: 'string', description: 'Text of the note' },
    project: { type: 'string' },
    colour: { type: 'string' },
  },
  required: ['project', 'note'],
};
const openWorldHint = true;
const tools: readonly Tool[] = [
  echo,
  toolOf({
    name: 'acme_notes_create',
    description: 'Write a note',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint },
    input,
  }),
  toolOf({
    name: 'acme_notes_delete',
    description: `Delete a note. ${'It is gone for good. '.repeat(30)}`,
    annotations: { readOnlyHint: false, openWorldHint },
    input,
  }),
  toolOf({ name: 'acme_notes_list', description: 'List the notes' }),
];

function start(t: TestContext, more: readonly Tool[] = []): Promise<URL> {
  return startInMemoryServer(t, { tools: [...tools, ...more], front: searchFront });
}

test('only the tools that lead to others are listed, in both eras', async (t) => {
  const url = await start(t);
  for (const ask of [modern, legacy]) {
    const { body } = await ask(url, { method: 'tools/list' });
    const listed = body.result?.['tools'] as { name: string }[];
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['tool_search', 'tool_describe', 'tool_call'],
    );
  }
});

test('the instructions say how to get at the others, and whose they are', async (t) => {
  const url = await start(t);
  const { body } = await modern(url, { method: 'server/discover' });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
  const old = await legacy(url, { method: 'initialize', params });
  for (const { result } of [body, old.body]) {
    assert.match(String(result?.['instructions']), /tool_search.*tool_call.*tools of memory\.$/);
  }
});

test('a tool that is not listed can be called by its name', async (t) => {
  const url = await start(t);
  const result = await callTool(url, 'test_echo', { text: 'hello' });
  assert.deepEqual(result.structuredContent, { text: 'hello' });
});

test('a search tells what it takes to choose and to call a tool', async (t) => {
  const url = await start(t);
  const { structuredContent } = await callTool(url, 'tool_search', { query: 'write a new note' });
  assert.deepEqual(structuredContent?.tools?.[0], {
    name: 'acme_notes_create',
    description: 'Write a note',
    arguments: 'note, project, colour?',
    effect: 'adds',
  });
});

test('a long description is cut after a sentence; what says nothing of its effect may destroy', async (t) => {
  const url = await start(t);
  const query = { query: 'delete note', limit: 1 };
  const { structuredContent } = await callTool(url, 'tool_search', query);
  const [found, ...more] = structuredContent?.tools ?? [];
  assert.deepEqual(more, []);
  assert.equal(found?.['name'], 'acme_notes_delete');
  assert.equal(found['effect'], 'overwrites or deletes');
  assert.match(String(found['description']), /^Delete a note\. .*It is gone for good\.$/);
  assert.ok(String(found['description']).length <= 300);
});

test('a search that finds nothing says what else to try', async (t) => {
  const url = await start(t);
  const cases: readonly [args: object, hint: RegExp][] = [
    [{ query: 'xyzzy' }, /Nothing fits: no tool here does that.*search with what it does.*memory/],
    [{ query: 'löschen' }, /Nothing fits: the search knows .* search in English\..*memory/],
    [{ query: '删除条目' }, /Nothing fits: the search knows .* search in English\..*memory/],
    [{ query: 'note', provider: 'memry' }, /did you mean memory\?/],
    [{ query: 'note', provider: 'something else' }, /leave provider out/],
  ];
  for (const [args, hint] of cases) {
    const { structuredContent } = await callTool(url, 'tool_search', args);
    assert.deepEqual(structuredContent?.tools, []);
    assert.match(String(structuredContent.hint), hint);
  }
});

test('a search over one vendor finds its tools alone, and never itself', async (t) => {
  const url = await start(t);
  const inside = await callTool(url, 'tool_search', { query: 'notes', provider: 'Memory' });
  assert.ok((inside.structuredContent?.tools ?? []).length > 1);
  const itself = await callTool(url, 'tool_search', { query: 'search describe call tools' });
  const names = itself.structuredContent?.tools?.map(({ name }) => String(name)) ?? [];
  assert.deepEqual(
    names.filter((name) => name.startsWith('tool_')),
    [],
  );
});

test('a description has the schema that is validated with, and suggests names for wrong ones', async (t) => {
  const url = await start(t);
  const names = ['acme_notes_create', 'acme_create_note', 'acme_notes_create'];
  const { structuredContent } = await callTool(url, 'tool_describe', { names });
  assert.deepEqual(structuredContent?.tools, [
    {
      name: 'acme_notes_create',
      description: 'Write a note',
      effect: 'adds',
      inputSchema: input,
    },
  ]);
  const [unknown] = (structuredContent.unknown ?? []) as { name: string; suggestions: string[] }[];
  assert.equal(unknown?.name, 'acme_create_note');
  assert.ok(unknown.suggestions.includes('acme_notes_create'));
});

test('a description that would become too long leaves tools for another call, but never the first', async (t) => {
  const long = { type: 'object', properties: {}, description: 'x'.repeat(20_000) };
  const many = ['one', 'two', 'three'].map((name) => toolOf({ name, input: long }));
  const huge = toolOf({ name: 'huge', input: { ...long, description: 'x'.repeat(50_000) } });
  const url = await start(t, [...many, huge]);
  const names = ['one', 'two', 'three', 'test_echo'];
  const { structuredContent } = await callTool(url, 'tool_describe', { names });
  assert.deepEqual(
    structuredContent?.tools?.map(({ name }) => name),
    ['one'],
  );
  assert.deepEqual(structuredContent.omitted, ['two', 'three', 'test_echo']);
  const whole = await callTool(url, 'tool_describe', { names: ['huge'] });
  assert.equal(whole.structuredContent?.tools?.length, 1);
});
