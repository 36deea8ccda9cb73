import type { ServerResponse } from 'node:http';
import type { Arrival } from '#contract/arrival';
import type { Route } from '#contract/surface/route';
import type { OpenSpan } from '#contract/telemetry/span';
import { parseTrace } from '#contract/trace';
import type { Tracer } from '../observe/spans/tracer.ts';

/**
 * Begin the span of a request for a route, which ends with its answer (OpenTelemetry, HTTP server
 * span). The path itself may hold what the client gave, so the pattern stands for it.
 */
export function routeSpan(
  tracer: Tracer,
  { method, path }: Pick<Route, 'method' | 'path'>,
  { headers, tenant }: Arrival,
  response: ServerResponse,
): OpenSpan | undefined {
  const parent = parseTrace(headers['traceparent'], headers['tracestate']);
  if (!tracer.samples(parent)) return undefined;
  const span = tracer.begin({ name: `${method} ${path}`, kind: 'server', parent });
  span.tenant = tenant;
  span.set('http.request.method', method);
  span.set('http.route', path);
  span.set('url.scheme', 'http');
  response.once('close', () => {
    const { statusCode, writableFinished } = response;
    span.set('http.response.status_code', String(statusCode));
    const failed = statusCode >= 500 ? String(statusCode) : undefined;
    span.end(writableFinished ? failed : 'client_gone');
  });
  return span;
}
