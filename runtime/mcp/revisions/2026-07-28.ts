import type { ClientCapabilities, InputRequests } from '#contract/client';
import type { SchemaProfile } from '#contract/schema-profile';
import { resultText } from '#contract/text/tool-result';
import type { ToolResult } from '#contract/tool';
import type { ToolPage } from '../../offer/catalogue.ts';
import type { CachePolicy } from '../../offer/page.ts';
import { toolErrorResult } from '../../outbound/answer/tool-error-result.ts';
import { serverInfo } from '../../process/version.ts';
import { discover } from '../methods/discover.ts';
import { skillMethods } from '../methods/skills.ts';
import { subscriptionsListen } from '../methods/subscriptions-listen.ts';
import { taskMethods } from '../methods/tasks.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { toolListing } from '../profiles/tool-listing.ts';
import type { Method } from '../request/method.ts';
import { failure, type Offer, type Revision, type ServedRevision } from '../request/revision.ts';
import { errorCode, type Message, type RequestId } from '../wire/json-rpc.ts';
import {
  errorReply,
  noResource,
  pageReplies,
  type Reply,
  type RpcError,
  refusalReply,
  resultReply,
} from '../wire/reply.ts';
import {
  checkClaim,
  checkEnvelope,
  checkMirrors,
  checkName,
  checkPresence,
  checkVersion,
  clientOf,
  hasClaim,
  logLevelOf,
  progressTokenOf,
  traceOf,
} from './envelope.ts';
import { offeredMethods } from './offered-methods.ts';

const versions = ['2026-07-28'] as const;

const serverMeta = { 'io.modelcontextprotocol/serverInfo': serverInfo };

/** Ends the JSON text of a result that has at least one member and no `_meta`. */
const resultTail = `,"resultType":"complete","_meta":${JSON.stringify(serverMeta)}}`;

/** MCP without sessions: every request says of itself what a handshake said before. */
export const revision20260728: ServedRevision = { era: 'modern', versions, speak };

function speak(offer: Offer): Revision {
  const { supported } = offer;
  const methods = new Map<string, Method>([
    ['server/discover', discover(offer)],
    ...offeredMethods(offer),
    ['subscriptions/listen', subscriptionsListen(offer)],
    ...(offer.tasks ? taskMethods(offer.tasks) : []),
    ...(offer.skills ? skillMethods(offer.skills) : []),
  ]);
  return {
    methods,
    checkNotification(message, headers) {
      // Nothing can be told to the sender of one that says nothing of itself, and clients in the
      // field drop their whole connection when it is refused.
      if (!hasClaim(message)) return undefined;
      return (
        checkClaim(message) ??
        checkMirrors(message, headers) ??
        checkVersion(message, versions, supported)
      );
    },
    decode(message, headers) {
      const wrongEnvelope =
        checkClaim(message) ??
        checkEnvelope(message) ??
        checkMirrors(message, headers) ??
        checkVersion(message, versions, supported) ??
        checkPresence(headers);
      if (wrongEnvelope) return wrongEnvelope;
      const method = methods.get(message.method);
      if (!method) return unknownMethod(message);
      const problem = method.check?.(message.params);
      if (problem) return failure(200, errorCode.invalidParams, problem);
      return (
        checkName(message, headers, method) ?? {
          kind: 'decoded',
          version: versions[0],
          method,
          progressToken: progressTokenOf(message),
          client: clientOf(message),
          trace: traceOf(message),
          logLevel: logLevelOf(message),
          headers,
        }
      );
    },
    encode,
  };
}

function unknownMethod({ method }: Message) {
  const message = `there is no method ${JSON.stringify(method.slice(0, 128))}`;
  return failure(404, errorCode.methodNotFound, message);
}

const pageReply = pageReplies(pageText);

function encode(outcome: Outcome, id: RequestId): Reply {
  switch (outcome.kind) {
    case 'complete':
      return resultReply(id, JSON.stringify(complete(outcome.result, outcome.cache, outcome.meta)));
    case 'toolPage':
      return pageReply(id, outcome.page, outcome.profile);
    case 'toolResult':
      return resultReply(id, toolResultText(outcome.result));
    case 'toolError':
      return resultReply(id, toolResultText(toolErrorResult(outcome.error)));
    case 'inputRequired':
      return resultReply(id, inputRequiredText(outcome.requests, outcome.requestState));
    case 'task':
      return resultReply(
        id,
        JSON.stringify({ ...outcome.task, resultType: 'task', _meta: serverMeta }),
      );
    case 'missingCapability':
      return errorReply(400, missingCapability(outcome.required), id);
    case 'mismatch':
      return errorReply(400, { ...outcome, code: errorCode.headerMismatch }, id);
    case 'noResource':
      return errorReply(200, noResource(errorCode.invalidParams, outcome.uri), id);
    case 'refused':
      return refusalReply(outcome.error, id);
    case 'rejected':
      return errorReply(200, outcome, id);
  }
}

function inputRequiredText(inputRequests: InputRequests, requestState: string): string {
  const resultType = 'input_required';
  return JSON.stringify({ resultType, inputRequests, requestState, _meta: serverMeta });
}

function missingCapability(requiredCapabilities: ClientCapabilities): RpcError {
  const message = 'the client must declare a capability that this needs';
  return { code: errorCode.missingCapability, message, data: { requiredCapabilities } };
}

function toolResultText(result: ToolResult): string {
  if (!result._meta) return resultText(result).slice(0, -1) + resultTail;
  const _meta = { ...result._meta, ...serverMeta };
  return resultText(result, { resultType: 'complete', _meta });
}

function pageText(
  { items, nextCursor, listHash, cache }: ToolPage,
  profile: SchemaProfile,
): string {
  const entries = items.map((tool) => toolListing(tool, profile));
  const _meta = { ...serverMeta, 'dev.agent-tool-server/catalog': listHash };
  const rest = JSON.stringify({ ...complete({ nextCursor }, cache), _meta });
  return `{"tools":[${entries.join()}],${rest.slice(1)}`;
}

function complete(result: object, cache: CachePolicy | undefined, meta?: object): object {
  const keep = cache && { ttlMs: cache.ttlMs, cacheScope: cache.scope };
  return { ...result, resultType: 'complete', ...keep, _meta: { ...serverMeta, ...meta } };
}
