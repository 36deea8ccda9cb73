import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics, ObserveRequest } from '../observe/metrics.ts';
import { Pairs } from '../observe/pairs.ts';

/** The methods that the metric tells apart (OpenTelemetry, HTTP semantic conventions). */
const knownMethods = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
]);

/** Counts every request once its answer is sent or its client has left. */
export class RequestObservers {
  readonly #metrics: Metrics;
  readonly #made = new Pairs<string, string, ObserveRequest>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Count a request that begins now; `route` is empty where none matches. */
  watch(request: IncomingMessage, response: ServerResponse, route: string): void {
    const startedAt = performance.now();
    const { method = '', httpVersion } = request;
    // It comes once, and `once` would cost each request a wrapper.
    response.on('close', () => {
      const status = response.writableFinished ? response.statusCode : undefined;
      this.#of(method, route)(status, (performance.now() - startedAt) / 1000, httpVersion);
    });
  }

  #of(method: string, route: string): ObserveRequest {
    const name = knownMethods.has(method) ? method : '_OTHER';
    return (
      this.#made.get(route, name) ??
      this.#made.put(route, name, this.#metrics.httpRoute(name, route))
    );
  }
}
