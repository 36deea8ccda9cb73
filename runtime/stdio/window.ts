/** Requests that the server is given at a time, but for those that take long. */
const mostAtOnce = 64;

/** A request that is not answered by then takes nobody's place: it may wait for a person. */
const quickMs = 1_000;

/** A request that the server has been given. */
export interface Place {
  /** Its answer has come: it keeps the place until the client has got it. */
  hold(): void;
  leave(): void;
}

/**
 * Gives the server so many requests at a time that the answers of a client that does not read have
 * an end. Those that take long do not count, or else they would keep all others out.
 */
export class Window {
  readonly #isBlocked: () => boolean;
  #taken = 0;
  #waiting: (() => void)[] = [];

  constructor(isBlocked: () => boolean) {
    this.#isBlocked = isBlocked;
  }

  /** Wait for a place. */
  async enter(): Promise<Place> {
    if (this.#waiting.length > 0 || !this.#hasRoom) {
      await new Promise<void>((begin) => this.#waiting.push(begin));
    } else this.#taken += 1;
    let isIn = true;
    const leave = () => {
      clearTimeout(timer);
      if (!isIn) return;
      isIn = false;
      this.#taken -= 1;
      this.next();
    };
    const timer = setTimeout(leave, quickMs).unref();
    return { leave, hold: () => clearTimeout(timer) };
  }

  /** Let in who waits, as far as there is room: a place is free, or the client has begun to read. */
  next(): void {
    while (this.#waiting.length > 0 && this.#hasRoom) {
      this.#taken += 1;
      this.#waiting.shift()?.();
    }
  }

  get #hasRoom(): boolean {
    return this.#taken < mostAtOnce && !this.#isBlocked();
  }
}
