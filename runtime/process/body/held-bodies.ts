import { Line, type Place } from '../line.ts';

/** Bytes of all bodies that are not complete. */
const mostBytes = 64 * 1024 * 1024;

interface Held {
  bytes: number;
  readonly giveUp: () => void;
}

/** One body that is being received. */
export type HeldBody = Place<Held>;

/**
 * What the bodies of all requests hold that are not complete. Each could be as large as a body may be,
 * and its client may take its time: where they are too much together, the one that has waited longest
 * is given up. Who sends a whole body at once is never that one.
 */
export class HeldBodies {
  readonly #most: number;
  readonly #line = new Line<Held>();
  #bytes = 0;

  constructor(most = mostBytes) {
    this.#most = most;
  }

  /** A body begins; `giveUp` is called at most once, when it has to make room. */
  open(giveUp: () => void): HeldBody {
    return this.#line.add({ bytes: 0, giveUp });
  }

  /** So many more bytes of it have come. */
  add(body: HeldBody, bytes: number): void {
    if (!this.#line.has(body)) return;
    body.value.bytes += bytes;
    this.#bytes += bytes;
    while (this.#bytes > this.#most) {
      const oldest = this.#line.first;
      if (!oldest) return;
      this.close(oldest);
      oldest.value.giveUp();
    }
  }

  /** It is complete, or given up. */
  close(body: HeldBody): void {
    if (this.#line.remove(body)) this.#bytes -= body.value.bytes;
  }
}

/** Those of this process. */
export const heldBodies = new HeldBodies();
