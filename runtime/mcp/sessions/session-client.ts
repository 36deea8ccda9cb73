import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ErrorCode, McpError, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type {
  ClientCapabilities,
  ClientFacts,
  InputRequest,
  InputRequests,
  InputResponses,
} from '#contract/client';
import { isObject, type JsonObject } from '#contract/json';
import type { Params, RequestId } from '../wire/json-rpc.ts';

/** How long a client may take to answer; what it answers to is kept for ten minutes. */
const patienceMs = 300_000;

/** Thrown where a client gave no answer to a question; the text is for whoever called. */
export class NoAnswer extends Error {}

/** Say what is wrong with how a client opens a session. */
export function checkOpening({ protocolVersion, capabilities, clientInfo }: Params) {
  if (typeof protocolVersion !== 'string') return '"protocolVersion" must be a string';
  if (!isObject(capabilities)) return '"capabilities" must be an object';
  const isNamed =
    isObject(clientInfo) &&
    typeof clientInfo['name'] === 'string' &&
    typeof clientInfo['version'] === 'string';
  return isNamed ? undefined : '"clientInfo" must be an object with "name" and "version"';
}

/** What a client says of itself when it opens a session; it has been checked. */
export function factsOf({ capabilities, clientInfo }: Params): ClientFacts {
  const { name, version } = clientInfo as { name: string; version: string };
  return { capabilities: capabilities as ClientCapabilities, name, version };
}

/**
 * Ask the client of a session, on the stream of the request that needs the answers.
 *
 * @throws NoAnswer
 */
export async function askClient(
  server: Server,
  requests: InputRequests,
  { requestId, signal }: { readonly requestId: RequestId; readonly signal: AbortSignal },
): Promise<InputResponses> {
  const together = new AbortController();
  const options = {
    relatedRequestId: requestId,
    signal: AbortSignal.any([signal, together.signal]),
    timeout: patienceMs,
  };
  const ask = async ([key, request]: [string, InputRequest]) => {
    const answer = await server.request(wireForm(request), ResultSchema, options);
    return [key, answer as JsonObject] as const;
  };
  try {
    return Object.fromEntries(await Promise.all(Object.entries(requests).map(ask)));
  } catch (error) {
    signal.throwIfAborted();
    // Without its answer, the other questions are of no use.
    together.abort('another question was not answered');
    throw new NoAnswer(reasonOf(error), { cause: error });
  }
}

/** In these revisions a page to open has an id of its own. */
function wireForm(request: InputRequest) {
  const { method, params } = request;
  if (method !== 'elicitation/create' || params.mode !== 'url') {
    return { method, params: { ...params } };
  }
  return { method, params: { ...params, elicitationId: randomUUID() } };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof McpError)) return 'the client sent an answer that is none';
  if (error.code === ErrorCode.RequestTimeout) {
    return `the client gave no answer within ${patienceMs / 1000} s`;
  }
  return `the client refused to answer: ${error.message.slice(0, 200)}`;
}
