import type { IncomingHttpHeaders } from 'node:http';
import {
  type ClientCapabilities,
  type ClientFacts,
  type LogLevel,
  logLevels,
} from '#contract/client';
import { isObject } from '#contract/json';
import { parseTrace, type TraceContext } from '#contract/trace';
import type { Method } from '../request/method.ts';
import { type Failure, failure } from '../request/revision.ts';
import { metaOf, protocolVersionKey } from '../wire/classify.ts';
import { decodeHeaderValue } from '../wire/header-value.ts';
import { errorCode, isRequestId, type Message, type RequestId } from '../wire/json-rpc.ts';

const clientCapabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const clientInfoKey = 'io.modelcontextprotocol/clientInfo';
const logLevelKey = 'io.modelcontextprotocol/logLevel';

/** More of a version is not repeated to the client. */
const longestVersion = 40;

/** Whether the body says at all which revision it speaks. */
export function hasClaim({ params }: Message): boolean {
  return metaOf(params)[protocolVersionKey] !== undefined;
}

/** Check that the body says which revision it speaks; without that, only its header made it modern. */
export function checkClaim({ params }: Message): Failure | undefined {
  return typeof metaOf(params)[protocolVersionKey] === 'string'
    ? undefined
    : badMeta(protocolVersionKey, 'must be a string');
}

/** Check the rest of what a request must, or may, say of itself. */
export function checkEnvelope({ params }: Message): Failure | undefined {
  const meta = metaOf(params);
  if (!isObject(meta[clientCapabilitiesKey])) {
    return badMeta(clientCapabilitiesKey, 'must be an object');
  }
  if (isGiven(meta[clientInfoKey]) && !isImplementation(meta[clientInfoKey])) {
    return badMeta(clientInfoKey, 'must be an object with the strings "name" and "version"');
  }
  if (isGiven(meta[logLevelKey]) && !isLogLevel(meta[logLevelKey])) {
    return badMeta(logLevelKey, `must be one of ${logLevels.join(', ')}`);
  }
  const { progressToken } = meta;
  return isGiven(progressToken) && !isRequestId(progressToken)
    ? badMeta('progressToken', 'must be a string or an integer')
    : undefined;
}

/** The headers of a request, where the binding has any: stdio has none. */
type Headers = IncomingHttpHeaders | undefined;

/**
 * Compare what the headers say with the body, where both speak (MCP 2026-07-28, standard request
 * headers).
 */
export function checkMirrors({ method, params }: Message, headers: Headers): Failure | undefined {
  if (!headers) return undefined;
  const claimed = String(metaOf(params)[protocolVersionKey]);
  const version = headers['mcp-protocol-version'];
  if (version !== undefined && version !== claimed) {
    return mismatch('MCP-Protocol-Version', version, claimed);
  }
  const named = headers['mcp-method'];
  return named !== undefined && named !== method
    ? mismatch('Mcp-Method', named, method)
    : undefined;
}

/** Refuse a revision that is not among `versions`, and name all that are `supported`. */
export function checkVersion(
  { params }: Message,
  versions: readonly string[],
  supported: readonly string[],
): Failure | undefined {
  const claimed = String(metaOf(params)[protocolVersionKey]);
  if (versions.includes(claimed)) return undefined;
  const requested = claimed.slice(0, longestVersion);
  // Of another era: it is agreed on in a handshake, and no request names it in `_meta`.
  const problem = supported.includes(claimed)
    ? 'is spoken only after initialize'
    : 'is not supported';
  const message = `protocol version ${JSON.stringify(requested)} ${problem}`;
  return failure(400, errorCode.unsupportedVersion, message, { supported, requested });
}

/** Check that the headers are there which let others route a request without reading its body. */
export function checkPresence(headers: Headers): Failure | undefined {
  if (!headers) return undefined;
  if (headers['mcp-protocol-version'] === undefined) return absent('MCP-Protocol-Version');
  return headers['mcp-method'] === undefined ? absent('Mcp-Method') : undefined;
}

/** Check the header that says what a method acts on, where it acts on one thing. */
export function checkName(
  { params }: Message,
  headers: Headers,
  { subject }: Method,
): Failure | undefined {
  if (subject === undefined || !headers) return undefined;
  const given = headers['mcp-name'];
  if (typeof given !== 'string') return absent('Mcp-Name');
  const wanted = String(params[subject]);
  const name = decodeHeaderValue(given);
  if (name === undefined) return failure(400, errorCode.headerMismatch, 'Mcp-Name is malformed');
  return name === wanted ? undefined : mismatch('Mcp-Name', name, wanted);
}

/** What the client calls the progress of this request; nothing when it does not ask for it. */
export function progressTokenOf({ params }: Message): RequestId | undefined {
  const { progressToken } = metaOf(params);
  return isRequestId(progressToken) ? progressToken : undefined;
}

/** What a modern request says of its client; its envelope has been checked. */
export function clientOf({ params }: Message): ClientFacts {
  const meta = metaOf(params);
  const capabilities = meta[clientCapabilitiesKey] as ClientCapabilities;
  const info = meta[clientInfoKey];
  if (!isObject(info)) return { capabilities };
  return { capabilities, name: String(info['name']), version: String(info['version']) };
}

/** The trace that a request belongs to (MCP 2026-07-28, OpenTelemetry trace context). */
export function traceOf({ params }: Message): TraceContext | undefined {
  const { traceparent, tracestate } = metaOf(params);
  return traceparent === undefined ? undefined : parseTrace(traceparent, tracestate);
}

/** The least severe of the messages that the client wants; nothing when it wants none. */
export function logLevelOf({ params }: Message): LogLevel | undefined {
  const level = metaOf(params)[logLevelKey];
  return isLogLevel(level) ? level : undefined;
}

function isLogLevel(value: unknown): value is LogLevel {
  return typeof value === 'string' && logLevels.some((level) => level === value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined;
}

function isImplementation(value: unknown): boolean {
  return (
    isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
  );
}

function badMeta(key: string, problem: string): Failure {
  return failure(400, errorCode.invalidParams, `_meta["${key}"] ${problem}`);
}

function absent(header: string): Failure {
  return failure(400, errorCode.headerMismatch, `the header ${header} is missing`);
}

function mismatch(header: string, found: unknown, wanted: string): Failure {
  const message = `the header ${header} says ${show(found)}, the body ${show(wanted)}`;
  return failure(400, errorCode.headerMismatch, message);
}

function show(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 128));
}
