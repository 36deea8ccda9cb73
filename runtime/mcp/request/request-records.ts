import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Arrival } from '#contract/arrival';
import { ServiceError } from '#contract/errors';
import type { OpenSpan } from '#contract/telemetry/span';
import { traceIdOf } from '#contract/trace';
import type { ObserveOperation } from '../../observe/metrics.ts';
import { errorTypeOf, type OperationObservers } from '../outcome/operation-observers.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import { errorCode, type Params, type RequestId } from '../wire/json-rpc.ts';
import type { OperationSpans } from './operation-spans.ts';
import type { Decoded } from './revision.ts';

/** One request, as far as the log and the metrics speak of it. */
export interface RecordedRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** What became of a request. */
export interface Answered {
  readonly outcome: Outcome;
  readonly seconds: number;
  readonly span: OpenSpan | undefined;
}

/** Tells the log, the metrics and the traces what became of requests. */
export class RequestRecords {
  readonly #log: Logger;
  readonly #observers: OperationObservers;
  readonly #spans: OperationSpans | undefined;

  constructor(log: Logger, observers: OperationObservers, spans?: OperationSpans) {
    this.#log = log;
    this.#observers = observers;
    this.#spans = spans;
  }

  /** The span of a request that begins now; nothing where it is not traced. */
  span(request: RecordedRequest, decoded: Decoded, arrival: Arrival): OpenSpan | undefined {
    return this.#spans?.begin(request, decoded, arrival);
  }

  observer({ method, params }: RecordedRequest): ObserveOperation {
    return this.#observers.of(method, params);
  }

  /** What a client is told of an error that nothing else has foreseen. */
  failed(error: unknown, { method }: RecordedRequest, decoded: Decoded): Outcome {
    if (error instanceof ServiceError) return { kind: 'refused', error };
    const errorId = randomUUID();
    const fields = { err: error, errorId, method, ...logFields(decoded) };
    this.#log.error(fields, 'a request failed');
    return rejected(errorCode.internal, 'internal error', { errorId });
  }

  /** Note an answer; `observe` was asked for before the request was carried out. */
  answered(
    observe: ObserveOperation,
    { method, params }: RecordedRequest,
    decoded: Decoded,
    { outcome, seconds, span }: Answered,
  ): void {
    const errorType = errorTypeOf(outcome);
    observe(decoded.version, seconds, errorType, span?.context);
    span?.end(errorType);
    if (!this.#log.isLevelEnabled('debug')) return;
    // What was done, but nothing of what it was done with: that may be secret.
    const { name } = params;
    const subject = typeof name === 'string' ? name.slice(0, 128) : undefined;
    const fields = { method, name: subject, ...logFields(decoded), seconds, errorType };
    this.#log.debug(fields, 'answered');
  }
}

function logFields({ trace }: Decoded): { readonly traceId?: string } {
  return trace ? { traceId: traceIdOf(trace) } : {};
}
