import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Tool } from '#contract/tool';
import { startInMemoryServer } from '../../runtime/in-memory-server.ts';
import { toolOf } from '../../runtime/in-memory-tools.ts';
import { callTool, searchFront } from './search-server.ts';

const names = ['one', 'two', 'three', 'four'];

/** Tools of which each says when its whole schema is asked for. */
function toolsThatTell(asked: (name: string) => void, text: string): readonly Tool[] {
  const input = { type: 'object', properties: { note: { type: 'string', description: text } } };
  return names.map((name) => ({
    ...toolOf({ name }),
    wholeInput: async () => {
      asked(name);
      return input;
    },
  }));
}

/** The turns that other work has had, as a function. */
function countTurns(t: TestContext): () => number {
  let turns = 0;
  let next: NodeJS.Immediate;
  const work = () => {
    turns++;
    next = setImmediate(work);
  };
  work();
  t.after(() => clearImmediate(next));
  return () => turns;
}

test('other work has its turn between two tools that are described', async (t) => {
  const turnsAt: number[] = [];
  const turns = countTurns(t);
  const tools = toolsThatTell(() => turnsAt.push(turns()), 'Text of the note');
  const url = await startInMemoryServer(t, { tools, front: searchFront });
  await callTool(url, 'tool_describe', { names, path: '/note' });
  assert.equal(turnsAt.length, names.length);
  assert.equal(new Set(turnsAt).size, names.length);
});

test('what has no room in a description is not made', async (t) => {
  const asked: string[] = [];
  const tools = toolsThatTell((name) => asked.push(name), 'x'.repeat(20_000));
  const url = await startInMemoryServer(t, { tools, front: searchFront });
  const { structuredContent } = await callTool(url, 'tool_describe', { names, path: '/note' });
  assert.deepEqual(asked, ['one', 'two']);
  assert.deepEqual(structuredContent?.omitted, ['two', 'three', 'four']);
});
