import { LRUCache } from 'lru-cache';
import { ServiceError } from '#contract/errors';
import { atMost } from '#contract/memory/at-most';

/** More than that come back with a window of their own. */
const mostKeys = 100_000;

/** How fast requests of one key may come to this process, in windows of a fixed length. */
export class RequestPace {
  readonly #most: number;
  readonly #perMs: number;
  readonly #now: () => number;
  readonly #windows = new LRUCache<string, { start: number; count: number }>(atMost(mostKeys));

  constructor(most: number, perMs: number, now: () => number) {
    this.#most = most;
    this.#perMs = perMs;
    this.#now = now;
  }

  /** @throws ServiceError 429 where this is one too many */
  take(key: string): void {
    const now = this.#now();
    const known = this.#windows.get(key);
    if (!known || now - known.start >= this.#perMs) {
      this.#windows.set(key, { start: now, count: 1 });
      return;
    }
    known.count += 1;
    if (known.count <= this.#most) return;
    const retryAfterMs = known.start + this.#perMs - now;
    const message = `at most ${this.#most} requests in ${this.#perMs / 1000} seconds`;
    throw new ServiceError('rate_limited', 429, message, { retryAfterMs });
  }
}
