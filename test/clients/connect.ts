import {
  Client,
  type ClientCapabilities,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

const info = { name: 'test', version: '1.0.0' };

/** What every generation of the official client can do. */
export interface AnyClient {
  listTools(params?: { cursor: string }): Promise<Listed>;
  callTool(params: Named): Promise<unknown>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  listResourceTemplates(): Promise<{ readonly resourceTemplates: readonly object[] }>;
  readResource(params: { readonly uri: string }): Promise<{ readonly contents: readonly object[] }>;
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  getPrompt(params: PromptChoice): Promise<{ readonly messages: readonly object[] }>;
  complete(params: Asked): Promise<{ readonly completion: object }>;
  getServerVersion(): { readonly name: string } | undefined;
  close(): Promise<void>;
}

interface Listed {
  readonly tools: readonly { readonly name: string }[];
  readonly nextCursor?: string | undefined;
}

interface PromptChoice {
  readonly name: string;
  readonly arguments?: Record<string, string>;
}

interface Asked {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
}

interface Named {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
}

export type Mode = 'auto' | 'legacy' | { readonly pin: string };

/** Connect the second generation. */
export async function connectSecond(
  url: URL,
  mode: Mode,
  capabilities: ClientCapabilities = {},
): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode }, capabilities });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

/** Connect the first generation. */
export async function connectFirst(url: URL): Promise<AnyClient> {
  const client = new FirstClient(info);
  // Its declarations are not written for exactOptionalPropertyTypes.
  await client.connect(new FirstTransport(url) as Transport);
  return client as AnyClient;
}

/** The names of all tools, page by page. */
export async function listAll(client: AnyClient): Promise<string[]> {
  const names: string[] = [];
  let page: Listed = await client.listTools();
  for (;;) {
    names.push(...page.tools.map((tool) => tool.name));
    if (page.nextCursor === undefined) return names;
    page = await client.listTools({ cursor: page.nextCursor });
  }
}
