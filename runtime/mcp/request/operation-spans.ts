import type { Arrival } from '#contract/arrival';
import type { OpenSpan } from '#contract/telemetry/span';
import { parseTrace } from '#contract/trace';
import { otherTool } from '../../observe/metrics.ts';
import type { Tracer } from '../../observe/spans/tracer.ts';
import type { Params, RequestId } from '../wire/json-rpc.ts';
import type { Decoded } from './revision.ts';

/** A request, as far as a span speaks of it. */
export interface TracedRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** More of an id or a URI is cut off. */
const longestValue = 256;

/** Begins the spans of MCP requests (OpenTelemetry, GenAI semantic conventions, MCP server spans). */
export class OperationSpans {
  readonly #tracer: Tracer;
  readonly #isTool: (name: string) => boolean;

  constructor(tracer: Tracer, isTool: (name: string) => boolean) {
    this.#tracer = tracer;
    this.#isTool = isTool;
  }

  /**
   * Begin the span of a request. What the message says of its trace comes first, that of the HTTP
   * request is linked then (MCP 2026-07-28, OpenTelemetry trace context).
   */
  begin({ id, method, params }: TracedRequest, decoded: Decoded, arrival: Arrival) {
    const { traceparent, tracestate } = arrival.headers;
    const around = traceparent === undefined ? undefined : parseTrace(traceparent, tracestate);
    const parent = decoded.trace ?? around;
    if (!this.#tracer.samples(parent)) return undefined;
    const link = decoded.trace === undefined ? undefined : around;
    const subject = this.#subject(method, params);
    const name = subject === undefined ? method : `${method} ${subject.value}`;
    const span = this.#tracer.begin({ name, kind: 'server', parent, link });
    span.tenant = arrival.tenant;
    if (subject !== undefined) span.set(subject.name, subject.value);
    describe(span, { id, method, params }, decoded, arrival);
    return span;
  }

  /** What the request is about, by a name that this server knows: others would be without end. */
  #subject(method: string, { name }: Params) {
    if (typeof name !== 'string') return undefined;
    if (method === 'tools/call') {
      return { name: 'gen_ai.tool.name', value: this.#isTool(name) ? name : otherTool };
    }
    return undefined;
  }
}

function describe(
  span: OpenSpan,
  { id, method, params }: TracedRequest,
  decoded: Decoded,
  { isLocal }: Arrival,
): void {
  span.set('mcp.method.name', method);
  span.set('mcp.protocol.version', decoded.version);
  span.set('jsonrpc.request.id', String(id).slice(0, longestValue));
  span.set('network.transport', isLocal ? 'pipe' : 'tcp');
  if (!isLocal) span.set('network.protocol.name', 'http');
  if (method === 'tools/call') span.set('gen_ai.operation.name', 'execute_tool');
  const { uri, name } = params;
  if (typeof uri === 'string') span.set('mcp.resource.uri', uri.slice(0, longestValue));
  if (method === 'prompts/get' && typeof name === 'string') {
    span.set('gen_ai.prompt.name', name.slice(0, longestValue));
  }
}
