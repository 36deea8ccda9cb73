import assert from 'node:assert/strict';
import test from 'node:test';
import { prompts } from '../conformance/mcp/prompts.ts';
import { resources, resourceTemplates } from '../conformance/mcp/resources.ts';
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

test('mcp-inspector reads resources and fills in prompts', async (t) => {
  const url = await startInMemoryServer(t, { resources, resourceTemplates, prompts });
  const listed = JSON.parse(await inspect(url, '--method', 'resources/list'));
  assert.equal(listed.resources.length, 3);
  const templates = JSON.parse(await inspect(url, '--method', 'resources/templates/list'));
  assert.equal(templates.resourceTemplates.length, 1);
  const read = ['--method', 'resources/read', '--uri', 'test://static-text'];
  const { contents } = JSON.parse(await inspect(url, ...read));
  assert.equal(contents[0].text, 'This is the content of the static text resource.');
  const get = ['--method', 'prompts/get', '--prompt-name', 'test_prompt_with_arguments'];
  const args = ['--prompt-args', 'arg1=a', 'arg2=b'];
  const { messages } = JSON.parse(await inspect(url, ...get, ...args));
  assert.equal(messages[0].content.text, "Prompt with arguments: arg1='a', arg2='b'");
});
