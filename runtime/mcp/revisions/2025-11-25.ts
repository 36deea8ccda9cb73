import type { IncomingHttpHeaders } from 'node:http';
import type {
  ClientCapabilities,
  ClientFacts,
  InputRequest,
  InputRequests,
  UrlElicitation,
} from '#contract/client';
import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { SchemaProfile } from '#contract/schema-profile';
import { resultText } from '#contract/text/tool-result';
import type { ToolResult } from '#contract/tool';
import type { ToolPage } from '../../offer/catalogue.ts';
import { toolErrorResult } from '../../outbound/answer/tool-error-result.ts';
import { initialize, negotiate, opening } from '../methods/initialize.ts';
import { ping } from '../methods/ping.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { objectToolListing } from '../profiles/tool-listing.ts';
import type { Method } from '../request/method.ts';
import {
  type Failure,
  failure,
  type Offer,
  type Revision,
  type ServedRevision,
  type SessionSide,
} from '../request/revision.ts';
import {
  capabilitiesOf,
  instructionsOf,
  sessionCapabilitiesOf,
} from '../request/server-profile.ts';
import { errorCode, type Message, type Params, type RequestId } from '../wire/json-rpc.ts';
import {
  errorReply,
  noResource,
  pageReplies,
  type Reply,
  refusalReply,
  resultReply,
} from '../wire/reply.ts';
import { progressTokenOf, traceOf } from './envelope.ts';
import { offeredMethods } from './offered-methods.ts';

const versions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** Without a session nobody remembers what the handshake said: such a client can be asked nothing. */
const unknownClient: ClientFacts = { capabilities: {} };

/** The revisions with a handshake; without a session every request stands alone. */
export const revision20251125: ServedRevision = {
  era: 'legacy',
  versions,
  resumableSince: versions[0],
  speak,
};

function speak(offer: Offer, session?: SessionSide): Revision {
  const { supported } = offer;
  const capabilities = session ? sessionCapabilitiesOf(offer) : capabilitiesOf(offer, false);
  const client = session?.client ?? unknownClient;
  const methods = new Map<string, Method>([
    [opening, initialize(versions, capabilities, (tenant) => instructionsOf(offer, tenant))],
    ['ping', ping],
    // The Tasks extension belongs to later revisions.
    ...offeredMethods({ ...offer, tasks: undefined }),
    ...(session?.methods ?? []),
  ]);
  const versionOf = (message: Message, headers: IncomingHttpHeaders | undefined) =>
    spokenVersion(message, headers, session?.version);
  const [newest] = supported;

  return {
    methods,
    checkNotification: (message, headers) =>
      versionOf(message, headers) === undefined ? wrongVersion(headers, supported) : undefined,
    decode(message, headers) {
      const version = versionOf(message, headers);
      if (version === undefined) return wrongVersion(headers, supported);
      const method = methods.get(message.method);
      if (!method) return unknownMethod(message);
      const params = withoutAnswers(message.params);
      const problem = method.check?.(params);
      if (problem) return failure(200, errorCode.invalidParams, problem);
      const progressToken = progressTokenOf(message);
      const trace = traceOf(message);
      return {
        kind: 'decoded',
        version,
        method,
        params,
        progressToken,
        client,
        trace,
        logLevel: session?.logLevel(),
      };
    },
    encode: (outcome, id, method) => encode(outcome, { id, method, hasSession: !!session, newest }),
  };
}

/** In these revisions nobody answers a question by asking again: such parameters mean nothing. */
function withoutAnswers(params: Params): Params {
  if (params['inputResponses'] === undefined && params['requestState'] === undefined) return params;
  const { inputResponses: _, requestState: __, ...rest } = params;
  return rest;
}

