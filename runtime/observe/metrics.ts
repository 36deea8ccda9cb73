import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client';
import type { Gauge as GaugeOfSurface, SurfaceMetrics } from '#contract/house/metrics';
import { openSeries } from './histogram-series.ts';

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
  /** Show a number of a surface. @throws Error when the name is taken */
  gauge(gauge: GaugeOfSurface): void;
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
) => void;

/** Where a tool name would stand that the server does not know. */
export const otherTool = '_other';

/** Create the metrics of this process; names and buckets follow OpenTelemetry's conventions. */
export function createMetrics(): Metrics {
  const plain = new Registry();
  const openMetrics = new Registry<OpenMetricsContentType>();
  openMetrics.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [plain, openMetrics];
  // Twice, because a registry of OpenMetrics renames the counters that it writes.
  for (const register of registers) collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP server requests.',
    labelNames: [
      'http_request_method',
      'http_route',
      'http_response_status_code',
      'url_scheme',
      'error_type',
      'network_protocol_version',
    ],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    registers,
  });
  const operations = new Histogram({
    name: 'mcp_server_operation_duration_seconds',
    help: 'Duration of MCP requests as the server sees them.',
    labelNames: [
      'mcp_method_name',
      'gen_ai_tool_name',
      'error_type',
      'network_transport',
      'mcp_protocol_version',
    ],
    buckets: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
    registers,
  });
  const tasks = new Histogram({
    name: 'mcp_server_task_duration_seconds',
    help: 'Time from the creation of an MCP task to its end.',
    labelNames: ['gen_ai_tool_name', 'mcp_task_status'],
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600],
    registers,
  });
  return {
    httpRoute: (method, route) => requestObserver(requests, method, route),
    mcpOperation: (method, tool) => operationObserver(operations, method, tool),
    mcpTask(tool, status, seconds) {
      tasks.observe({ gen_ai_tool_name: tool, mcp_task_status: status }, seconds);
    },
    counter({ name, help }) {
      const counter = new Counter({ name, help, registers });
      return (by = 1) => counter.inc(by);
    },
    gauge({ name, help, read }) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read());
        },
      });
    },
    async expose(accept) {
      const registry = accept.includes('application/openmetrics-text') ? openMetrics : plain;
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

type Observe = (seconds: number) => void;

function requestObserver(histogram: Histogram, method: string, route: string): ObserveRequest {
  const children = new Map<string, Observe>();
  return (status, seconds, httpVersion = '1.1') => {
    const key = `${httpVersion} ${status}`;
    let observe = children.get(key);
    if (!observe) {
      observe = openSeries(histogram, {
        http_request_method: method,
        http_route: route,
        http_response_status_code: status ?? '',
        url_scheme: 'http',
        error_type: requestErrorType(status),
        network_protocol_version: httpVersion,
      });
      children.set(key, observe);
    }
    observe(seconds);
  };
}

function requestErrorType(status: number | undefined): string | number {
  if (status === undefined) return 'client_gone';
  return status >= 500 ? status : '';
}

function operationObserver(histogram: Histogram, method: string, tool = ''): ObserveOperation {
  const children = new Map<string, Observe>();
  return (protocolVersion, seconds, errorType = '') => {
    const key = `${protocolVersion} ${errorType}`;
    let observe = children.get(key);
    if (!observe) {
      observe = openSeries(histogram, {
        mcp_method_name: method,
        gen_ai_tool_name: tool,
        error_type: errorType,
        network_transport: 'tcp',
        mcp_protocol_version: protocolVersion,
      });
      children.set(key, observe);
    }
    observe(seconds);
  };
}
