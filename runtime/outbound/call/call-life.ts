import type { CallContext } from '#contract/caller';
import { ToolError } from '#contract/errors';
import type { OpenSpan } from '#contract/telemetry/span';
import type { TraceContext } from '#contract/trace';
import type { CallProgress } from './call-progress.ts';
import type { Clock } from './clock.ts';

/** What a call means to whoever made it. */
interface CallOwner {
  readonly call: Pick<CallContext, 'signal' | 'whenAborted' | 'span'>;
  readonly progress?: CallProgress | undefined;
  readonly trace?: TraceContext | undefined;
}

type Cancel = (reason: ToolError) => void;

/**
 * The time that one call has: it ends at the deadline or when the caller goes away. Until then the
 * caller may want to hear of it.
 */
export class CallLife {
  readonly endsAt: number;
  readonly progress: CallProgress | undefined;
  /** The trace that the call belongs to. */
  readonly trace: TraceContext | undefined;
  /** Its span; absent where it is not traced here. */
  readonly span: OpenSpan | undefined;
  readonly #clock: Clock;
  readonly #letGo: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Cancel>();
  #ended: ToolError | undefined;

  constructor({ call, progress, trace }: CallOwner, timeoutMs: number, clock: Clock) {
    this.endsAt = clock.now() + timeoutMs;
    this.progress = progress;
    this.trace = trace;
    this.span = call.span;
    this.#clock = clock;
    this.#timer = setTimeout(() => this.#end(timeoutError(timeoutMs)), timeoutMs);
    const cancel = () => this.#end(cancelledError());
    this.#letGo = call.whenAborted?.(cancel) ?? onceAborted(call.signal, cancel);
  }

  /** Milliseconds that are left. */
  get left(): number {
    return this.endsAt - this.#clock.now();
  }

  /** Have `cancel` called when the call ends; the returned function says that it is over before. */
  during(cancel: Cancel): () => void {
    if (this.#ended !== undefined) cancel(this.#ended);
    this.#running.add(cancel);
    return () => this.#running.delete(cancel);
  }

  /** Wait for `promise`, but no longer than the call lasts. */
  within<Result>(promise: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const over = this.during(reject);
      promise.then(resolve, reject).finally(over);
    });
  }

  /** Have `act` done after so many milliseconds; the returned function calls it off. */
  after(ms: number, act: () => void): () => void {
    return this.#clock.schedule(ms, act);
  }

  /** Wait, but no longer than the call lasts. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const callOff = this.#clock.schedule(ms, () => {
        over();
        resolve();
      });
      const over = this.during((reason) => {
        callOff();
        reject(reason);
      });
    });
  }

  /** Let go of the timers and of the caller's signal. */
  close(): void {
    this.progress?.close();
    clearTimeout(this.#timer);
    this.#letGo();
  }

  #end(reason: ToolError): void {
    this.#ended ??= reason;
    for (const cancel of this.#running) cancel(this.#ended);
    this.#running.clear();
  }
}

function onceAborted(signal: AbortSignal, cancel: () => void): () => void {
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel);
  return () => signal.removeEventListener('abort', cancel);
}

function timeoutError(timeoutMs: number): ToolError {
  return new ToolError('upstream_timeout', `no answer within ${timeoutMs} ms`);
}

function cancelledError(): ToolError {
  return new ToolError('upstream_timeout', 'the call was cancelled before the vendor answered', {
    retryable: false,
  });
}