/** The version that a message speaks; nothing when it names one that is not served here. */
function spokenVersion(
  { method, params }: Message,
  headers: IncomingHttpHeaders | undefined,
  agreed: string | undefined,
): string | undefined {
  if (method === opening) return negotiate(versions, params);
  const named = headers?.['mcp-protocol-version'];
  if (named !== undefined) return versions.find((version) => version === named);
  // Where nothing was agreed on, the oldest one is meant (MCP 2025-11-25, protocol version header).
  return agreed ?? versions.at(-1);
}

function wrongVersion(
  headers: IncomingHttpHeaders | undefined,
  supported: readonly string[],
): Failure {
  const requested = String(headers?.['mcp-protocol-version']).slice(0, 40);
  const message = `protocol version ${JSON.stringify(requested)} is not supported`;
  return failure(400, errorCode.invalidRequest, message, { supported, requested });
}

function unknownMethod({ method }: Message): Failure {
  const message = `there is no method ${JSON.stringify(method.slice(0, 128))}`;
  return failure(200, errorCode.methodNotFound, message);
}

const pageReply = pageReplies(pageText);

interface Asked {
  readonly id: RequestId;
  readonly method: string;
  readonly hasSession: boolean;
  /** The newest version that is served here. */
  readonly newest: string;
}

function encode(outcome: Outcome, asked: Asked): Reply {
  const { id } = asked;
  switch (outcome.kind) {
    case 'complete':
      return resultReply(id, JSON.stringify(outcome.result));
    case 'toolPage':
      return pageReply(id, outcome.page, outcome.profile);
    case 'toolResult':
      return resultReply(id, resultText(withObject(outcome.result)));
    case 'toolError':
      return resultReply(id, JSON.stringify(toolErrorResult(outcome.error)));
    case 'inputRequired':
      return cannotAskReply(asked, outcome.requests);
    case 'missingCapability':
      return cannotAskReply(asked, outcome.requests, outcome.required);
    case 'task':
      return cannotAskReply(asked);
    case 'mismatch':
      return errorReply(400, { code: errorCode.invalidRequest, message: outcome.message }, id);
    case 'noResource':
      return errorReply(200, noResource(errorCode.noResource, outcome.uri), id);
    case 'refused':
      return refusalReply(outcome.error, id);
    case 'rejected':
      return errorReply(200, outcome, id);
  }
}

/** There is no way to ask; where a page has to be opened, its address is told. */
function cannotAskReply(
  { id, method, hasSession, newest }: Asked,
  requests: InputRequests = {},
  lacking?: ClientCapabilities,
): Reply {
  const page = Object.values(requests).find(isPage);
  const undeclared = hasSession && lacking && !lacking.extensions;
  const how = undeclared
    ? `use a client that declares ${JSON.stringify(lacking)}`
    : `use a client that speaks MCP ${newest}`;
  const hint = page ? `open ${page.params.url} and try again` : how;
  const message = `this needs an answer of the user, and this client cannot be asked; ${hint}`;
  if (method !== 'tools/call') {
    return errorReply(200, { code: errorCode.invalidRequest, message }, id);
  }
  const error = new ToolError('confirmation_required', message);
  return resultReply(id, JSON.stringify(toolErrorResult(error)));
}

function isPage(request: InputRequest): request is InputRequest & { params: UrlElicitation } {
  return request.method === 'elicitation/create' && request.params.mode === 'url';
}

/** In these revisions structured content is always an object. */
function withObject(result: ToolResult): ToolResult {
  const { structuredContent } = result;
  return structuredContent === undefined || isObject(structuredContent)
    ? result
    : { ...result, structuredContent: { result: structuredContent } };
}

function pageText({ items, nextCursor, listHash }: ToolPage, profile: SchemaProfile): string {
  const entries = items.map((tool) => objectToolListing(tool, profile));
  const _meta = { 'dev.agent-tool-server/catalog': listHash };
  const rest = JSON.stringify({ nextCursor, _meta });
  return `{"tools":[${entries.join()}],${rest.slice(1)}`;
}
