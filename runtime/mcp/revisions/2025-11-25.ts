import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '#contract/json';
import type { ToolResult } from '#contract/tool';
import type { ToolPage } from '../../catalogue.ts';
import { toolErrorResult } from '../../tool-error-result.ts';
import { progressTokenOf } from '../envelope.ts';
import { errorCode, type Message, type RequestId } from '../json-rpc.ts';
import { initialize, negotiate } from '../methods/initialize.ts';
import type { Method } from '../methods/method.ts';
import { ping } from '../methods/ping.ts';
import { toolsCall } from '../methods/tools-call.ts';
import { toolsList } from '../methods/tools-list.ts';
import type { Outcome } from '../outcome.ts';
import { errorReply, pageReplies, type Reply, refusalReply, resultReply } from '../reply.ts';
import { objectToolListing } from '../tool-listing.ts';
import { type Failure, failure, type Offer, type Revision } from './revision.ts';

export const versions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

const opening = 'initialize';

/** The revisions with a handshake, served without sessions: every request stands alone. */
export function revision20251125({ catalogue, running, supported }: Offer): Revision {
  const methods: ReadonlyMap<string, Method> = new Map([
    [opening, initialize(versions)],
    ['ping', ping],
    ['tools/list', toolsList(catalogue)],
    ['tools/call', toolsCall(catalogue, running)],
  ]);

  return {
    versions,
    methods,
    checkNotification: (message, headers) =>
      versionOf(message, headers) === undefined ? wrongVersion(headers, supported) : undefined,
    decode(message, headers) {
      const version = versionOf(message, headers);
      if (version === undefined) return wrongVersion(headers, supported);
      const method = methods.get(message.method);
      if (!method) return unknownMethod(message);
      const problem = method.check?.(message.params);
      if (problem) return failure(200, errorCode.invalidParams, problem);
      return { kind: 'decoded', version, method, progressToken: progressTokenOf(message) };
    },
    encode,
  };
}

/** The version that a message speaks; nothing when it names one that is not served here. */
function versionOf({ method, params }: Message, headers: IncomingHttpHeaders): string | undefined {
  if (method === opening) return negotiate(versions, params);
  const named = headers['mcp-protocol-version'];
  // Without the header the oldest one is meant (MCP 2025-11-25, protocol version header).
  return named === undefined ? versions.at(-1) : versions.find((version) => version === named);
}

function wrongVersion(headers: IncomingHttpHeaders, supported: readonly string[]): Failure {
  const requested = String(headers['mcp-protocol-version']).slice(0, 40);
  const message = `protocol version ${JSON.stringify(requested)} is not supported`;
  return failure(400, errorCode.invalidRequest, message, { supported, requested });
}

function unknownMethod({ method }: Message): Failure {
  const message = `there is no method ${JSON.stringify(method.slice(0, 128))}`;
  return failure(200, errorCode.methodNotFound, message);
}

const pageReply = pageReplies((page) => pageText(page));

function encode(outcome: Outcome, id: RequestId): Reply {
  switch (outcome.kind) {
    case 'complete':
      return resultReply(id, JSON.stringify(outcome.result));
    case 'toolPage':
      return pageReply(id, outcome.page);
    case 'toolResult':
      return resultReply(id, JSON.stringify(withObject(outcome.result)));
    case 'toolError':
      return resultReply(id, JSON.stringify(toolErrorResult(outcome.error)));
    case 'refused':
      return refusalReply(outcome.error, id);
    case 'rejected':
      return errorReply(200, outcome, id);
  }
}

/** In these revisions structured content is always an object. */
function withObject(result: ToolResult): ToolResult {
  const { structuredContent } = result;
  return structuredContent === undefined || isObject(structuredContent)
    ? result
    : { ...result, structuredContent: { result: structuredContent } };
}

function pageText({ tools, nextCursor, catalogHash }: ToolPage): string {
  const _meta = { 'dev.agent-tool-server/catalog': catalogHash };
  const rest = JSON.stringify({ nextCursor, _meta });
  return `{"tools":[${tools.map(objectToolListing).join()}],${rest.slice(1)}`;
}
