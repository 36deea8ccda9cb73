import { request } from 'undici';

/** One HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface RpcAnswer extends Answer {
  /** The JSON-RPC message; of a stream, its last one. */
  readonly body: Body;
}

interface Body {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

type Headers = Readonly<Record<string, string | undefined>>;

export const modernVersion = '2026-07-28';

const meta = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface Message {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly id?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Send a request as a client of the sessionless revision does; `headers` change what it sends. */
export async function modern(
  url: URL,
  { method, params = {}, id = 1, _meta = {} }: Message,
  headers: Headers = {},
): Promise<RpcAnswer> {
  const subject = params['name'] ?? params['uri'] ?? params['taskId'];
  const named = typeof subject === 'string' ? { 'mcp-name': subject } : {};
  const body = { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...meta, ..._meta } } };
  return rpc(url, body, {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': modernVersion,
    'mcp-method': method,
    ...named,
    ...headers,
  });
}

/** Send a request as a client of the handshake era does. */
export async function legacy(
  url: URL,
  { method, params = {}, id = 1 }: Message,
  headers: Headers = {},
): Promise<RpcAnswer> {
  const accept = 'application/json, text/event-stream';
  return rpc(url, { jsonrpc: '2.0', id, method, params }, { accept, ...headers });
}

/** Send any JSON. */
export async function rpc(url: URL, body: unknown, headers: Headers = {}): Promise<RpcAnswer> {
  const answer = await send(url, JSON.stringify(body), headers);
  return { ...answer, body: parse(answer) };
}

/** Send any text; a header that is undefined is left out. */
export async function send(url: URL, body: string, headers: Headers = {}): Promise<Answer> {
  const all = { 'content-type': 'application/json', ...headers };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  const {
    statusCode,
    headers: received,
    body: stream,
  } = await request(url, {
    method: 'POST',
    headers: Object.fromEntries(given) as Record<string, string>,
    body,
  });
  return { status: statusCode, headers: received, text: await stream.text() };
}

/** The messages of an event stream. */
export function eventsOf({ text }: Answer): Body[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: message\n'))
    .map((block) => JSON.parse(block.slice(block.indexOf('data: ') + 6)) as Body);
}

function parse(answer: Answer): Body {
  if (answer.text === '') return {};
  const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
  return isStream ? (eventsOf(answer).at(-1) ?? {}) : (JSON.parse(answer.text) as Body);
}
