/** Pages that are read from NATS at a time; the next ones wait. */
const mostPages = 4;

/**
 * Lets so many pages at a time be on their way that the server never holds more for this client than
 * it is willing to: it cuts off one that is behind by `max_pending` (64 MiB), with all that it does.
 */
export class PageTurns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= mostPages) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
