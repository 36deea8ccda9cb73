import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { limits } from './numbers.ts';

/** How many queries each caller has under way: what one does, back ends of all pay for. */
export class CallerTurns {
  readonly #running = new Map<string, number>();

  /** @throws ServiceError `rate_limited` */
  async take<Result>({ tenant, subject }: Caller, work: () => Promise<Result>): Promise<Result> {
    const key = `${tenant} ${subject}`;
    const running = this.#running.get(key) ?? 0;
    if (running >= limits.ofCaller) {
      const message = `${limits.ofCaller} queries of this caller are under way: wait for one of them`;
      throw new ServiceError('rate_limited', 429, message, { retryAfterMs: 1000 });
    }
    this.#running.set(key, running + 1);
    try {
      return await work();
    } finally {
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left === 0) this.#running.delete(key);
      else this.#running.set(key, left);
    }
  }
}
