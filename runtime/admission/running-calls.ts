import { ServiceError, ToolError } from '#contract/errors';
import type { Call } from './call.ts';

/**
 * The calls that are running. All have the same time, so they end in the order in which they
 * began: one timer for the oldest serves them all.
 */
export class RunningCalls {
  readonly #timeoutMs: number;
  readonly #deadlines = new Map<Call, number>();
  #timer: NodeJS.Timeout | undefined;
  #working = 0;
  #idle: (() => void) | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get size(): number {
    return this.#deadlines.size;
  }

  /** Give what `work` gives, or fail as soon as the call is aborted, even when `work` goes on. */
  settle<Result>(call: Call, work: Promise<Result>): Promise<Result> {
    this.#deadlines.set(call, performance.now() + this.#timeoutMs);
    this.#timer ??= this.#wakeIn(this.#timeoutMs);
    this.#working += 1;
    return new Promise((resolve, reject) => {
      const fail = (reason: unknown) => {
        this.#end(call);
        reject(reason);
      };
      call.onAbort = fail;
      work.then(
        (result) => {
          this.#leave();
          this.#end(call);
          resolve(result);
        },
        (reason) => {
          this.#leave();
          fail(reason);
        },
      );
    });
  }

  /** Wait until all work has ended, also that of calls that were aborted: its outcome counts. */
  async ended(): Promise<void> {
    if (this.#working === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    await promise;
  }

  /** Stop everything that runs, because the server stops. */
  abortAll(): void {
    const reason = new ServiceError('stopping', 503, 'the server is stopping; try again later');
    for (const call of this.#deadlines.keys()) call.abort(reason);
  }

  #leave(): void {
    this.#working -= 1;
    if (this.#working === 0) this.#idle?.();
  }

  #end(call: Call): void {
    this.#deadlines.delete(call);
    // Or else the call, and with it the whole answer, would stay reachable for longer.
    call.onAbort = undefined;
  }

  #wakeIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), ms).unref();
  }

  #expire(): void {
    const now = performance.now();
    for (const [call, deadline] of this.#deadlines) {
      if (deadline > now) {
        this.#timer = this.#wakeIn(Math.ceil(deadline - now));
        return;
      }
      call.abort(timedOut(this.#timeoutMs));
    }
    this.#timer = undefined;
  }
}

function timedOut(ms: number): ToolError {
  return new ToolError('upstream_timeout', `the call took longer than ${ms} ms and was stopped`, {
    retryable: true,
  });
}
