import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Prompt } from '#contract/prompt';
import type { ResourceTemplate } from '#contract/resource';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { legacy, modern } from '../rpc.ts';

// MCP 2026-07-28, prompts and completion.

const access = ['mcp.tools'];
const words = Array.from({ length: 120 }, (_, index) => `word${index}`);
const letter: Prompt = {
  definition: {
    name: 'letter',
    description: 'Write a letter',
    access,
    arguments: [{ name: 'to', required: true }, { name: 'tone' }],
  },
  get: async ({ to, tone = 'plain' }) => ({
    description: 'A letter',
    messages: [{ role: 'user', content: { type: 'text', text: `to ${to}, ${tone}` } }],
  }),
  complete: async (argument, value, settled) =>
    argument === 'tone' ? [`${settled['to'] ?? 'nobody'}-${value}`] : words,
};
const silent: Prompt = { definition: { name: 'silent', access }, get: letter.get };
const template: ResourceTemplate = {
  definition: { uriTemplate: 'test://{id}', name: 'thing', access },
  read: async () => undefined,
  complete: async (_argument, value) => ['a1', 'b2'].filter((id) => id.startsWith(value)),
};

function start(t: TestContext): Promise<URL> {
  return startInMemoryServer(t, { prompts: [letter, silent], resourceTemplates: [template] });
}

const get = (params: Readonly<Record<string, unknown>>) => ({ method: 'prompts/get', params });

test('prompts are listed with their arguments and caching fields', async (t) => {
  const { body } = await modern(await start(t), { method: 'prompts/list' });
  const { access: _, ...shown } = letter.definition;
  assert.deepEqual(body.result?.['prompts'], [shown, { name: 'silent' }]);
  assert.equal(body.result['cacheScope'], 'private');
  assert.ok(Number.isInteger(body.result['ttlMs']));
});

test('a prompt is filled in, and the result is not to be kept', async (t) => {
  const url = await start(t);
  const message = get({ name: 'letter', arguments: { to: 'Ann' } });
  const { body } = await modern(url, message);
  const content = { type: 'text', text: 'to Ann, plain' };
  assert.deepEqual(body.result?.['messages'], [{ role: 'user', content }]);
  assert.equal(body.result['resultType'], 'complete');
  assert.equal('ttlMs' in body.result, false);
  const { body: old } = await legacy(url, message);
  assert.deepEqual(Object.keys(old.result ?? {}), ['description', 'messages']);
});

const wrong: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { name: 7 },
  { name: 'lettr' },
  { name: '__proto__' },
  { name: 'letter' },
  { name: 'letter', arguments: { tone: 'x' } },
  { name: 'letter', arguments: { to: 7 } },
  { name: 'letter', arguments: [] },
  { name: 'letter', arguments: { to: 'Ann', from: 'Bob' } },
];
for (const params of wrong) {
  test(`prompts/get ${JSON.stringify(params)} is 200 and -32602`, async (t) => {
    const url = await start(t);
    const { status, body } = await modern(url, get(params));
    assert.equal(status, 200);
    assert.equal(body.error?.code, -32602);
    assert.equal((await legacy(url, get(params))).body.error?.code, -32602);
  });
}

test('Mcp-Name is the name of the prompt', async (t) => {
  const message = get({ name: 'letter', arguments: { to: 'Ann' } });
  const { status, body } = await modern(await start(t), message, { 'mcp-name': 'silent' });
  assert.equal(status, 400);
  assert.equal(body.error?.code, -32020);
});

type Asked = Readonly<Record<string, unknown>>;
const prompt = { type: 'ref/prompt', name: 'letter' };
const resource = { type: 'ref/resource', uri: 'test://{id}' };

const completions: readonly (readonly [params: Asked, completion: object])[] = [
  [
    { ref: prompt, argument: { name: 'to', value: 'w' } },
    { values: words.slice(0, 100), total: 120, hasMore: true },
  ],
  [
    {
      ref: prompt,
      argument: { name: 'tone', value: 'x' },
      context: { arguments: { to: 'Ann' } },
    },
    { values: ['Ann-x'], total: 1, hasMore: false },
  ],
  [
    { ref: resource, argument: { name: 'id', value: 'b' } },
    { values: ['b2'], total: 1, hasMore: false },
  ],
  [
    { ref: { type: 'ref/prompt', name: 'silent' }, argument: { name: 'to', value: '' } },
    { values: [], total: 0, hasMore: false },
  ],
];
for (const [params, completion] of completions) {
  test(`completion of ${JSON.stringify(params)}`, async (t) => {
    const url = await start(t);
    const message = { method: 'completion/complete', params };
    assert.deepEqual((await modern(url, message)).body.result?.['completion'], completion);
    assert.deepEqual((await legacy(url, message)).body.result, { completion });
  });
}

const argument = { name: 'to', value: '' };
for (const params of [
  {},
  { ref: prompt },
  { ref: { type: 'ref/tool', name: 'letter' }, argument },
  { ref: { type: 'ref/prompt', name: 'nothing' }, argument },
  { ref: { type: 'ref/resource', uri: 'test://nothing' }, argument },
  { ref: { type: 'ref/resource', name: 'letter' }, argument },
  { ref: prompt, argument: { name: 'to' } },
  { ref: prompt, argument: { name: 'to', value: 7 } },
  { ref: prompt, argument, context: { arguments: { a: 1 } } },
  { ref: prompt, argument, context: 'x' },
]) {
  test(`completion of ${JSON.stringify(params)} is 200 and -32602`, async (t) => {
    const { status, body } = await modern(await start(t), {
      method: 'completion/complete',
      params,
    });
    assert.equal(status, 200);
    assert.equal(body.error?.code, -32602);
  });
}

test('nothing is suggested to whoever may not use what it is for', async (t) => {
  const caller = { tenant: 't', subject: 's', client: 'c', scopes: new Set(['audit.read']) };
  const authenticate = () => ({ ...caller, transport: 'mcp' }) as const;
  const offer = { prompts: [letter], resourceTemplates: [template] };
  const url = await startInMemoryServer(t, { ...offer, authenticate });
  for (const ref of [prompt, resource]) {
    const params = { ref, argument };
    const { body } = await modern(url, { method: 'completion/complete', params });
    assert.equal(body.error?.code, -32602);
    assert.match(String(body.error?.message), /^there is no ref\//);
  }
});
