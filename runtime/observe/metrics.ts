import type { Gauge, Labelled, SurfaceMetrics } from '#contract/house/metrics';
import type { OwnSample } from '#contract/telemetry/own-telemetry';
import type { TraceContext } from '#contract/trace';
import { Histogram } from './histogram.ts';
import type { CollectedMetric, Sample } from './metric.ts';
import { MetricShelf } from './metric-shelf.ts';
import { Pairs } from './pairs.ts';

/** What the server counts and measures about itself. */
export interface Metrics extends SurfaceMetrics {
  /** The observer of one route; `route` is empty where none matched. Ask for it once, not per request. */
  httpRoute(method: string, route: string): ObserveRequest;
  /**
   * The observer of one MCP method, for `tools/call` of one tool. Ask for it once, not per call,
   * and only with names that this server knows: each becomes a time series for good.
   */
  mcpOperation(method: string, tool?: string): ObserveOperation;
  /** Note the end of a task; `tool` is one that this server knows. */
  mcpTask(tool: string, status: string, seconds: number): void;
  /** Count an answer that is not as the output schema of its tool says; `tool` is one that this server knows. */
  toolMisfit(tool: string): void;
  /** All values as they are now. */
  samples(): Promise<readonly OwnSample[]>;
  /** The same, together as metrics. */
  collect(): Promise<readonly CollectedMetric[]>;
  /** Show a number of a surface. @throws Error when the name is taken */
  gauge(gauge: Gauge): void;
}

/** `status` is absent when the client left before it had its answer. */
export type ObserveRequest = (
  status: number | undefined,
  seconds: number,
  httpVersion?: string,
) => void;

/** `errorType` is a JSON-RPC error code, `tool_error`, `client_gone`, or absent after a success. */
export type ObserveOperation = (
  protocolVersion: string,
  seconds: number,
  errorType?: string,
  /** Of the call, where it is traced. */
  trace?: TraceContext,
) => void;

/** Where a tool name would stand that the server does not know. */
export const otherTool = '_other';

/** How long after its first answer a server begins to measure Node.js. */
const settleMs = 1000;

/** Create the metrics of this process; names and buckets follow OpenTelemetry's conventions. */
export function createMetrics(): Metrics {
  const shelf = new MetricShelf();
  let isSettling = false;
  const requests = shelf.add(
    new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Duration of HTTP server requests.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
      onOpen() {
        if (isSettling) return;
        isSettling = true;
        setTimeout(() => shelf.measureNode(), settleMs).unref();
      },
    }),
  );
  const operations = shelf.add(
    new Histogram({
      name: 'mcp_server_operation_duration_seconds',
      help: 'Duration of MCP requests as the server sees them.',
      buckets: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
    }),
  );
  const tasks = shelf.add(
    new Histogram({
      name: 'mcp_server_task_duration_seconds',
      help: 'Time from the creation of an MCP task to its end.',
      buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600],
    }),
  );
  return {
    httpRoute: (method, route) => requestObserver(requests, method, route),
    mcpOperation: (method, tool) => operationObserver(operations, method, tool),
    mcpTask: taskObserver(tasks),
    toolMisfit: misfitCounter(shelf),
    counter({ name, help }) {
      let value = 0;
      shelf.add({ name, help, type: 'counter', samples: () => [{ value }] });
      return (by = 1) => {
        if (!(by >= 0)) throw new RangeError(`${name} only grows, it cannot grow by ${by}`);
        value += by;
      };
    },
    counters: labelledCounters(shelf),
    gauge({ name, help, read }) {
      shelf.add({ name, help, type: 'gauge', samples: async () => readable(read) });
    },
    expose: (accept) => shelf.expose(accept),
    samples: () => shelf.samples(),
    collect: () => shelf.collect(),
  };
}

/** One value for each set of labels that was counted with; those come from few known values. */
function labelledCounters(shelf: MetricShelf): SurfaceMetrics['counters'] {
  return ({ name, help }) => {
    const values = new Map<string, Labelled & { value: number }>();
    shelf.add({ name, help, type: 'counter', samples: () => [...values.values()] });
    return (labels, by = 1) => {
      if (!(by >= 0)) throw new RangeError(`${name} only grows, it cannot grow by ${by}`);
      const key = JSON.stringify(labels);
      const counted = values.get(key) ?? { labels, value: 0 };
      counted.value += by;
      values.set(key, counted);
    };
  };
}

/** What cannot be read now has no sample: all other metrics are wanted most where something fails. */
async function readable(read: Gauge['read']): Promise<readonly Sample[]> {
  try {
    const found = await read();
    return typeof found === 'number' ? [{ value: found }] : found;
  } catch {
    return [];
  }
}

type Observe = (seconds: number, trace?: TraceContext) => void;

function requestObserver(histogram: Histogram, method: string, route: string): ObserveRequest {
  const children = new Pairs<string, number | undefined, Observe>();
  const open = (status: number | undefined, httpVersion: string) =>
    histogram.open({
      http_request_method: method,
      http_route: route,
      http_response_status_code: status ?? '',
      url_scheme: 'http',
      error_type: requestErrorType(status),
      network_protocol_version: httpVersion,
    });
  return (status, seconds, httpVersion = '1.1') => {
    const observe =
      children.get(httpVersion, status) ??
      children.put(httpVersion, status, open(status, httpVersion));
    observe(seconds);
  };
}

function requestErrorType(status: number | undefined): string | number {
  if (status === undefined) return 'client_gone';
  return status >= 500 ? status : '';
}

function operationObserver(histogram: Histogram, method: string, tool = ''): ObserveOperation {
  const children = new Pairs<string, string, Observe>();
  const open = (protocolVersion: string, errorType: string) =>
    histogram.open({
      mcp_method_name: method,
      gen_ai_tool_name: tool,
      error_type: errorType,
      network_transport: 'tcp',
      mcp_protocol_version: protocolVersion,
    });
  return (protocolVersion, seconds, errorType = '', trace) => {
    const observe =
      children.get(protocolVersion, errorType) ??
      children.put(protocolVersion, errorType, open(protocolVersion, errorType));
    observe(seconds, trace);
  };
}

function taskObserver(histogram: Histogram): Metrics['mcpTask'] {
  const children = new Map<string, Observe>();
  return (tool, status, seconds) => {
    const key = `${tool} ${status}`;
    let observe = children.get(key);
    if (!observe) {
      observe = histogram.open({ gen_ai_tool_name: tool, mcp_task_status: status });
      children.set(key, observe);
    }
    observe(seconds);
  };
}

function misfitCounter(shelf: MetricShelf): Metrics['toolMisfit'] {
  const counts = new Map<string, number>();
  shelf.add({
    name: 'vendor_answer_misfits_total',
    help: 'Answers of vendors that are not as the output schema of the tool says.',
    type: 'counter',
    samples: () =>
      Array.from(counts, ([tool, value]) => ({ labels: { gen_ai_tool_name: tool }, value })),
  });
  return (tool) => {
    counts.set(tool, (counts.get(tool) ?? 0) + 1);
  };
}
