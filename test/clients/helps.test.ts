import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createService } from '../../runtime/main.ts';
import { type AnyClient, connectFirst, connectSecond } from './connect.ts';

// The prompts and the pages of tools that the whole server offers, used by the official clients.

async function start(t: TestContext, mode: string): Promise<URL> {
  const { http } = await createService({
    SERVICE_PROVIDER: 'osv,open_meteo',
    SERVICE_TOOL_MODE: mode,
    SERVICE_LOG_LEVEL: 'silent',
  });
  t.after(() => http.close());
  return new URL('/mcp', await http.listen({ host: '127.0.0.1', port: 0 }));
}

const clients: readonly (readonly [name: string, connect: (url: URL) => Promise<AnyClient>])[] = [
  ['2026-07-28', (url) => connectSecond(url, { pin: '2026-07-28' })],
  ['the handshake era', connectFirst],
];

for (const [name, connect] of clients) {
  const connected = async (t: TestContext, mode = 'direct') => {
    const client = await connect(await start(t, mode));
    t.after(() => client.close());
    return client;
  };

  test(`${name}: a prompt names what it is given, and nothing in that is a place`, async (t) => {
    const client = await connected(t);
    const { prompts } = await client.listPrompts();
    assert.deepEqual(
      prompts.map((prompt) => prompt.name),
      ['use_tools', 'find_tools'],
    );
    const args = { provider: 'osv', goal: 'What is {provider}?' };
    const { messages } = await client.getPrompt({ name: 'use_tools', arguments: args });
    const text = JSON.stringify(messages);
    assert.match(text, /tools of osv, whose names begin with osv_:/);
    assert.match(text, /\\n\\nWhat is \{provider\}\?\\n\\n/);
    await assert.rejects(client.getPrompt({ name: 'use_tools', arguments: { provider: 'osv' } }), {
      code: -32602,
    });
  });

  test(`${name}: enabled providers and tools are suggested`, async (t) => {
    const client = await connected(t);
    const provider = await client.complete({
      ref: { type: 'ref/prompt', name: 'use_tools' },
      argument: { name: 'provider', value: 'o' },
    });
    assert.deepEqual(provider.completion, {
      values: ['open_meteo', 'osv'],
      total: 2,
      hasMore: false,
    });
    const goal = await client.complete({
      ref: { type: 'ref/prompt', name: 'use_tools' },
      argument: { name: 'goal', value: 'o' },
    });
    assert.deepEqual(goal.completion, { values: [], total: 0, hasMore: false });
    const tool = await client.complete({
      ref: { type: 'ref/resource', uri: 'docs://tools/{name}' },
      argument: { name: 'name', value: 'osv_q' },
    });
    assert.deepEqual(tool.completion, {
      values: ['osv_query', 'osv_query_batch'],
      total: 2,
      hasMore: false,
    });
  });

  for (const mode of ['direct', 'search']) {
    test(`${name}: every tool has a page when clients see the tools by ${mode}`, async (t) => {
      const client = await connected(t, mode);
      const { contents } = await client.readResource({ uri: 'docs://tools/osv_get' });
      const text = JSON.stringify(contents);
      assert.match(text, /"mimeType":"text\/markdown"/);
      assert.match(text, /It only reads\./);
      assert.match(text, /It needs `mcp\.tools`\./);
      assert.match(text, /\\"required\\": \[\\n {4}\\"id\\"\\n {2}\]/);
      for (const unknown of ['osv_nothing', '__proto__', 'osv_get/x']) {
        await assert.rejects(client.readResource({ uri: `docs://tools/${unknown}` }));
      }
    });
  }
}
