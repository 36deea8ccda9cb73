import { ToolError } from '#contract/errors';
import type { CallLife } from '../call/call-life.ts';
import type { Clock } from '../call/clock.ts';
import type { FairRate, RateAccount } from './fair-rate.ts';

interface GateOptions {
  readonly clock: Clock;
  readonly rate: FairRate;
  /** Requests at the same time. */
  readonly concurrency: number;
  readonly maxWaitMs: number;
  /** Callers that wait for a free slot. */
  readonly queue: number;
  /** Several tenants call this vendor, so that one of them gets only a part of the slots. */
  readonly isShared: boolean;
}

/** Of the slots, and of the places in the line for them, so much in a hundred is there for one tenant. */
const shareOfTenant = 50;

/** What a caller that has to wait stands in line for. */
interface Turn {
  readonly tenant: string;
  /** For its tokens; what is left of `maxWait` then is for the slot. */
  readonly wait: number;
  readonly tokens: number;
  readonly maxWait: number;
}

/** Those of one tenant that are inside, and those that wait. */
interface Line {
  inside: number;
  readonly waiting: (() => void)[];
}

/** Lets requests to one vendor through: so many at a time, and so many in a while. */
export class RateGate {
  readonly #options: GateOptions;
  /** Of one tenant, where there are several. */
  readonly #mostInside: number;
  readonly #mostWaiting: number;
  /** By tenant, those first whose turn is next. */
  readonly #lines = new Map<string, Line>();
  #inside = 0;
  #waiting = 0;

  constructor(options: GateOptions) {
    const { concurrency, queue, isShared } = options;
    const most = (all: number) => (isShared ? Math.ceil((all * shareOfTenant) / 100) : all);
    this.#options = options;
    this.#mostInside = most(concurrency);
    this.#mostWaiting = most(queue);
  }

  /** What the calls of a tenant pay into. */
  account(tenant: string): RateAccount {
    return this.#options.rate.account(tenant);
  }

  /**
   * Take `tokens` and a free slot; a promise only when there is something to wait for.
   *
   * @throws ToolError `rate_limited_local` when that would take too long
   */
  enter(
    tokens: number,
    window: string,
    { life, tenant }: { readonly life: CallLife; readonly tenant: string },
  ): Promise<void> | undefined {
    const maxWait = Math.min(this.#options.maxWaitMs, Math.max(0, life.left));
    const account = this.account(tenant);
    const wait = account.reserve(tokens, maxWait, window);
    if (wait > maxWait) throw account.isClosed(window) ? paused(wait) : busy(wait);
    if (wait === 0 && this.#takeSlot(tenant)) return undefined;
    return this.#wait({ tenant, wait, tokens, maxWait }, life);
  }

  /** Free the slot that a call of this tenant had. */
  leave(tenant: string): void {
    const own = this.#lineOf(tenant);
    own.inside -= 1;
    this.#inside -= 1;
    for (const [id, line] of this.#lines) {
      if (line.inside >= this.#mostInside) continue;
      const next = line.waiting.shift();
      if (next === undefined) continue;
      this.#enter(line);
      // The next free slot is for another one, if another one waits.
      this.#lines.delete(id);
      this.#lines.set(id, line);
      next();
      break;
    }
    if (own.inside === 0 && own.waiting.length === 0) this.#lines.delete(tenant);
  }

  async #wait({ tenant, wait, tokens, maxWait }: Turn, life: CallLife): Promise<void> {
    try {
      if (wait > 0) {
        life.progress?.waits('waiting for the rate limit', wait);
        await life.sleep(wait);
      }
      if (!this.#takeSlot(tenant)) await this.#slot(tenant, maxWait - wait, life);
    } catch (error) {
      this.account(tenant).refund(tokens);
      throw error;
    }
  }

  #takeSlot(tenant: string): boolean {
    const line = this.#lineOf(tenant);
    if (this.#inside >= this.#options.concurrency || line.inside >= this.#mostInside) return false;
    this.#enter(line);
    return true;
  }

  #enter(line: Line): void {
    line.inside += 1;
    this.#inside += 1;
  }

  #lineOf(tenant: string): Line {
    const known = this.#lines.get(tenant);
    if (known) return known;
    const line: Line = { inside: 0, waiting: [] };
    this.#lines.set(tenant, line);
    return line;
  }

  /** Stand in line; whoever leaves hands over its slot. */
  #slot(tenant: string, maxWait: number, life: CallLife): Promise<void> {
    const { waiting } = this.#lineOf(tenant);
    const isFull = this.#waiting >= this.#options.queue || waiting.length >= this.#mostWaiting;
    if (isFull) throw busy(maxWait);
    life.progress?.waits('waiting for other calls');
    return new Promise((resolve, reject) => {
      let over: (() => void) | undefined;
      const end = () => {
        this.#waiting -= 1;
        over?.();
        callOff();
      };
      const enter = () => {
        end();
        resolve();
      };
      const giveUp = (reason: ToolError) => {
        waiting.splice(waiting.indexOf(enter), 1);
        end();
        reject(reason);
      };
      const callOff = this.#options.clock.schedule(maxWait, () => giveUp(busy(maxWait)));
      waiting.push(enter);
      this.#waiting += 1;
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
