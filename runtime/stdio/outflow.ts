import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes of whole answers that are held for the client; a larger one is held alone. */
const mostHeld = 8 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * What the client is to read. Where it does not, nothing more is taken from the server: answers stay
 * there, in the buffers of their connections, and memory here has an end.
 */
export class Outflow {
  readonly #output: Writable;
  #held = 0;
  #waiting: Waiting[] = [];
  #drain: Promise<void> | undefined;

  constructor(output: Writable) {
    this.#output = output;
  }

  /** The client has not read what was written. */
  get isBlocked(): boolean {
    return this.#output.writableNeedDrain && !this.#isOver;
  }

  /** Write one message, and wait until there is room for more. */
  async say(text: Buffer | string): Promise<void> {
    if (this.#isOver) return;
    const output = this.#output;
    output.cork();
    output.write(text);
    output.write('\n');
    output.uncork();
    await this.clear();
  }

  /** Wait until the client has read what was written. */
  async clear(): Promise<void> {
    while (this.isBlocked) {
      this.#drain ??= once(this.#output, 'drain').then(() => {
        this.#drain = undefined;
      });
      await this.#drain;
    }
  }

  /**
   * Wait until the client has read nothing of what waits for it for `ms` milliseconds.
   *
   * @throws AbortError once `signal` says that nobody wants to know
   */
  async abandoned(ms: number, signal: AbortSignal): Promise<void> {
    for (let before = 0; !this.isBlocked || this.#output.writableLength !== before; ) {
      before = this.#output.writableLength;
      await sleep(ms, undefined, { signal });
    }
  }

  /** Wait for at most `ms` milliseconds until the client has read everything, and say whether it has. */
  async flushed(ms: number): Promise<boolean> {
    if (this.#isOver) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, ms, false);
    // It is called after everything before it; with an error where nobody can read any more.
    this.#output.write('', () => resolve(true));
    return promise.finally(() => clearTimeout(timer));
  }

  /**
   * Hold a whole answer of so many bytes as soon as there is room for it, in the order in which they
   * came; `work` takes it from the server and writes it.
   */
  async hold(bytes: number, work: () => Promise<void>): Promise<void> {
    if (this.#waiting.length > 0 || !this.#admits(bytes)) {
      await new Promise<void>((begin) => this.#waiting.push({ bytes, begin }));
    } else this.#held += bytes;
    try {
      await this.clear();
      await work();
    } finally {
      this.#held -= bytes;
      this.#next();
    }
  }

  get #isOver(): boolean {
    return this.#output.destroyed || this.#output.writableEnded;
  }

  #admits(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= mostHeld;
  }

  #next(): void {
    while (this.#waiting[0] && this.#admits(this.#waiting[0].bytes)) {
      const { bytes, begin } = this.#waiting.shift() as Waiting;
      this.#held += bytes;
      begin();
    }
  }
}
