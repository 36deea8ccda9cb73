import assert from 'node:assert/strict';
import test from 'node:test';
import { startInMemoryServer } from '../runtime/in-memory-server.ts';
import { echo, failing } from '../runtime/in-memory-tools.ts';
import { inspect } from './inspector.ts';

test('mcp-inspector lists the tools', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo, failing] });
  const { tools } = JSON.parse(await inspect(url, '--method', 'tools/list'));
  assert.deepEqual(
    tools.map((tool: { name: string }) => tool.name),
    ['test_echo', 'test_failing'],
  );
});

test('mcp-inspector calls a tool', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo, failing] });
  const call = ['--method', 'tools/call', '--tool-name', 'test_echo', '--tool-arg', 'text=hello'];
  const { content } = JSON.parse(await inspect(url, ...call));
  assert.deepEqual(content, [{ type: 'text', text: 'hello' }]);
});

test('mcp-inspector sees a tool fail', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo, failing] });
  const call = ['--method', 'tools/call', '--tool-name', 'test_failing'];
  assert.equal(JSON.parse(await inspect(url, ...call)).isError, true);
});
