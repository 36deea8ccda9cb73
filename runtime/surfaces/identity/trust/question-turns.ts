/** Questions that are under way at a time. */
const mostAtOnce = 32;
/** Of one network, with those that wait. */
const mostOfNetwork = 8;
const mostWaiting = 256;
/** Who waits for longer is told to come again. */
const mostWaitMs = 5000;

/** What one network has under way, and who of it waits. */
interface Line {
  running: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  enter(): void;
  giveUp(reason: Error): void;
}

/**
 * Who may ask now. Those who wait are let in by network, that first of which the fewest are under
 * way: a few networks that ask for much leave the next turn to everybody else.
 */
export class QuestionTurns {
  readonly #refused: (why: string) => Error;
  /** By network, those first that have waited longest. */
  readonly #lines = new Map<string, Line>();
  #running = 0;
  #waiting = 0;

  /** @param refused makes the error for who may not wait */
  constructor(refused: (why: string) => Error) {
    this.#refused = refused;
  }

  /**
   * Begin to ask; the returned function says that it is over.
   *
   * @throws what `refused` gives where too many wait, or for too long
   */
  async enter(network: string): Promise<() => void> {
    const line = this.#lines.get(network) ?? { running: 0, waiting: [] };
    if (sizeOf(line) >= mostOfNetwork)
      throw this.#refused('too many new ones come from this network');
    this.#lines.set(network, line);
    if (this.#running < mostAtOnce) this.#begin(line);
    else await this.#wait(line);
    return () => this.#leave(network, line);
  }

  #begin(line: Line): void {
    line.running += 1;
    this.#running += 1;
  }

  #wait(line: Line): Promise<void> {
    if (this.#waiting >= mostWaiting) this.#makeRoomFor(line);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const over = () => {
      clearTimeout(timer);
      line.waiting.splice(line.waiting.indexOf(waiting), 1);
      this.#waiting -= 1;
    };
    const waiting: Waiting = {
      enter: () => {
        over();
        this.#begin(line);
        resolve();
      },
      giveUp: (reason) => {
        over();
        reject(reason);
      },
    };
    const timer = setTimeout(() => waiting.giveUp(this.#tooMany()), mostWaitMs);
    line.waiting.push(waiting);
    this.#waiting += 1;
    return promise;
  }

  /** Whoever has the most gives a place up: the newest of the network with the most. */
  #makeRoomFor(line: Line): void {
    const largest = [...this.#lines.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .reduce((most, each) => (sizeOf(each) > sizeOf(most) ? each : most));
    if (sizeOf(largest) <= sizeOf(line) + 1) throw this.#tooMany();
    largest.waiting.at(-1)?.giveUp(this.#tooMany());
  }

  #leave(network: string, line: Line): void {
    line.running -= 1;
    this.#running -= 1;
    if (sizeOf(line) === 0) this.#lines.delete(network);
    const [first] = [...this.#lines]
      .filter(([, { waiting }]) => waiting.length > 0)
      .sort(([, one], [, other]) => one.running - other.running);
    if (!first) return;
    const [name, next] = first;
    next.waiting[0]?.enter();
    // Among equals, the next turn is that of another one.
    this.#lines.delete(name);
    this.#lines.set(name, next);
  }

  #tooMany(): Error {
    return this.#refused('too many of its tokens are new here');
  }
}

function sizeOf({ running, waiting }: Line): number {
  return running + waiting.length;
}
