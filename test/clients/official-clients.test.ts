import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { startInMemoryServer } from '../runtime/in-memory-server.ts';
import {
  countingAloud,
  echo,
  failing,
  listing,
  toolOf,
  waiting,
} from '../runtime/in-memory-tools.ts';
import { type AnyClient, connectFirst, connectSecond, listAll, type Mode } from './connect.ts';

// Clients that we did not write list the tools and call them, with success and without.

const many = Array.from({ length: 205 }, (_, index) => toolOf({ name: `test_${index}` }));
const tools = [echo, failing, listing, ...many];
const names = tools.map((tool) => tool.definition.name);
type Connect = (url: URL) => Promise<AnyClient>;

function second(mode: Mode, version: string): Connect {
  return async (url) => {
    const client = await connectSecond(url, mode);
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    return client;
  };
}

const clients: readonly [name: string, connect: Connect, isModern: boolean][] = [
  ['@modelcontextprotocol/client, auto', second('auto', '2026-07-28'), true],
  ['@modelcontextprotocol/client, legacy', second('legacy', '2025-11-25'), false],
  ['@modelcontextprotocol/client, pinned', second({ pin: '2026-07-28' }, '2026-07-28'), true],
  ['@modelcontextprotocol/sdk', connectFirst, false],
];

async function connected(t: TestContext, connect: Connect): Promise<AnyClient> {
  const client = await connect(await startInMemoryServer(t, { tools }));
  t.after(() => client.close());
  return client;
}

for (const [name, connect, isModern] of clients) {
  test(`${name} learns who serves it`, async (t) => {
    const client = await connected(t, connect);
    assert.equal(client.getServerVersion()?.name, 'agent-tool-server');
  });

  test(`${name} lists every tool`, async (t) => {
    const client = await connected(t, connect);
    assert.deepEqual(await listAll(client), names);
  });

  test(`${name} calls a tool`, async (t) => {
    const client = await connected(t, connect);
    await client.listTools();
    const result = (await client.callTool({
      name: 'test_echo',
      arguments: { text: 'grüße' },
    })) as Record<string, unknown>;
    assert.deepEqual(result['content'], [{ type: 'text', text: 'grüße' }]);
    assert.deepEqual(result['structuredContent'], { text: 'grüße' });
  });

  test(`${name} gets structured content that is a list`, async (t) => {
    const client = await connected(t, connect);
    await client.listTools();
    const result = (await client.callTool({ name: 'test_listing' })) as Record<string, unknown>;
    assert.deepEqual(result['structuredContent'], isModern ? [1, 2] : { result: [1, 2] });
  });

  test(`${name} sees a tool fail`, async (t) => {
    const client = await connected(t, connect);
    await client.listTools();
    for (const call of [{ name: 'test_failing' }, { name: 'test_echo', arguments: { txt: 1 } }]) {
      const result = (await client.callTool(call)) as Record<string, unknown>;
      assert.equal(result['isError'], true);
    }
  });

  test(`${name} is told that there is no such tool`, async (t) => {
    const client = await connected(t, connect);
    await assert.rejects(client.callTool({ name: 'test_ech' }), { code: -32602 });
  });
}

for (const mode of ['auto', 'legacy'] as const) {
  test(`@modelcontextprotocol/client, ${mode}, hears of progress`, async (t) => {
    const { tool, heard, onprogress } = countingAloud();
    const url = await startInMemoryServer(t, { tools: [tool] });
    const client = await connectSecond(url, mode);
    t.after(() => client.close());
    await client.callTool({ name: tool.definition.name }, { onprogress });
    assert.deepEqual(heard, [1, 2, 3]);
  });
}

test('@modelcontextprotocol/client aborts a call by leaving', async (t) => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<unknown>();
  const tool = waiting(stopped.resolve, started.resolve);
  const url = await startInMemoryServer(t, { tools: [tool] });
  const client = await connectSecond(url, 'auto');
  t.after(() => client.close());
  const leaving = new AbortController();
  const call = client.callTool({ name: 'test_waiting' }, { signal: leaving.signal });
  await started.promise;
  leaving.abort();
  await assert.rejects(call);
  assert.equal(((await stopped.promise) as Error).name, 'ClientGone');
});
