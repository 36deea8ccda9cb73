import { setImmediate as turn } from 'node:timers/promises';
import { QueryRefusal } from '../refusal.ts';

/** Samples and lines that one query may look at, each as often as it does. */
export const mostLooked = 20_000_000;
/** How long a query works before others get a turn, in milliseconds. */
const turnMs = 10;
/** So much is looked at between two looks at the clock. */
const perLook = 500;

/**
 * What one query costs. Other requests get their turn in the middle of it, and it ends with its signal:
 * a deadline counts for what this process computes as it does for a back end.
 */
export class Pace {
  readonly #signal: AbortSignal;
  #looked = 0;
  #lookAt = perLook;
  #begun = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Count what is looked at.
   *
   * @throws QueryRefusal where it becomes too much
   */
  spend(count: number): void {
    this.#looked += count;
    if (this.#looked <= mostLooked) return;
    throw new QueryRefusal(
      'the query looks at too many samples or lines: ask for less time, longer steps or fewer series',
    );
  }

  /** Whether it is the turn of others. */
  get isDue(): boolean {
    if (this.#looked < this.#lookAt) return false;
    this.#lookAt = this.#looked + perLook;
    return performance.now() - this.#begun >= turnMs;
  }

  /** Let others have their turn; throws the reason of the signal where it has ended meanwhile. */
  async rest(): Promise<void> {
    await turn();
    this.#signal.throwIfAborted();
    this.#begun = performance.now();
  }

  /** Do a work that yields wherever a turn is due. */
  async run<Result>(work: Generator<void, Result>): Promise<Result> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      await this.rest();
    }
  }
}
