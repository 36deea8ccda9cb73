import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallResult } from './verdict/judge.ts';

/** A tool as a client sees it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
}

/** A connection to an MCP server that leaves judging to the harness. */
export interface ToolsClient {
  list(): Promise<readonly ListedTool[]>;
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<CallResult>;
  close(): Promise<void>;
}

/** Connect the official client of the first generation, which waits so many milliseconds for a result. */
export async function connectTools(url: URL, timeout: number): Promise<ToolsClient> {
  const client = new Client({ name: 'contract', version: '1.0.0' });
  // Its declarations are not written for exactOptionalPropertyTypes.
  await client.connect(new StreamableHTTPClientTransport(url) as Transport);
  return {
    async list() {
      const tools: ListedTool[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.request(
          { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
          ListToolsResultSchema,
        );
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    async call(name, args) {
      const params = { name, arguments: args };
      try {
        return await client.request({ method: 'tools/call', params }, CallToolResultSchema, {
          timeout,
        });
      } catch (error) {
        return { isError: true, content: [{ type: 'text', text: String(error) }] };
      }
    },
    close: () => client.close(),
  };
}
