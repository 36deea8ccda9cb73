import assert from 'node:assert/strict';
import { type ChildProcess, execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { prompts } from '../conformance/mcp/prompts.ts';
import { countingAloud, echo } from '../runtime/in-memory-tools.ts';
import { startLocalService } from '../runtime/stdio/local-service.ts';
import { type AnyClient, listAll, type Mode } from './connect.ts';
import { launcher } from './inspector.ts';

// Clients that we did not write start the command themselves.

const program = fileURLToPath(new URL('../../bin.js', import.meta.url));
const info = { name: 'test', version: '1.0.0' };

function command(dataDir: string) {
  const env = { SERVICE_DATA_DIR: dataDir, SERVICE_PROVIDER: 'osv' };
  return { command: process.execPath, args: [program, 'stdio'], env, stderr: 'ignore' as const };
}

async function second(dataDir: string, mode: Mode): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(command(dataDir)));
  return client;
}

async function first(dataDir: string): Promise<AnyClient> {
  const client = new FirstClient(info);
  // Its declarations are not written for exactOptionalPropertyTypes.
  await client.connect(new FirstTransport(command(dataDir)) as Transport);
  return client as AnyClient;
}

const clients: readonly (readonly [name: string, connect: (dir: string) => Promise<AnyClient>])[] =
  [
    ['@modelcontextprotocol/client, auto', (dir) => second(dir, 'auto')],
    ['@modelcontextprotocol/client, legacy', (dir) => second(dir, 'legacy')],
    ['@modelcontextprotocol/client, pinned', (dir) => second(dir, { pin: '2026-07-28' })],
    ['@modelcontextprotocol/sdk', first],
  ];

async function start(t: TestContext) {
  return startLocalService(t, [echo], {}, prompts);
}

for (const [name, connect] of clients) {
  test(`${name} uses the server over stdio`, async (t) => {
    const { dataDir, service } = await start(t);
    const client = await connect(dataDir);
    t.after(() => client.close());
    assert.equal(client.getServerVersion()?.name, 'agent-tool-server');
    assert.equal((await listAll(client)).length, service.offer.catalogue.size);
    const choice = { name: 'test_echo', arguments: { text: 'grüße' } };
    const called = (await client.callTool(choice)) as Record<string, unknown>;
    assert.deepEqual(called['structuredContent'], { text: 'grüße' });
    const { prompts: listed } = await client.listPrompts();
    const listedNames = new Set(listed.map(({ name: listedName }) => listedName));
    assert.ok(prompts.every(({ definition }) => listedNames.has(definition.name)));
    await assert.rejects(client.callTool({ name: 'test_ech' }), { code: -32602 });
  });
}

test('two clients of both eras use one server at once', async (t) => {
  const { dataDir } = await start(t);
  const both = await Promise.all([second(dataDir, 'auto'), first(dataDir)]);
  t.after(() => Promise.all(both.map((client) => client.close())));
  const numbers = Array.from({ length: 50 }, (_, index) => String(index));
  for (const client of both) {
    const choices = numbers.map((text) => ({ name: 'test_echo', arguments: { text } }));
    const all = await Promise.all(choices.map((choice) => client.callTool(choice)));
    const texts = all.map((each) => (each as Echoed).structuredContent.text);
    assert.deepEqual(texts, numbers);
  }
});

interface Echoed {
  readonly structuredContent: { readonly text: string };
}

for (const mode of ['auto', 'legacy'] as const) {
  test(`@modelcontextprotocol/client, ${mode}, hears of progress over stdio`, async (t) => {
    const { tool, heard, onprogress } = countingAloud();
    const { dataDir } = await startLocalService(t, [tool]);
    const client = await second(dataDir, mode);
    t.after(() => client.close());
    await client.callTool({ name: tool.definition.name }, { onprogress });
    assert.deepEqual(heard, [1, 2, 3]);
  });
}

test('mcp-inspector starts the command that its configuration names', async (t) => {
  const { dataDir, service } = await start(t);
  const path = join(dataDir, 'mcp.json');
  const { command: program, args, env } = command(dataDir);
  const server = { type: 'stdio', command: program, args, env };
  writeFileSync(path, JSON.stringify({ mcpServers: { tools: server } }));
  const output = await run([
    '--cli',
    '--config',
    path,
    '--server',
    'tools',
    '--method',
    'tools/list',
  ]);
  assert.equal(JSON.parse(output).tools.length, service.offer.catalogue.size);
});

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: 600_000, maxBuffer: 2 ** 24 };
    const child: ChildProcess = execFile(
      process.execPath,
      [launcher, ...args],
      options,
      (error, stdout, stderr) =>
        error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
    );
    child.stdin?.end();
  });
}
