import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { request } from 'undici';
import { legacy, type Message, rpc } from '../rpc.ts';

export const version = '2025-11-25';

export const opening = {
  method: 'initialize',
  params: {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
} as const;

/** Open a session; gives its id. */
export async function open(url: URL): Promise<string> {
  const { status, headers } = await legacy(url, opening);
  assert.equal(status, 200);
  const id = headers['mcp-session-id'];
  assert.ok(typeof id === 'string');
  return id;
}

/** The headers of a request in a session. */
export function inSession(id: string) {
  return { 'mcp-session-id': id, 'mcp-protocol-version': version };
}

/** Send a message in a session. */
export function say(url: URL, id: string, message: Message, headers = {}) {
  return legacy(url, message, { ...inSession(id), ...headers });
}

/** Send a notification in a session. */
export function note(url: URL, id: string, method: string, params: object = {}) {
  const accept = 'application/json, text/event-stream';
  return rpc(url, { jsonrpc: '2.0', method, params }, { accept, ...inSession(id) });
}

/** One event as it stands on a stream. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Send a request and leave its body open; gives what reads its next event, and what cuts it. */
export async function stream(
  t: TestContext,
  url: URL,
  { method = 'GET', body: sent, ...headers }: Readonly<Record<string, string>>,
) {
  const { statusCode, body } = await request(url, {
    method: method === 'GET' ? 'GET' : 'POST',
    headers: { accept: 'application/json, text/event-stream', ...headers },
    ...(sent !== undefined && { body: sent }),
  });
  body.on('error', () => {});
  const cut = () => body.destroy();
  t.after(cut);
  const chunks = body[Symbol.asyncIterator]();
  let text = '';
  const next = async (): Promise<StreamEvent | undefined> => {
    while (!text.includes('\n\n')) {
      const { done, value } = await chunks.next();
      if (done) return undefined;
      text += String(value);
    }
    const [block = ''] = text.split('\n\n', 1);
    text = text.slice(block.length + 2);
    return { id: /^id: (.*)$/m.exec(block)?.[1], data: /^data: (.*)$/m.exec(block)?.[1] ?? '' };
  };
  return { status: statusCode, next, cut };
}

/** Connect the official client of the first generation, for the time of one test. */
export async function connect(
  t: TestContext,
  url: URL,
  { capabilities = {}, prepare }: ConnectOptions = {},
) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  prepare?.(client);
  const transport = new StreamableHTTPClientTransport(url);
  // Its declarations are not written for exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  t.after(() => client.close());
  return { client, transport };
}

interface ConnectOptions {
  readonly capabilities?: ClientCapabilities;
  /** Give the client what it answers with. */
  readonly prepare?: (client: Client) => void;
}
