import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  Client,
  type JSONRPCMessage,
  type JSONRPCNotification,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startConformanceServer } from '../conformance/mcp/server.ts';

// A client of the handshake era that knows only stdio, bridged to this server by mcp-remote, which
// speaks 2026-07-28 to it.

const bridge = fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js'));
const able = { elicitation: { form: {} }, sampling: {}, roots: {} };

suite('mcp-remote', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: able });
  const spoken: string[] = [];
  const came: JSONRPCMessage[] = [];
  let server: Awaited<ReturnType<typeof startConformanceServer>>;

  before(async () => {
    server = await startConformanceServer();
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { name: 'Ann' },
    }));
    const options = ['--protocol', 'auto', '--transport', 'http-only', '--debug'];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bridge, server.url.href, ...options],
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, MCP_REMOTE_CONFIG_DIR: folder },
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk) => spoken.push(String(chunk)));
    transport.onmessage = (message) => came.push(message);
    await client.connect(transport);
  });
  after(async () => {
    await client.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('speaks 2026-07-28 to this server', () => {
    assert.match(spoken.join(''), /2026-07-28/);
  });

  test('calls a tool', async () => {
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'test_simple_text'));
    const { content } = await client.callTool({ name: 'test_simple_text' });
    const text = 'This is a simple text response for testing.';
    assert.deepEqual(content, [{ type: 'text', text }]);
  });

  test('reads a resource and fills in a prompt', async () => {
    const { contents } = await client.readResource({ uri: 'test://static-text' });
    assert.equal(contents.length, 1);
    const args = { arg1: 'a', arg2: 'b' };
    const choice = { name: 'test_prompt_with_arguments', arguments: args };
    assert.equal((await client.getPrompt(choice)).messages.length, 1);
  });

  test('completes an argument', async () => {
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'te' },
    });
    assert.deepEqual(completion.values, ['test', 'testing']);
  });

  test('puts a question to the client as a request, and the answer into the next call', async () => {
    const { content } = await client.callTool({ name: 'test_input_required_result_elicitation' });
    assert.deepEqual(content, [{ type: 'text', text: 'Hello, Ann!' }]);
  });

  test('passes progress on', async () => {
    came.length = 0;
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => heard.push(progress);
    await client.callTool({ name: 'test_tool_with_progress' }, { onprogress });
    const answer = came.findIndex((message) => 'result' in message);
    const notices = came.slice(0, answer).filter(isProgress);
    assert.deepEqual(
      notices.map(({ params }) => params?.['progress']),
      [0, 50, 100],
    );
    // The client forgets who hears of progress as it reads the answer, and passes a notice on only
    // after that where one read brings both: it may miss the last ones, but none before those.
    assert.deepEqual(heard, [0, 50, 100].slice(0, heard.length));
  });

  test('passes a change of the tools on', async () => {
    const changed = Promise.withResolvers<void>();
    client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
    await client.callTool({ name: 'test_trigger_tool_change' });
    await changed.promise;
  });
});

function isProgress(message: JSONRPCMessage): message is JSONRPCNotification {
  return 'method' in message && message.method === 'notifications/progress';
}
