import {
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { ToolError } from '#contract/errors';
import type { Tool } from '#contract/tool';
import { callContext } from '../../runtime/outbound/harness.ts';
import { prompts, question, resources, resourceTemplates, tools } from './offer.ts';

/** The same offer, served by the official SDK; answers one request. */
export function createReference(): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(createServer, { onerror: () => {} });
  return (request) => handler.fetch(request);
}

function createServer(): McpServer {
  const server = new McpServer({ name: 'reference', version: '1.0.0' });
  for (const tool of tools) addTool(server, tool);
  for (const { definition, read } of resources) {
    const { uri, name, mimeType = 'text/plain' } = definition;
    server.registerResource(name, uri, { mimeType }, async () => ({
      contents: (await read(callContext())) as never,
    }));
  }
  for (const { definition, read } of resourceTemplates) {
    const complete = { id: (value: string) => ['a1', 'b2'].filter((id) => id.startsWith(value)) };
    const template = new ResourceTemplate(definition.uriTemplate, { list: undefined, complete });
    server.registerResource(definition.name, template, {}, async (uri, values) => ({
      contents: (await read(values as Record<string, string>, uri.href, callContext())) as never,
    }));
  }
  for (const { definition, get } of prompts) {
    const argsSchema = fromJsonSchema<Record<string, string>>({
      type: 'object',
      properties: { to: { type: 'string' }, tone: { type: 'string' } },
      required: ['to'],
      additionalProperties: false,
    });
    const { name, description = '' } = definition;
    server.registerPrompt(name, { description, argsSchema }, async (args) => {
      return (await get(args, callContext())) as never;
    });
  }
  return server;
}

function addTool(server: McpServer, { definition, call }: Tool): void {
  const { name, title, description, input, output, annotations } = definition;
  server.registerTool(
    name,
    {
      ...(title !== undefined && { title }),
      description,
      inputSchema: fromJsonSchema<Record<string, unknown>>(input),
      ...(output && { outputSchema: fromJsonSchema(output) }),
      annotations: { ...annotations },
    },
    async (args, { mcpReq }) => {
      if (name === 'test_asking' && !mcpReq.inputResponses?.['name']) {
        return inputRequired({ inputRequests: { name: question as never } });
      }
      try {
        const context = callContext({ answers: { responses: { name: {} }, round: 0 } });
        return (await call(args, context)) as never;
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        return { isError: true, content: [{ type: 'text', text: error.message }] };
      }
    },
  );
}
