import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Caller } from '#contract/caller';
import type { Access } from '#contract/operation';
import { OfferedList } from '../../../runtime/offer/offered-list.ts';
import { startInMemoryServer } from '../in-memory-server.ts';
import { toolOf } from '../in-memory-tools.ts';
import { modern } from '../mcp/rpc.ts';

const tools = (
  [
    ['open_tool', 'public'],
    ['read_tool', ['acme:read']],
    ['write_tool', ['acme:read', 'acme:write']],
  ] as const
).map(([name, access]) => toolOf({ name, access }, async () => ({ content: [] })));

async function listed(t: TestContext, scopes: Caller['scopes']) {
  let caller: Caller = { tenant: 't', subject: 's', client: 'c', scopes, transport: 'mcp' };
  const url = await startInMemoryServer(t, { tools, authenticate: () => caller });
  const list = async () => {
    const { result = {} } = (await modern(url, { method: 'tools/list' })).body;
    return {
      names: (result['tools'] as { name: string }[]).map(({ name }) => name),
      cacheScope: result['cacheScope'],
    };
  };
  return {
    list,
    become: (other: Caller['scopes']) => {
      caller = { ...caller, scopes: other };
    },
  };
}

test('a caller is shown the tools that its scopes let it use, and nobody else is given that list', async (t) => {
  const { list, become } = await listed(t, 'all');
  const all = ['open_tool', 'read_tool', 'write_tool'];
  assert.deepEqual(await list(), { names: all, cacheScope: 'private' });
  for (const [scopes, names] of [
    [[], ['open_tool']],
    [['acme:read'], ['open_tool', 'read_tool']],
    [['acme:write'], ['open_tool']],
    [['acme:write', 'acme:read', 'other'], all],
  ] as const) {
    become(new Set(scopes));
    assert.deepEqual((await list()).names, names, scopes.join());
  }
});

test('what a person could give is listed with a mark, and nothing beyond that', async (t) => {
  const given = new Set(['acme:write']);
  let grantable: ReadonlySet<string> = new Set(['acme:read', 'acme:write']);
  const caller = { tenant: 't', subject: 's', client: 'c', transport: 'mcp' } as const;
  const url = await startInMemoryServer(t, {
    tools: tools.map((tool) => ({ ...tool, definition: { ...tool.definition, title: 'A title' } })),
    authenticate: () => ({ ...caller, scopes: given }),
    grantable: () => grantable,
  });
  const list = async () => {
    const { result = {} } = (await modern(url, { method: 'tools/list' })).body;
    const listed = result['tools'] as { name: string; title: string; _meta?: object }[];
    assert.ok(listed.every(({ title }) => title === 'A title'));
    return listed.map(({ name, _meta }) => [name, _meta]);
  };
  const mark = { 'dev.agent-tool-server/requires-scope': ['acme:read'] };
  const all = [
    ['open_tool', undefined],
    ['read_tool', mark],
    ['write_tool', mark],
  ];
  assert.deepEqual(await list(), all);
  grantable = new Set(['acme:write']);
  assert.deepEqual(await list(), [['open_tool', undefined]]);
});

interface Item {
  readonly name: string;
  readonly access: Access;
}

function listOf(items: readonly Item[]) {
  const list = new OfferedList<Item, Item>({
    kind: 'thing',
    accessOf: ({ access }) => access,
    items: (things) => [...things],
  });
  for (const item of items) list.put(item.name, item, 'a');
  return list;
}

test('callers with the same rights over a list get the same page, whatever else they may do', async () => {
  const list = listOf([
    { name: 'a', access: ['x'] },
    { name: 'b', access: ['y'] },
  ]);
  const page = await list.page(undefined, new Set(['x']));
  assert.deepEqual(
    page?.items.map(({ name }) => name),
    ['a'],
  );
  assert.equal(await list.page(undefined, new Set(['z', 'x'])), page);
  assert.equal(await list.page(undefined, 'all'), await list.page(undefined, new Set(['y', 'x'])));
});

test('a list that all may see may be kept by all', async () => {
  const list = listOf([{ name: 'a', access: 'public' }]);
  const page = await list.page(undefined, new Set());
  assert.equal(page?.cache.scope, 'public');
  assert.equal(page, await list.page(undefined, 'all'));
});

test('a cursor leads to nothing in the list of somebody who sees another one', async () => {
  const items = Array.from({ length: 450 }, (_, index) => {
    const access = index % 2 === 0 ? 'public' : ['x'];
    return { name: `n${index}`, access } as const;
  });
  const list = listOf(items);
  const all = await list.page();
  assert.equal((await list.page(all?.nextCursor))?.items.length, 200);
  assert.equal(await list.page(all?.nextCursor, new Set()), undefined);
  const few = await list.page(undefined, new Set());
  assert.equal(few?.items.length, 200);
  assert.equal((await list.page(few?.nextCursor, new Set()))?.items.length, 25);
});

test('the pages of many sets of scopes do not pile up', async () => {
  const scopes = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const list = listOf(scopes.map((scope) => ({ name: scope, access: [scope] })));
  const first = await list.page(undefined, new Set(['s0']));
  assert.equal(await list.page(undefined, new Set(['s0'])), first);
  for (const scope of scopes) await list.page(undefined, new Set([scope]));
  const again = await list.page(undefined, new Set(['s0']));
  assert.notEqual(again, first, 'it was forgotten and made anew');
  assert.deepEqual(again, first);
});
