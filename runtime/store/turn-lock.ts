import { storeUnavailable } from './failures.ts';

/** Lets one holder at a time pass, in the order in which they came. */
export class TurnLock {
  readonly #patienceMs: number;
  readonly #waiting = new Set<() => void>();
  #held = false;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** @throws ServiceError when it is not the caller's turn in time */
  async acquire(): Promise<void> {
    if (!this.#held) {
      this.#held = true;
      return;
    }
    const turn = Promise.withResolvers<void>();
    this.#waiting.add(turn.resolve);
    const timer = setTimeout(() => {
      this.#waiting.delete(turn.resolve);
      turn.reject(storeUnavailable('another transaction takes too long'));
    }, this.#patienceMs);
    await turn.promise.finally(() => clearTimeout(timer));
  }

  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#held = false;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
