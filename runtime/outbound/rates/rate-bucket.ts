import type { Clock } from '../call/clock.ts';

/** How fast a vendor may be called. */
export interface BucketRate {
  readonly requests: number;
  readonly perMs: number;
  readonly burst: number;
}

/**
 * A token bucket that promises tokens ahead of time: a caller learns how long it would have to
 * wait before it decides. It is kept as one number, the time at which the bucket is full again
 * (generic cell rate algorithm, ITU-T I.371). A fixed-window counter, as rate-limiter-flexible
 * keeps, would let twice the rate through at a window's edge and charge refused calls.
 */
export class RateBucket {
  readonly #clock: Clock;
  /** Milliseconds until the next token. */
  readonly perToken: number;
  readonly burst: number;
  /** Windows of the vendor (see `window` in rate-headers.ts) that are used up, and until when. */
  readonly #closed = new Map<string, number>();
  #fullAt = 0;

  constructor(rate: BucketRate, clock: Clock) {
    this.#clock = clock;
    this.perToken = rate.perMs / rate.requests;
    this.burst = rate.burst;
  }

  /** Tokens that are there now; less than none where some were promised. */
  get level(): number {
    return this.burst - Math.max(0, this.#fullAt - this.#clock.now()) / this.perToken;
  }

  /**
   * Take `tokens` and say how many milliseconds to wait before using them. When that is longer
   * than `maxWait`, nothing is taken.
   */
  reserve(tokens: number, maxWait: number, window: string): number {
    const now = this.#clock.now();
    const fullAt = Math.max(this.#fullAt, now) + tokens * this.perToken;
    const wait = Math.max(
      0,
      fullAt - this.burst * this.perToken - now,
      this.#closedUntil(window) - now,
    );
    if (wait <= maxWait) this.#fullAt = fullAt;
    return Math.ceil(wait);
  }

  /** Whether the vendor itself lets nothing through this window now. */
  isClosed(window: string): boolean {
    return this.#closedUntil(window) > this.#clock.now();
  }

  /** Give back tokens that were taken and not used. */
  refund(tokens: number): void {
    this.#fullAt -= tokens * this.perToken;
  }

  /** Take tokens that a call turned out to cost on top. */
  charge(tokens: number): void {
    this.#fullAt = Math.max(this.#fullAt, this.#clock.now()) + tokens * this.perToken;
  }

  /** Believe the vendor that no more than `tokens` are left. */
  lower(tokens: number): void {
    const fullAt = this.#clock.now() + (this.burst - tokens) * this.perToken;
    this.#fullAt = Math.max(this.#fullAt, fullAt);
  }

  /** Let nothing through for `ms`; the window `''` stands for all of them. */
  close(window: string, ms: number): void {
    const until = this.#clock.now() + ms;
    // A vendor has a handful of windows; whoever invents more shares one entry.
    const key = this.#closed.has(window) || this.#closed.size < 16 ? window : '';
    this.#closed.set(key, Math.max(this.#closed.get(key) ?? 0, until));
  }

  #closedUntil(window: string): number {
    return Math.max(this.#closed.get(window) ?? 0, this.#closed.get('') ?? 0);
  }
}
