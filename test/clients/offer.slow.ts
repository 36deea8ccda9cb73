import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { askingTools } from '../conformance/mcp/asking-tools.ts';
import { contentTools } from '../conformance/mcp/content-tools.ts';
import { prompts } from '../conformance/mcp/prompts.ts';
import { resources, resourceTemplates } from '../conformance/mcp/resources.ts';
import { startInMemoryServer } from '../runtime/in-memory-server.ts';
import { type AnyClient, connectFirst, connectSecond, type Mode } from './connect.ts';

// Clients that we did not write read resources, fill in prompts, complete arguments and answer
// questions.

const tools = [...contentTools, ...askingTools];

function start(t: TestContext): Promise<URL> {
  return startInMemoryServer(t, { tools, resources, resourceTemplates, prompts });
}

const clients: readonly (readonly [name: string, connect: (url: URL) => Promise<AnyClient>])[] = [
  ['@modelcontextprotocol/client, auto', (url) => connectSecond(url, 'auto')],
  ['@modelcontextprotocol/client, legacy', (url) => connectSecond(url, 'legacy')],
  ['@modelcontextprotocol/client, pinned', (url) => connectSecond(url, { pin: '2026-07-28' })],
  ['@modelcontextprotocol/sdk', connectFirst],
];

for (const [name, connect] of clients) {
  const connected = async (t: TestContext) => {
    const client = await connect(await start(t));
    t.after(() => client.close());
    return client;
  };

  test(`${name} lists and reads resources`, async (t) => {
    const client = await connected(t);
    const listed = await client.listResources();
    assert.deepEqual(
      listed.resources.map(({ uri }) => uri),
      ['test://static-text', 'test://static-binary', 'test://watched-resource'],
    );
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
    const uri = 'test://template/123/data';
    const { contents } = await client.readResource({ uri });
    const text = '{"id":"123","templateTest":true,"data":"Data for ID: 123"}';
    assert.deepEqual(contents, [{ uri, mimeType: 'application/json', text }]);
  });

  test(`${name} is told that there is no such resource`, async (t) => {
    const client = await connected(t);
    // The second generation shows the code of the handshake era as the one of today.
    const code = name === '@modelcontextprotocol/sdk' ? -32002 : -32602;
    await assert.rejects(client.readResource({ uri: 'test://nothing' }), { code });
  });

  test(`${name} lists prompts and fills them in`, async (t) => {
    const client = await connected(t);
    assert.equal((await client.listPrompts()).prompts.length, prompts.length);
    const choice = { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'ü' } };
    const { messages } = await client.getPrompt(choice);
    const content = { type: 'text', text: "Prompt with arguments: arg1='a', arg2='ü'" };
    assert.deepEqual(messages, [{ role: 'user', content }]);
    await assert.rejects(client.getPrompt({ name: choice.name }), { code: -32602 });
  });

  test(`${name} completes arguments`, async (t) => {
    const client = await connected(t);
    const prompt = await client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'te' },
    });
    const values = ['test', 'testing'];
    assert.deepEqual(prompt.completion, { values, total: 2, hasMore: false });
    const template = await client.complete({
      ref: { type: 'ref/resource', uri: 'test://template/{id}/data' },
      argument: { name: 'id', value: '12' },
    });
    assert.deepEqual(template.completion, { values: ['123', '124'], total: 2, hasMore: false });
  });

  test(`${name} repeats in headers what the tool asks it to`, async (t) => {
    const client = await connected(t);
    await client.listTools();
    const args = { region: ' Zürich ', shard: 7, urgent: true, note: 'x' };
    const result = await client.callTool({ name: 'test_custom_headers', arguments: args });
    const { content } = result as { content: { text: string }[] };
    assert.deepEqual(JSON.parse(content[0]?.text ?? ''), args);
  });
}

const able = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** A client whose user and model answer whatever they are asked. */
async function answering(t: TestContext, mode: Mode): Promise<Client> {
  const client = await connectSecond(await start(t), mode, able);
  t.after(() => client.close());
  client.setRequestHandler('elicitation/create', ({ params }) => {
    const schema = 'requestedSchema' in params ? params.requestedSchema : undefined;
    const fields = Object.keys(schema?.properties ?? {});
    const content = Object.fromEntries(fields.map((field) => [field, `my ${field}`]));
    return { action: 'accept', content };
  });
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Paris' },
    model: 'test',
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
  return client;
}

const answers: readonly (readonly [tool: string, text: RegExp])[] = [
  ['elicitation', /^Hello, my name!$/],
  ['sampling', /^Paris$/],
  ['list_roots', /file:\/\/\/home/],
  ['multiple_inputs', /^Paris my name$/],
  ['multi_round', /^my name likes my color$/],
];
for (const mode of ['auto', { pin: '2026-07-28' }] as const) {
  const name = `@modelcontextprotocol/client, ${typeof mode === 'string' ? mode : 'pinned'}`;

  for (const [tool, expected] of answers) {
    test(`${name} answers ${tool} and gets the result`, async (t) => {
      const client = await answering(t, mode);
      const result = await client.callTool({ name: `test_input_required_result_${tool}` });
      const [block] = result.content;
      assert.match(block?.type === 'text' ? block.text : '', expected);
    });
  }

  test(`${name} answers the question of a prompt`, async (t) => {
    const client = await answering(t, mode);
    const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
    const content = { type: 'text', text: 'Use this context: my context' };
    assert.deepEqual(messages, [{ role: 'user', content }]);
  });

  test(`${name} hears log messages once it names a level`, async (t) => {
    const client = await answering(t, mode);
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      heard.push(params.data);
    });
    await client.callTool({ name: 'test_tool_with_logging' });
    assert.deepEqual(heard, []);
    const _meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    await client.callTool({ name: 'test_tool_with_logging', _meta });
    assert.equal(heard.length, 3);
  });
}
