import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type InputRequest, InputRequired, MissingCapability } from '#contract/client';
import type { Prompt } from '#contract/prompt';
import type { Resource } from '#contract/resource';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { legacy, modern, type RpcAnswer } from '../rpc.ts';

// MCP 2026-07-28, multi round-trip requests.

const form: InputRequest = {
  method: 'elicitation/create',
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
};
const page: InputRequest = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Open this', url: 'https://example.com/' },
};
const sampling: InputRequest = { method: 'sampling/createMessage', params: { messages: [] } };
const roots: InputRequest = { method: 'roots/list' };

const access = ['mcp.tools'];
const withText = { type: 'object', properties: { text: { type: 'string' } } };

/** Asks once, and then tells what came back. */
function asking(name: string, request: InputRequest = form) {
  return toolOf({ name, input: withText }, async (_args, { answers }) => {
    const { responses, state, round } = answers;
    if (!Object.hasOwn(responses, 'ok')) throw new InputRequired({ ok: request }, { secret: 42 });
    const structuredContent = { answer: responses['ok'], state, round };
    return { content: [{ type: 'text', text: 'answered' }], structuredContent };
  });
}

const needy = toolOf({ name: 'needy' }, async () => {
  throw new MissingCapability({ sampling: {} });
});
const prompt: Prompt = {
  definition: { name: 'asking', access },
  async get(_args, { answers }) {
    if (!answers.responses['ok']) throw new InputRequired({ ok: form });
    return { messages: [] };
  },
};
const resource: Resource = {
  definition: { uri: 'test://asking', name: 'asking', access },
  async read({ answers }) {
    if (!answers.responses['ok']) throw new InputRequired({ ok: form });
    return [{ uri: 'test://asking', text: 'answered' }];
  },
};

interface StartOptions {
  readonly subjects?: string[];
}

function start(t: TestContext, { subjects = ['s'] }: StartOptions = {}): Promise<URL> {
  return startInMemoryServer(t, {
    tools: [
      asking('one'),
      asking('two'),
      asking('url', page),
      asking('sample', sampling),
      asking('roots', roots),
      needy,
    ],
    prompts: [prompt],
    resources: [resource],
    authenticate: () => ({
      tenant: 't',
      subject: (subjects.length > 1 ? subjects.shift() : subjects[0]) ?? 's',
      client: 'c',
      scopes: 'all',
      transport: 'mcp',
    }),
  });
}

const able = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const answered = { inputResponses: { ok: { action: 'accept', content: {} } } };

function ask(
  url: URL,
  method: string,
  params: object,
  capabilities: object = able,
): Promise<RpcAnswer> {
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
  return modern(url, { method, params: params as Record<string, unknown>, _meta });
}

const call = (url: URL, params: object, capabilities?: object) =>
  ask(url, 'tools/call', params, capabilities);

async function stateOf(url: URL, params: object = { name: 'one' }): Promise<string> {
  return String((await call(url, params)).body.result?.['requestState']);
}

for (const [method, params] of [
  ['tools/call', { name: 'one' }],
  ['prompts/get', { name: 'asking' }],
  ['resources/read', { uri: 'test://asking' }],
] as const) {
  test(`${method} may ask, and goes on with the answer`, async (t) => {
    const url = await start(t);
    const { status, body } = await ask(url, method, params);
    assert.equal(status, 200);
    const { resultType, inputRequests, requestState, _meta, ...rest } = body.result ?? {};
    assert.equal(resultType, 'input_required');
    assert.deepEqual(inputRequests, { ok: form });
    assert.deepEqual(Object.keys(_meta as object), ['io.modelcontextprotocol/serverInfo']);
    // Neither caching fields nor a part of the result.
    assert.deepEqual(rest, {});
    const second = await ask(url, method, { ...params, ...answered, requestState });
    assert.equal(second.body.result?.['resultType'], 'complete');
  });
}

test('the state comes back to whoever asked, and the client cannot read it as it is', async (t) => {
  const url = await start(t);
  const requestState = await stateOf(url);
  const { body } = await call(url, { name: 'one', ...answered, requestState });
  assert.deepEqual(body.result?.['structuredContent'], {
    answer: { action: 'accept', content: {} },
    state: { secret: 42 },
    round: 1,
  });
});

test('an answer without state is taken where none is needed', async (t) => {
  const { body } = await call(await start(t), { name: 'one', ...answered });
  assert.equal(body.result?.['resultType'], 'complete');
});

for (const inputResponses of [{}, { other: { action: 'accept' } }]) {
  test(`with the answers ${JSON.stringify(inputResponses)} the server asks again`, async (t) => {
    const url = await start(t);
    const requestState = await stateOf(url);
    const { body } = await call(url, { name: 'one', inputResponses, requestState });
    assert.equal(body.result?.['resultType'], 'input_required');
  });
}

test('answers that nobody asked for are ignored', async (t) => {
  const inputResponses = { ...answered.inputResponses, other: { x: 1 }, constructor: {} };
  const { body } = await call(await start(t), { name: 'one', inputResponses });
  assert.equal(body.result?.['resultType'], 'complete');
});

