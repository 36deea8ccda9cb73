import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Tool } from '#contract/tool';
import { searchFront } from '../../../surfaces/search/search-server.ts';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { legacy, modern, rpc } from '../rpc.ts';
import { inSession, open, opening, say } from '../sessions/session.ts';

const clientInfoKey = 'io.modelcontextprotocol/clientInfo';

/** Gives back what it was called with. */
const mirror: Tool = toolOf(
  {
    name: 'test_mirror',
    input: {
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 2 },
        note: { type: ['string', 'null'] },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['id'],
      anyOf: [{ required: ['note'] }, { required: ['labels'] }],
      additionalProperties: false,
    },
    output: { type: 'array' },
  },
  async (args) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
);

interface Listed {
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: unknown;
}

function schemasOf({ body }: Awaited<ReturnType<typeof modern>>): Listed {
  const [tool] = (body.result?.['tools'] ?? []) as Listed[];
  assert.ok(tool);
  return tool;
}

function at(url: URL, profile: string): URL {
  return new URL(`?profile=${profile}`, url);
}

function textOf({ body }: Awaited<ReturnType<typeof modern>>): string {
  const [block] = (body.result?.['content'] ?? []) as { text: string }[];
  return block?.text ?? '';
}

function call(args: object) {
  return { method: 'tools/call', params: { name: 'test_mirror', arguments: args } };
}

/** The input schema that a client of each era is shown under a name, in a session where it has one. */
async function shownTo(t: TestContext, name: string | undefined): Promise<readonly Listed[]> {
  const url = await startInMemoryServer(t, { tools: [mirror] });
  const sessions = await startInMemoryServer(t, { tools: [mirror], sessions: {} });
  const clientInfo = name === undefined ? undefined : { name, version: '1' };
  const list = {
    method: 'tools/list',
    ...(clientInfo && { _meta: { [clientInfoKey]: clientInfo } }),
  };
  const { params } = opening;
  const { headers } = await legacy(sessions, {
    ...opening,
    params: { ...params, ...(clientInfo && { clientInfo }) },
  });
  const inside = inSession(String(headers['mcp-session-id']));
  return [
    schemasOf(await modern(url, list)),
    schemasOf(await legacy(sessions, { method: 'tools/list', id: 2 }, inside)),
  ];
}

for (const name of [
  undefined,
  'constructor',
  '__proto__',
  'claude-code',
  'Claude-AI (via mcp-remote 0.1.37)',
  'some-client-nobody-knows/1.0',
  'not-mcp-inspector',
  '(mcp-inspector)',
  'x'.repeat(10_000),
]) {
  const who = name === undefined ? 'no name' : `the name ${JSON.stringify(name.slice(0, 40))}`;
  test(`a client with ${who} gets schemas without combinations at the root`, async (t) => {
    for (const { inputSchema, outputSchema } of await shownTo(t, name)) {
      assert.equal(inputSchema['anyOf'], undefined);
      assert.deepEqual(inputSchema['required'], ['id']);
      assert.equal(outputSchema, undefined);
    }
  });
}

for (const name of ['mcp-inspector', ' MCP-Inspector', 'Mcp-Inspector (via mcp-remote 0.1.37)']) {
  test(`a client called ${JSON.stringify(name)} is known to take exact schemas`, async (t) => {
    const [first, second] = await shownTo(t, name);
    for (const shown of [first, second])
      assert.deepEqual(shown?.inputSchema, mirror.definition.input);
    assert.deepEqual(first?.outputSchema, { type: 'array' });
    // Clients of the handshake era refuse a whole list for one output that is no object.
    assert.equal(second?.outputSchema, undefined);
  });
}

test('a client of the handshake era without a session has no name', async (t) => {
  const url = await startInMemoryServer(t, { tools: [mirror] });
  const { inputSchema } = schemasOf(await legacy(url, { method: 'tools/list' }));
  assert.equal(inputSchema['anyOf'], undefined);
});

test('the address decides, whatever the name, in each era', async (t) => {
  const url = await startInMemoryServer(t, { tools: [mirror] });
  const _meta = { [clientInfoKey]: { name: 'claude-code', version: '2' } };
  const list = { method: 'tools/list', _meta };
  assert.ok(schemasOf(await modern(at(url, 'exact'), list)).inputSchema['anyOf']);
  assert.ok(schemasOf(await modern(at(url, 'sdk-v1'), list)).inputSchema['anyOf']);
  assert.equal(schemasOf(await modern(at(url, 'sdk-v1'), list)).outputSchema, undefined);
  for (const ask of [modern, legacy]) {
    const { inputSchema } = schemasOf(await ask(at(url, 'openai-strict'), list));
    assert.deepEqual(inputSchema['required'], ['id', 'note', 'labels']);
  }
  assert.equal(schemasOf(await legacy(at(url, 'exact'), list)).outputSchema, undefined);
});

