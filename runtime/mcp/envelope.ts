import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '#contract/json';
import { metaOf, protocolVersionKey } from './classify.ts';
import { decodeHeaderValue } from './header-value.ts';
import { errorCode, isRequestId, type Message, type RequestId } from './json-rpc.ts';
import type { Method } from './methods/method.ts';
import { type Failure, failure } from './revisions/revision.ts';

const clientCapabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

/**
 * Compare what the headers say with the body, where both speak (MCP 2026-07-28, standard request
 * headers). A body without a version fails here: only its header made it modern.
 */
export function checkClaim(
  { method, params }: Message,
  headers: IncomingHttpHeaders,
): Failure | undefined {
  const claimed = metaOf(params)[protocolVersionKey];
  if (typeof claimed !== 'string') return badMeta(protocolVersionKey, 'must be a string');
  const version = headers['mcp-protocol-version'];
  if (version !== undefined && version !== claimed) {
    return mismatch('MCP-Protocol-Version', version, claimed);
  }
  const named = headers['mcp-method'];
  return named !== undefined && named !== method
    ? mismatch('Mcp-Method', named, method)
    : undefined;
}

/** Check the rest of what a request must say of itself. */
export function checkEnvelope({ params }: Message): Failure | undefined {
  const meta = metaOf(params);
  if (!isObject(meta[clientCapabilitiesKey])) {
    return badMeta(clientCapabilitiesKey, 'must be an object');
  }
  const { progressToken } = meta;
  return progressToken === undefined || isRequestId(progressToken)
    ? undefined
    : badMeta('progressToken', 'must be a string or an integer');
}

/** Refuse a revision that is not among `versions`, and name all that are `supported`. */
export function checkVersion(
  { params }: Message,
  versions: readonly string[],
  supported: readonly string[],
): Failure | undefined {
  const requested = String(metaOf(params)[protocolVersionKey]);
  if (versions.includes(requested)) return undefined;
  const message = `protocol version ${JSON.stringify(requested.slice(0, 40))} is not supported`;
  return failure(400, errorCode.unsupportedVersion, message, { supported, requested });
}

/** Check that the headers are there which let others route a request without reading its body. */
export function checkHeaders(
  { params }: Message,
  headers: IncomingHttpHeaders,
  { subject }: Method,
): Failure | undefined {
  if (headers['mcp-protocol-version'] === undefined) return absent('MCP-Protocol-Version');
  if (headers['mcp-method'] === undefined) return absent('Mcp-Method');
  if (subject === undefined) return undefined;
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
