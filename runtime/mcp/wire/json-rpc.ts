import { isObject } from '#contract/json';

/** Error codes that JSON-RPC 2.0 and MCP fix (MCP 2026-07-28, basic protocol). */
export const errorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  /** Of the revisions before 2026-07-28 alone. */
  noResource: -32002,
} as const;

/** A code of our own: MCP leaves everything outside -32768 to -32000 to applications. */
export function codeOfStatus(status: number): number {
  return -31000 - status;
}

export type RequestId = string | number;

export type Params = Readonly<Record<string, unknown>>;

/** A request; a notification is one without `id`. */
export interface Message {
  readonly id?: RequestId;
  readonly method: string;
  readonly params: Params;
}

export type Request = Message & { readonly id: RequestId };

export function isRequest(message: Message): message is Request {
  return message.id !== undefined;
}

/** What a client answers to a request of the server. */
export interface ResponseMessage {
  readonly id: RequestId;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
}

const noParams: Params = {};

/** Read a request or notification; a text says why a value is neither. */
export function parseMessage(value: unknown): Message | string {
  if (Array.isArray(value)) return 'batches are not supported; send one message in each request';
  if (!isObject(value) || value['jsonrpc'] !== '2.0') {
    return 'the body must be a JSON-RPC message with "jsonrpc": "2.0"';
  }
  const { id, method, params = noParams } = value;
  if (typeof method !== 'string') {
    return 'result' in value || 'error' in value
      ? 'this server sends no requests, so it takes no responses'
      : '"method" must be a string';
  }
  if (!isObject(params)) return '"params" must be an object';
  const { _meta } = params;
  if (_meta !== undefined && !isObject(_meta)) return '"params._meta" must be an object';
  if (id === undefined) return { method, params };
  if (!isRequestId(id)) return '"id" must be a string or an integer';
  return { id, method, params };
}

/** Read a response; nothing where a value is none. */
export function parseResponse(value: unknown): ResponseMessage | undefined {
  if (!isObject(value) || value['jsonrpc'] !== '2.0' || 'method' in value) return undefined;
  const { id, result, error } = value;
  if (!isRequestId(id)) return undefined;
  if (isObject(result) && error === undefined) return { id, result };
  if (!isObject(error) || result !== undefined) return undefined;
  const { code, message } = error;
  if (!Number.isSafeInteger(code) || typeof message !== 'string') return undefined;
  return { id, error: { code: Number(code), message } };
}

/** The id of something that may not even be a message, to be repeated in the error. */
export function idOf(value: unknown): RequestId | undefined {
  return isObject(value) && isRequestId(value['id']) ? value['id'] : undefined;
}

export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}
