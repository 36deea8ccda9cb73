import type { Logger } from 'pino';
import type { ClientCapabilities, InputRequests } from '#contract/client';
import { isObject, type JsonObject } from '#contract/json';
import { defaultTenant } from '#contract/tenant/tenants';
import type { ToolResult } from '#contract/tool';
import { tenantPath } from '../process/own-address.ts';
import { StartError } from '../process/start-error.ts';
import { version } from '../process/version.ts';
import { Courier } from './courier.ts';
import { isUnreachable, sendLocally } from './local-request.ts';
import { readMeeting } from './meeting-point.ts';
import { outgoing } from './outgoing.ts';
import type { UpstreamRequest } from './upstream.ts';

/** A tool, its arguments, and what the server has been told so far (MCP 2026-07-28, tools/call). */
export interface LocalCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly capabilities: ClientCapabilities;
  readonly inputResponses?: Readonly<Record<string, JsonObject>>;
  readonly requestState?: string;
  /** Id of the tenant; without it, that of the server itself. */
  readonly tenant?: string | undefined;
}

/** What the server answers: a result, questions to answer first, or why it does nothing. */
export type LocalAnswer =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'input'; readonly requests: InputRequests; readonly requestState: string }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Let the server that runs on this data directory call a tool; nothing where none runs there.
 *
 * @throws StartError when it answers with something else than MCP
 */
export async function callLocally(
  dataDir: string,
  { name, args, capabilities, inputResponses, requestState, tenant = defaultTenant }: LocalCall,
  log: Logger,
): Promise<LocalAnswer | undefined> {
  const meeting = readMeeting(dataDir);
  if (!meeting) return undefined;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'agent-tool-server call', version },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const params = { name, arguments: args, inputResponses, requestState, _meta };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { socket: socketPath, pid } = meeting;
  const path = tenant === defaultTenant ? '/' : tenantPath(encodeURIComponent(tenant));
  const upstream = {
    send: (request: UpstreamRequest) => sendLocally({ ...request, socketPath, path }),
  };
  const courier = new Courier({ upstream, log, tell: async () => {} });
  let last: Buffer | string = '';
  const keep = async (data: Buffer | string) => {
    last = data;
  };
  try {
    const sent = outgoing(Buffer.from(JSON.stringify(message)), message);
    await courier.carry(sent, { tell: keep, signal: new AbortController().signal });
    return read(JSON.parse(last.toString()));
  } catch (error) {
    if (isUnreachable(error)) return undefined;
    if (error instanceof StartError) throw error;
    const reason = (error as Error).message;
    throw new StartError(`the server that runs as process ${pid} did not answer: ${reason}`, {
      cause: error,
    });
  }
}

function read(answer: unknown): LocalAnswer {
  const { result, error } = isObject(answer) ? answer : {};
  if (isObject(error)) return { kind: 'refused', message: String(error['message']) };
  if (!isObject(result)) throw new StartError('the server has answered with no MCP message');
  if (result['resultType'] !== 'input_required') {
    return { kind: 'result', result: result as unknown as ToolResult };
  }
  const { inputRequests, requestState } = result;
  return {
    kind: 'input',
    requests: inputRequests as InputRequests,
    requestState: String(requestState),
  };
}
