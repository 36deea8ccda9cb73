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
    return new Promise((resolve, reject) => {
      const fail = (reason: unknown) => {
        this.#end(call);
        reject(reason);
      };
      call.onAbort = fail;
      work.then((result) => {
        this.#end(call);
        resolve(result);
      }, fail);
    });
  }

  /** Stop everything that runs, because the server stops. */
  abortAll(): void {
    const reason = new ServiceError('stopping', 503, 'the server is stopping; try again later');
    for (const call of this.#deadlines.keys()) call.abort(reason);
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
