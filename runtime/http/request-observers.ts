import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Metrics, ObserveRequest } from '../observe/metrics.ts';
import { Pairs } from '../observe/pairs.ts';
import { clock } from '../process/clock.ts';

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
  readonly #onEnd: RequestListener;
  readonly #made = new Pairs<string, string, ObserveRequest>();

  /** `onEnd` is told of each request that is over. */
  constructor(metrics: Metrics, onEnd: RequestListener) {
    this.#metrics = metrics;
    this.#onEnd = onEnd;
  }

  /** Count a request that begins now; `route` is empty where none matches. */
  watch(request: IncomingMessage, response: ServerResponse, route: string): void {
    const startedAt = clock.now();
    const { method = '', httpVersion } = request;
    // It comes once, and `once` would cost each request a wrapper.
    response.on('close', () => {
      const status = response.writableFinished ? response.statusCode : undefined;
      this.#of(method, route)(status, (clock.now() - startedAt) / 1000, httpVersion);
      this.#onEnd(request, response);
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
