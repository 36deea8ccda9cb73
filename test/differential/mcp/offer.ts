import { type InputRequest, InputRequired } from '#contract/client';
import type { Prompt } from '#contract/prompt';
import type { Resource, ResourceTemplate } from '#contract/resource';
import type { Tool } from '#contract/tool';
import { broken, echo, failing, toolOf } from '../../runtime/in-memory-tools.ts';

// What both servers offer.

const access = ['mcp.tools'];

export const question: InputRequest = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'What is your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
};

/** Takes any arguments: a question is bound to them. */
const anything = { type: 'object' };

const asking = toolOf({ name: 'test_asking', input: anything }, async (_args, { answers }) => {
  if (!answers.responses['name']) throw new InputRequired({ name: question });
  return { content: [{ type: 'text', text: 'thank you' }] };
});

const mirroring = toolOf({
  name: 'test_mirroring',
  input: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      shard: { type: 'integer', 'x-mcp-header': 'Shard' },
    },
  },
});

export const tools: readonly Tool[] = [echo, failing, broken, asking, mirroring];

export const resources: readonly Resource[] = [
  {
    definition: { uri: 'test://note', name: 'note', mimeType: 'text/plain', access },
    read: async () => [{ uri: 'test://note', mimeType: 'text/plain', text: 'hello' }],
  },
];

export const resourceTemplates: readonly ResourceTemplate[] = [
  {
    definition: { uriTemplate: 'test://page/{id}', name: 'page', access },
    read: async ({ id }, uri) => [{ uri, text: `page ${id}` }],
    complete: async (_argument, value) => ['a1', 'b2'].filter((id) => id.startsWith(value)),
  },
];

export const prompts: readonly Prompt[] = [
  {
    definition: {
      name: 'letter',
      description: 'Write a letter',
      arguments: [{ name: 'to', required: true }, { name: 'tone' }],
      access,
    },
    get: async ({ to }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `to ${to}` } }],
    }),
  },
];
