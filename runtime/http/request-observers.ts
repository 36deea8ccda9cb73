import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics, ObserveRequest } from '../observe/metrics.ts';

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
  readonly #made = new Map<string, ObserveRequest>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Count a request that begins now; `route` is empty where none matches. */
  watch(request: IncomingMessage, response: ServerResponse, route: string): void {
    const startedAt = performance.now();
    const { method = '', httpVersion } = request;
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : undefined;
      this.#of(method, route)(status, (performance.now() - startedAt) / 1000, httpVersion);
    });
  }

  #of(method: string, route: string): ObserveRequest {
    const name = knownMethods.has(method) ? method : '_OTHER';
    const key = `${name} ${route}`;
    let observer = this.#made.get(key);
    if (!observer) {
      observer = this.#metrics.httpRoute(name, route);
      this.#made.set(key, observer);
    }
    return observer;
  }
}
