import { defineProvider } from '#contract/provider';
import { relaxed } from '#contract/schema/relaxed';
import { defineTool, path } from '#contract/tool';

/** A vendor tool as the generator writes it. */
const thingsGet = defineTool<{ id: string }>({
  name: 'things_get',
  description: 'Read one thing',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  access: ['mcp.tools'],
  input: {
    type: 'object',
    properties: { id: { type: 'string', description: 'Thing id' } },
    required: ['id'],
    additionalProperties: false,
  },
  output: relaxed({
    id: 'string',
    name: 'string',
    state: 'string',
    owner: { id: 'integer', login: 'string' },
    updated_at: 'string',
  }),
  request: ({ id }) => ({ method: 'GET', path: path`/items/${id}` }),
  response: { drop: ['labels'] },
});

/** A vendor without limits, so that the engine is measured and not its patience. */
export const things = defineProvider({
  id: 'things',
  title: 'Things',
  status: 'beta',
  servers: [{ id: 'main', url: 'https://things.example' }],
  auth: [{ type: 'none' }],
  tools: { things_get: async () => thingsGet },
});

export { thingsGet };
