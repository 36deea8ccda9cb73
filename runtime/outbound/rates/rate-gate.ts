import { ToolError } from '#contract/errors';
import type { CallLife } from '../call/call-life.ts';
import type { Clock } from '../call/clock.ts';
import type { RateBucket } from './rate-bucket.ts';

interface GateOptions {
  readonly clock: Clock;
  readonly bucket: RateBucket;
  /** Requests at the same time. */
  readonly concurrency: number;
  readonly maxWaitMs: number;
  /** Callers that wait for a free slot. */
  readonly queue: number;
}

/** What a caller that has to wait stands in line for. */
interface Turn {
  /** For its tokens; what is left of `maxWait` then is for the slot. */
  readonly wait: number;
  readonly tokens: number;
  readonly maxWait: number;
}

/** Lets requests to one vendor through: so many at a time, and so many in a while. */
export class RateGate {
  readonly bucket: RateBucket;
  readonly #options: GateOptions;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(options: GateOptions) {
    this.bucket = options.bucket;
    this.#options = options;
  }

  /**
   * Take `tokens` and a free slot; a promise only when there is something to wait for.
   *
   * @throws ToolError `rate_limited_local` when that would take too long
   */
  enter(tokens: number, window: string, life: CallLife): Promise<void> | undefined {
    const maxWait = Math.min(this.#options.maxWaitMs, Math.max(0, life.left));
    const wait = this.bucket.reserve(tokens, maxWait, window);
    if (wait > maxWait) throw this.bucket.isClosed(window) ? paused(wait) : busy(wait);
    if (wait === 0 && this.#inside < this.#options.concurrency) {
      this.#inside += 1;
      return undefined;
    }
    return this.#wait({ wait, tokens, maxWait }, life);
  }

  /** Free the slot. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#inside -= 1;
    else next();
  }

  async #wait({ wait, tokens, maxWait }: Turn, life: CallLife): Promise<void> {
    try {
      if (wait > 0) {
        life.progress?.waits('waiting for the rate limit', wait);
        await life.sleep(wait);
      }
      if (this.#inside < this.#options.concurrency) this.#inside += 1;
      else await this.#slot(maxWait - wait, life);
    } catch (error) {
      this.bucket.refund(tokens);
      throw error;
    }
  }

  /** Stand in line; whoever leaves hands over its slot. */
  #slot(maxWait: number, life: CallLife): Promise<void> {
    if (this.#waiting.length >= this.#options.queue) throw busy(maxWait);
    life.progress?.waits('waiting for other calls');
    return new Promise((resolve, reject) => {
      let over: (() => void) | undefined;
      const enter = () => {
        over?.();
        callOff();
        resolve();
      };
      const giveUp = (reason: ToolError) => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        over?.();
        callOff();
        reject(reason);
      };
      const callOff = this.#options.clock.schedule(maxWait, () => giveUp(busy(maxWait)));
      this.#waiting.push(enter);
      over = life.during(giveUp);
    });
  }
}

function busy(retryAfterMs: number): ToolError {
  return new ToolError('rate_limited_local', 'this server calls the vendor as often as it may', {
    retryable: true,
    retryAfterMs,
  });
}

/** The vendor's own wish, which no setting of this server shortens. */
function paused(retryAfterMs: number): ToolError {
  return new ToolError('rate_limited_local', 'the vendor has asked not to be called for a while', {
    retryable: true,
    retryAfterMs,
  });
}
