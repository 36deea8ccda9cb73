import assert from 'node:assert/strict';
import test from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type InputRequest, type InputRequests, InputRequired } from '#contract/client';
import { isObject } from '#contract/json';
import type { Prompt } from '#contract/prompt';
import { startInMemory, startInMemoryServer } from '../../in-memory-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { connect } from './session.ts';

// MCP 2025-11-25: what a server asks its client, asked by tools that know of no era.

const sessions = {};
const form: InputRequest = {
  method: 'elicitation/create',
  params: {
    message: 'Who are you?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
};
const page: InputRequest = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in', url: 'https://example.com/sign-in' },
};
const sampling: InputRequest = {
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
    maxTokens: 10,
  },
};
const roots: InputRequest = { method: 'roots/list' };

/** Asks everything at once, and gives back what came. */
function asking(name: string, requests: InputRequests) {
  return toolOf({ name }, async (_args, { answers }) => {
    if (answers.round === 0) throw new InputRequired(requests, { kept: true });
    const { responses, state } = answers;
    return {
      content: [{ type: 'text', text: 'answered' }],
      structuredContent: { responses, state },
    };
  });
}

/** Asks for a name and then for a colour, and keeps the name in between. */
const twice = toolOf({ name: 'twice' }, async (_args, { answers }) => {
  const { responses, state, round } = answers;
  if (round === 0) throw new InputRequired({ first: form });
  if (round === 1) throw new InputRequired({ second: form }, contentOf(responses['first']));
  const text = JSON.stringify([state, contentOf(responses['second'])]);
  return { content: [{ type: 'text', text }] };
});

const insatiable = toolOf({ name: 'insatiable' }, async () => {
  throw new InputRequired({ again: form });
});

const prompt: Prompt = {
  definition: { name: 'asking', access: ['mcp.tools'] },
  async get(_args, { answers }) {
    if (answers.round === 0) throw new InputRequired({ who: form });
    return { messages: [], description: JSON.stringify(answers.responses['who']) };
  },
};

function contentOf(response: unknown) {
  return isObject(response) && isObject(response['content'])
    ? String(response['content']['name'])
    : '';
}

const tools = [
  asking('form', { who: form }),
  asking('page', { open: page }),
  asking('all', { who: form, model: sampling, folders: roots }),
  twice,
  insatiable,
];

function answering(answer: (message: string) => ElicitResult) {
  return (client: Client) =>
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
}

const isNamed = answering(() => ({ action: 'accept', content: { name: 'Ada' } }));
const elicitation = { form: {} };

test('what a tool asks reaches the client as a request, and its answer the tool', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools });
  const { client } = await connect(t, url, { capabilities: { elicitation }, prepare: isNamed });
  const { structuredContent } = await client.callTool({ name: 'form' });
  const responses = { who: { action: 'accept', content: { name: 'Ada' } } };
  assert.deepEqual(structuredContent, { responses, state: { kept: true } });
});

test('declining is an answer too', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools });
  const prepare = answering(() => ({ action: 'decline' }));
  const { client } = await connect(t, url, { capabilities: { elicitation }, prepare });
  const { structuredContent } = await client.callTool({ name: 'form' });
  assert.deepEqual((structuredContent as { responses: object }).responses, {
    who: { action: 'decline' },
  });
});

test('elicitation, sampling and roots can be asked at once', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools });
  const { client } = await connect(t, url, {
    capabilities: { elicitation: {}, sampling: {}, roots: {} },
    prepare(client) {
      isNamed(client);
      client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => ({
        role: 'assistant',
        model: 'test',
        content: { type: 'text', text: `at most ${params.maxTokens}` },
      }));
      client.setRequestHandler(ListRootsRequestSchema, () => ({
        roots: [{ uri: 'file:///home' }],
      }));
    },
  });
  const { structuredContent } = await client.callTool({ name: 'all' });
  const { who, model, folders } = (structuredContent as { responses: Record<string, unknown> })
    .responses;
  assert.deepEqual(contentOf(who), 'Ada');
  assert.deepEqual((model as { content: object }).content, { type: 'text', text: 'at most 10' });
  assert.deepEqual(folders, { roots: [{ uri: 'file:///home' }] });
});