test('the address decides for a session too', async (t) => {
  const url = at(await startInMemoryServer(t, { tools: [mirror], sessions: {} }), 'openai-strict');
  const id = await open(url);
  const { inputSchema } = schemasOf(await say(url, id, { method: 'tools/list', id: 2 }));
  assert.deepEqual(inputSchema['required'], ['id', 'note', 'labels']);
  const answer = await say(url, id, {
    ...call({ id: 'ab', note: null, labels: '{"a":"b"}' }),
    id: 3,
  });
  assert.equal(textOf(answer), '{"id":"ab","labels":{"a":"b"}}');
});

test('an unknown form is 400 with the list of those that there are', async (t) => {
  const url = await startInMemoryServer(t, { tools: [mirror] });
  for (const wrong of ['openai', '', 'exact&profile=exact', '__proto__']) {
    const { status, body } = await rpc(at(url, wrong), {});
    assert.equal(status, 400);
    assert.match(String(body.error?.message), /exact, anthropic, openai-strict, sdk-v1/);
  }
});

test('arguments in the strict form are read, checked exactly, and refused in its terms', async (t) => {
  const url = at(await startInMemoryServer(t, { tools: [mirror] }), 'openai-strict');
  const read = async (args: object) => textOf(await modern(url, call(args)));
  assert.equal(
    await read({ id: 'ab', note: null, labels: '{"a":"b"}' }),
    '{"id":"ab","labels":{"a":"b"}}',
  );
  assert.equal(
    await read({ id: 'ab', note: { explicit_null: true }, labels: null }),
    '{"id":"ab","note":null}',
  );
  assert.equal(await read({ id: 'ab', labels: { a: 'b' } }), '{"id":"ab","labels":{"a":"b"}}');
  assert.match(
    await read({ id: 'ab', note: null, labels: '{a' }),
    /- labels: must be JSON text, but "\{a" was given/,
  );
  assert.match(
    await read({ id: 'ab', note: null, labels: `[${'{},'.repeat(60_000)}{}]` }),
    /- labels: with it, JSON texts hold more than 50000 values/,
  );
  assert.match(
    await read({ id: 'ab', note: null, labels: '['.repeat(200) }),
    /- labels: its JSON text is nested deeper than 128 levels/,
  );
  assert.match(
    await read({ id: 'ab', note: 'n', labels: '{"a":1}' }),
    /labels\.a: must be of type string[\s\S]*null leaves an argument out/,
  );
  assert.match(
    await read({ id: 'a', note: 'n', labels: null }),
    /- id: must NOT have fewer than 2 characters/,
  );
});

test('nothing is read for clients of the other forms', async (t) => {
  const url = await startInMemoryServer(t, { tools: [mirror] });
  for (const form of ['exact', 'anthropic', 'sdk-v1']) {
    const answer = await modern(at(url, form), call({ id: 'ab', note: null }));
    assert.equal(textOf(answer), '{"id":"ab","note":null}');
    assert.match(
      textOf(await modern(at(url, form), call({ id: 'ab', labels: '{}' }))),
      /labels: must be of type object/,
    );
  }
});

test('a search describes tools in the form in which it takes their arguments', async (t) => {
  const url = at(
    await startInMemoryServer(t, { tools: [mirror], front: searchFront }),
    'openai-strict',
  );
  const ask = (name: string, args: object) =>
    modern(url, { method: 'tools/call', params: { name, arguments: args } });
  const described = await ask('tool_describe', { names: ['test_mirror'] });
  const { tools } = (described.body.result?.['structuredContent'] ?? {}) as { tools: Listed[] };
  assert.deepEqual(tools[0]?.inputSchema['required'], ['id', 'note', 'labels']);
  const inner = JSON.stringify({ id: 'ab', note: null, labels: '{"a":"b"}' });
  const called = await ask('tool_call', { name: 'test_mirror', arguments: inner });
  assert.equal(textOf(called), '{"id":"ab","labels":{"a":"b"}}');
});