for (const params of [
  { inputResponses: null },
  { inputResponses: [] },
  { inputResponses: 'x' },
  { inputResponses: { ok: 7 } },
  { inputResponses: { ok: null } },
  { requestState: 7 },
  { requestState: null },
]) {
  test(`badly typed ${JSON.stringify(params)} is 200 and -32602`, async (t) => {
    const { status, body } = await call(await start(t), { name: 'one', ...params });
    assert.equal(status, 200);
    assert.equal(body.error?.code, -32602);
  });
}

const forgeries: Readonly<Record<string, (state: string) => string>> = {
  'another end': (state) => `${state}x`,
  'another mac': (state) => `${state.slice(0, -4)}AAAA`,
  'another payload': (state) => `e30${state.slice(3)}`,
  'no mac': (state) => state.split('.')[0] ?? '',
  'three parts': (state) => `${state}.${state}`,
  nothing: () => '',
  'a long text': () => 'a'.repeat(100_000),
};
for (const [what, forge] of Object.entries(forgeries)) {
  test(`a state with ${what} is 200 and -32602`, async (t) => {
    const url = await start(t);
    const requestState = forge(await stateOf(url));
    const { status, body } = await call(url, { name: 'one', ...answered, requestState });
    assert.equal(status, 200);
    assert.equal(body.error?.code, -32602);
  });
}

test('a state is worth nothing with another tool, other arguments or another method', async (t) => {
  const url = await start(t);
  const requestState = await stateOf(url);
  const text = 'changed';
  const elsewhere = [
    await call(url, { name: 'two', ...answered, requestState }),
    await call(url, { name: 'one', arguments: { text }, ...answered, requestState }),
    await ask(url, 'prompts/get', { name: 'asking', ...answered, requestState }),
  ];
  for (const { body } of elsewhere) assert.equal(body.error?.code, -32602);
});

test('the order of arguments does not matter to a state', async (t) => {
  const url = await start(t);
  const state = await stateOf(url, { name: 'one', arguments: { text: 'x', more: 1 } });
  const retry = {
    name: 'one',
    arguments: { more: 1, text: 'x' },
    ...answered,
    requestState: state,
  };
  assert.equal((await call(url, retry)).body.result?.['resultType'], 'complete');
});

for (const text of ['"\\ud800"', '1e400', '{"__proto__":{"x":1}}']) {
  test(`a state can be bound to the argument ${text}`, async (t) => {
    const url = await start(t);
    const argument = JSON.parse(text);
    const target = { name: 'one', arguments: { argument } };
    const requestState = await stateOf(url, target);
    const retry = await call(url, { ...target, ...answered, requestState });
    assert.equal(retry.body.result?.['resultType'], 'complete');
    const other = { name: 'one', arguments: { argument: 1 } };
    const { body } = await call(url, { ...other, ...answered, requestState });
    assert.equal(body.error?.code, -32602);
  });
}

test('a state is worth nothing to somebody else', async (t) => {
  const url = await start(t, { subjects: ['ann', 'bob'] });
  const requestState = await stateOf(url);
  const { body } = await call(url, { name: 'one', ...answered, requestState });
  assert.equal(body.error?.code, -32602);
});

const lacking: readonly (readonly [tool: string, capabilities: object, required: object])[] = [
  ['one', {}, { elicitation: { form: {} } }],
  ['one', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  ['url', { elicitation: {} }, { elicitation: { url: {} } }],
  ['url', { elicitation: { form: {} } }, { elicitation: { url: {} } }],
  ['sample', { elicitation: {} }, { sampling: {} }],
  ['roots', { sampling: {} }, { roots: {} }],
  ['needy', {}, { sampling: {} }],
];
for (const [tool, capabilities, requiredCapabilities] of lacking) {
  test(`${tool} with ${JSON.stringify(capabilities)} is 400 and -32021`, async (t) => {
    const { status, body } = await call(await start(t), { name: tool }, capabilities);
    assert.equal(status, 400);
    assert.equal(body.error?.code, -32021);
    assert.deepEqual(body.error.data, { requiredCapabilities });
    assert.equal(body.id, 1);
  });
}

test('elicitation without a mode stands for forms', async (t) => {
  const { body } = await call(await start(t), { name: 'one' }, { elicitation: {} });
  assert.equal(body.result?.['resultType'], 'input_required');
});

test('a client of the handshake era without a session is told that it cannot be asked', async (t) => {
  const url = await start(t);
  const { status, body } = await legacy(url, { method: 'tools/call', params: { name: 'one' } });
  assert.equal(status, 200);
  assert.equal(body.result?.['isError'], true);
});

test('such a client is told which page to open', async (t) => {
  const url = await start(t);
  const { text } = await legacy(url, { method: 'tools/call', params: { name: 'url' } });
  assert.match(text, /open https:\/\/example\.com\/ and try again/);
});

for (const message of [
  { method: 'prompts/get', params: { name: 'asking' } },
  { method: 'resources/read', params: { uri: 'test://asking' } },
]) {
  test(`${message.method} of such a client is an error, not a result of a tool`, async (t) => {
    const { body } = await legacy(await start(t), message);
    assert.equal(body.result, undefined);
    assert.ok(body.error);
  });
}
