import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { JsonSchema } from '#contract/json';
import { createService } from '../../runtime/main.ts';
import { toolsInMemory } from '../../runtime/offer/catalogue.ts';
import { toolOf } from '../runtime/in-memory-tools.ts';
import { connectFirst, connectSecond } from './connect.ts';

// What the schema of a tool has no room for, clients that we did not write can ask for, whether
// they see all tools or those that lead to them.

const term = { type: 'object', properties: { field: { enum: ['height', 'width'] } } };
const properties = { filter: { type: 'array', items: { $ref: '#/$defs/Term' } } };
const input: JsonSchema = { type: 'object', properties, $defs: { Term: {} } };
const whole: JsonSchema = { type: 'object', properties, $defs: { Term: term } };
const cut = { ...toolOf({ name: 'test_cut', input }), wholeInput: async () => whole };

async function start(t: TestContext, mode: 'direct' | 'search'): Promise<URL> {
  const folder = mkdtempSync(join(tmpdir(), 'cut-schema-'));
  const env = {
    SERVICE_PROVIDER: 'github',
    SERVICE_TOOL_MODE: mode,
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_DATA_DIR: join(folder, 'data'),
  };
  const source = { id: 'memory', title: 'In memory', tools: toolsInMemory([cut]) };
  const { http, life } = await createService(env, [source]);
  await life.start();
  t.after(async () => {
    await http.close();
    await life.stop();
    rmSync(folder, { recursive: true });
  });
  return new URL('/mcp', await http.listen({ host: '127.0.0.1', port: 0 }));
}

const clients = [
  ['@modelcontextprotocol/client', (url: URL) => connectSecond(url, 'auto')],
  ['@modelcontextprotocol/sdk', connectFirst],
] as const;

for (const [name, connect] of clients) {
  test(`${name} reads the cut part of a schema with tool_describe`, async (t) => {
    const client = await connect(await start(t, 'search'));
    t.after(() => client.close());
    const described = async (path: string) => {
      const args = { names: ['test_cut', 'test_cat'], path };
      const result = await client.callTool({ name: 'tool_describe', arguments: args });
      return result as {
        structuredContent?: object;
        isError?: boolean;
        content: { text: string }[];
      };
    };
    for (const path of ['/filter/0/field', '#/$defs/Term/properties/field']) {
      assert.deepEqual((await described(path)).structuredContent, {
        tools: [],
        parts: [{ name: 'test_cut', schema: { enum: ['height', 'width'] } }],
        unknown: [{ name: 'test_cat', suggestions: ['test_cut'] }],
      });
    }
    const wrong = await described('/filter/0/feild');
    assert.equal(wrong.isError, true);
    assert.match(wrong.content[0]?.text ?? '', /no \\?"feild.*did you mean \\?"field/);
  });

  test(`${name} reads it as a resource where all tools are listed`, async (t) => {
    const client = await connect(await start(t, 'direct'));
    t.after(() => client.close());
    const uriOf = (path: string) => `docs://tools/test_cut/arguments/${encodeURIComponent(path)}`;
    for (const path of ['/filter/0', '#/$defs/Term']) {
      const { contents } = await client.readResource({ uri: uriOf(path) });
      const [read] = contents as { text: string }[];
      const { $ref: _, $defs, ...own } = JSON.parse(read?.text ?? '');
      assert.deepEqual($defs?.Term ?? own, term);
    }
    const message = /did you mean "filter"\?/;
    await assert.rejects(client.readResource({ uri: uriOf('/fliter') }), { code: -32602, message });
  });
}