test('a page to open goes with an id of its own', async (t) => {
  const ids: unknown[] = [];
  const url = await startInMemoryServer(t, { sessions, tools });
  const { client } = await connect(t, url, {
    capabilities: { elicitation: { url: {} } },
    prepare: (client) =>
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        if (params.mode === 'url') ids.push(params.elicitationId, params.url);
        return { action: 'accept' };
      }),
  });
  await client.callTool({ name: 'page' });
  assert.match(String(ids[0]), /^[\w-]{36}$/);
  assert.equal(ids[1], 'https://example.com/sign-in');
});

test('a tool may ask again with what it has learnt, and keep it in between', async (t) => {
  const names = ['Ada', 'blue'];
  const url = await startInMemoryServer(t, { sessions, tools });
  const prepare = answering(() => ({ action: 'accept', content: { name: names.shift() ?? '' } }));
  const { client } = await connect(t, url, { capabilities: { elicitation }, prepare });
  const { content } = await client.callTool({ name: 'twice' });
  assert.deepEqual(content, [{ type: 'text', text: '["Ada","blue"]' }]);
});

test('a tool that never stops asking ends after a bounded number of rounds', async (t) => {
  let asked = 0;
  const url = await startInMemoryServer(t, { sessions, tools });
  const prepare = answering(() => {
    asked += 1;
    return { action: 'decline' };
  });
  const { client } = await connect(t, url, { capabilities: { elicitation }, prepare });
  await assert.rejects(client.callTool({ name: 'insatiable' }), { code: -32602 });
  assert.equal(asked, 21);
});

test('a prompt may ask as well', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools, prompts: [prompt] });
  const { client } = await connect(t, url, { capabilities: { elicitation }, prepare: isNamed });
  const { description } = await client.getPrompt({ name: 'asking' });
  assert.match(description ?? '', /Ada/);
});

test('a client that cannot be asked gets a tool error that says what it would have to declare', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools });
  const { client } = await connect(t, url);
  const { isError, content } = await client.callTool({ name: 'form' });
  assert.equal(isError, true);
  assert.match(JSON.stringify(content), /declares .*elicitation.*form/);
});

test('a client that opens no pages is told the address of the page', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools });
  const { client } = await connect(t, url, { capabilities: { elicitation }, prepare: isNamed });
  const { isError, content } = await client.callTool({ name: 'page' });
  assert.equal(isError, true);
  assert.match(JSON.stringify(content), /open https:\/\/example\.com\/sign-in/);
});

test('a client that answers with an error fails the call, not the session', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools, prompts: [prompt] });
  const prepare = answering(() => {
    throw new Error('the window was closed');
  });
  const { client } = await connect(t, url, { capabilities: { elicitation }, prepare });
  const { isError, content } = await client.callTool({ name: 'form' });
  assert.equal(isError, true);
  assert.match(JSON.stringify(content), /refused to answer: .*the window was closed/);
  await assert.rejects(client.getPrompt({ name: 'asking' }), /refused to answer/);
  assert.deepEqual(await client.ping(), {});
});

test('cancelling a call that waits for an answer takes the question back', async (t) => {
  const asked = Promise.withResolvers<AbortSignal>();
  let count = 0;
  const url = await startInMemoryServer(t, { sessions, tools });
  const { client } = await connect(t, url, {
    capabilities: { elicitation },
    prepare: (client) =>
      client.setRequestHandler(ElicitRequestSchema, async (_request, { signal }) => {
        count += 1;
        // The first question has the id 0, which this client never takes back.
        if (count === 1) return { action: 'decline' };
        asked.resolve(signal);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { action: 'cancel' };
      }),
  });
  await client.callTool({ name: 'form' });
  const leaving = new AbortController();
  const call = client.callTool({ name: 'form' }, undefined, { signal: leaving.signal });
  const signal = await asked.promise;
  leaving.abort();
  await assert.rejects(call);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  assert.deepEqual(await client.ping(), {});
});

test('a server that stops waits for no answer', async (t) => {
  const { url, mcp } = await startInMemory(t, { sessions, tools });
  const asked = Promise.withResolvers<void>();
  const { client } = await connect(t, url, {
    capabilities: { elicitation },
    prepare: (client) =>
      client.setRequestHandler(ElicitRequestSchema, async () => {
        asked.resolve();
        return new Promise<never>(() => {});
      }),
  });
  const call = client.callTool({ name: 'form' });
  await asked.promise;
  mcp.drain();
  await assert.rejects(call, /the server is stopping/);
});
