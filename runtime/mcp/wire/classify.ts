import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { isObject, mostLevels, nestedDeeperThan } from '#contract/json';
import { rememberingJson } from '#contract/text/json-digits';
import { jsonFault } from '#contract/text/json-fault';
import { deeper, excessOfJson } from '#contract/text/json-size';
import {
  errorCode,
  idOf,
  type Message,
  type Params,
  parseMessage,
  parseResponse,
  type ResponseMessage,
} from './json-rpc.ts';
import { endBytes, idOfLong } from './long-message.ts';
import { errorReply, httpErrorReply, type Reply } from './reply.ts';

/** `_meta` key by which a request says which revision it speaks (MCP 2026-07-28, envelope). */
export const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';

/** Modern messages speak for themselves; legacy ones belong to a handshake. */
export type Era = 'modern' | 'legacy';

export interface ClassifiedMessage {
  readonly kind: 'message';
  readonly era: Era;
  readonly message: Message;
}

export type Classified =
  | ClassifiedMessage
  | { readonly kind: 'response'; readonly response: ResponseMessage }
  | { readonly kind: 'refused'; readonly reply: Reply };

/** Without sessions there is neither a stream to open nor a session to end. */
const statelessMethods: readonly string[] = ['POST'];
const sessionMethods: readonly string[] = ['GET', 'POST', 'DELETE'];

/** Check what can be checked before the body is read: rules 1 and 2. */
export function classifyHead(
  method: string | undefined,
  headers: IncomingHttpHeaders,
  keepsSessions: boolean,
): Reply | undefined {
  const allowed = keepsSessions ? sessionMethods : statelessMethods;
  if (!allowed.includes(String(method))) {
    const text = `this endpoint takes ${allowed.join(', ')} only`;
    return httpErrorReply(405, text, { headers: { Allow: allowed.join(', ') } });
  }
  if (method !== 'POST') return undefined;
  return isJson(headers['content-type'])
    ? undefined
    : httpErrorReply(415, 'Content-Type must be application/json');
}

/**
 * Say what a body is: rules 3 to 7. The era is a property of the message alone, never of the
 * connection. `firstModern` is the oldest revision without a handshake. Only where there are
 * sessions, a client may answer the server.
 */
export function classifyBody(
  body: Buffer,
  headers: IncomingHttpHeaders,
  firstModern: string,
  keepsSessions: boolean,
): Classified {
  const text = textOf(body);
  const excess = text === undefined ? undefined : excessOfJson(text);
  if (excess !== undefined) return excessive(body, excess);
  const value = text === undefined ? undefined : parseJson(text);
  if (value === undefined) {
    const fault = text === undefined ? 'it is no UTF-8' : jsonFault(text);
    const message = `the body is not JSON: ${fault}`;
    return refused(errorReply(400, { code: errorCode.parse, message }, undefined));
  }
  const isDeep = nestedDeeperThan(value, mostLevels);
  if (keepsSessions && !isDeep && !isModern(headers, firstModern)) {
    const response = parseResponse(value);
    if (response) return { kind: 'response', response };
  }
  const message = isDeep ? `the body ${deeper}` : parseMessage(value);
  if (typeof message === 'string') {
    return refused(errorReply(400, { code: errorCode.invalidRequest, message }, idOf(value)));
  }
  return { kind: 'message', era: eraOf(message, headers, firstModern), message };
}

const noMeta: Params = {};

/** The `_meta` of a message; what is not an object counts as none. */
export function metaOf(params: Params): Params {
  const meta = params['_meta'];
  return isObject(meta) ? meta : noMeta;
}

function eraOf({ params }: Message, headers: IncomingHttpHeaders, firstModern: string): Era {
  if (metaOf(params)[protocolVersionKey] !== undefined) return 'modern';
  return isModern(headers, firstModern) ? 'modern' : 'legacy';
}

function isModern(headers: IncomingHttpHeaders, firstModern: string): boolean {
  const named = headers['mcp-protocol-version'];
  return typeof named === 'string' && isDate(named) && named >= firstModern;
}

function refused(reply: Reply): Classified {
  return { kind: 'refused', reply };
}

/** A body that would take long to read is not parsed; its id is told where it can be seen. */
function excessive(body: Buffer, excess: string): Classified {
  const id = idOfLong(body.subarray(0, endBytes), body.subarray(-endBytes));
  const message = `the body ${excess}`;
  if (excess !== deeper)
    return refused(httpErrorReply(413, message, id === undefined ? {} : { id }));
  return refused(errorReply(400, { code: errorCode.invalidRequest, message }, id));
}

function textOf(body: Buffer): string | undefined {
  const text = body.toString('utf8');
  // What is no UTF-8 becomes U+FFFD here, and might be read otherwise elsewhere (RFC 8259, 8.1).
  if (text.includes('\ufffd') && !isUtf8(body)) return undefined;
  // A byte order mark may be passed over (RFC 8259, 8.1).
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function parseJson(text: string): unknown {
  try {
    return rememberingJson(text);
  } catch {
    return undefined;
  }
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}
