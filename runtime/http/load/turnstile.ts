import type { IncomingMessage, ServerResponse } from 'node:http';
import { clock } from '../../process/clock.ts';

export interface TurnstileOptions {
  /** Let a request in. */
  readonly open: (request: IncomingMessage, response: ServerResponse) => void;
  /** Send a request away, to come again later. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void;
  /** Calls that run now. */
  readonly running: () => number;
  readonly mostRunning: number;
  /** How long a request may wait for the processor, in milliseconds. */
  readonly mostWaitMs: number;
}

/** Requests that may wait; their connections are open in any case. */
const mostWaiting = 5_000;

/** So many are let in, however long they have waited. */
const fewWaiting = 50;

/** How often it is looked whether the event loop goes round. */
const tickMs = 5;

/** A turn of the event loop that takes longer has more to do than is good for who comes next. */
const longTurnMs = 15;

/** So long requests are let in before the event loop goes round. */
const sliceMs = 5;

/** Of that time, so much at most goes to refusals when there is somebody to let in. */
const shareOfRefusals = 0.25;

/** Without requests for so long, nothing is measured. */
const idleMs = 1_000;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
}

/**
 * Lets in as many requests as the process can do. As long as it keeps up, each goes straight through.
 * Where requests come faster, they stand in line, while the event loop goes on to accept and to read.
 * Who has waited too long there is sent away; as long as there are such, who comes last is let in
 * first, or else all would have waited almost too long.
 */
export class Turnstile {
  readonly #options: TurnstileOptions;
  /** Who has left it stands there no more: what is old and holds requests makes them old, too. */
  #line: (Waiting | undefined)[] = [];
  /** Where in it the first one stands. */
  #first = 0;
  #ticker: NodeJS.Timeout | undefined;
  #lastTick = 0;
  #lastRequest = 0;
  /** Clients have connected since the line was last served, and a request was let in since then. */
  #connects = false;
  #hasOpened = false;
  #isServing = false;

  constructor(options: TurnstileOptions) {
    this.#options = options;
  }

  /** A request has come. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const { open, refuse, running, mostRunning } = this.#options;
    const now = clock.now();
    this.#lastRequest = now;
    if (this.#ticker === undefined) this.#watch(now);
    if (running() >= mostRunning) refuse(request, response);
    else if (this.#isQuiet(now)) open(request, response);
    else this.#stand({ request, response, since: now });
  }

  /** A client has connected; more of them may be waiting to. */
  connected(): void {
    this.#connects = true;
    this.#hasOpened = false;
  }

  /** Nobody waits; where clients have just connected, that is so for the first request alone. */
  #isQuiet(now: number): boolean {
    if (this.#isServing || now - this.#lastTick >= longTurnMs) return false;
    const isFirst = !this.#hasOpened;
    this.#hasOpened = true;
    return isFirst || !this.#connects;
  }

  #stand(waiting: Waiting): void {
    if (this.#line.length - this.#first >= mostWaiting) {
      this.#options.refuse(waiting.request, waiting.response);
      return;
    }
    this.#line.push(waiting);
    if (this.#isServing) return;
    this.#isServing = true;
    setImmediate(() => this.#serve());
  }

  /**
   * Let in who stands in line, for a slice of time; then the event loop reads what has come. It
   * accepts one connection each time: while clients connect, one request is let in for each.
   */
  #serve(): void {
    const began = clock.now();
    const slice = this.#connects ? 0 : sliceMs;
    this.#connects = false;
    let now = this.#refuseOld(began, slice * shareOfRefusals);
    do {
      const next = this.#next(now);
      if (next !== undefined) this.#options.open(next.request, next.response);
      now = clock.now();
    } while (this.#first < this.#line.length && now < began + slice);
    if (this.#first === this.#line.length || this.#first > mostWaiting) {
      this.#line.splice(0, this.#first);
      this.#first = 0;
    }
    this.#isServing = this.#line.length > 0;
    if (this.#isServing) setImmediate(() => this.#serve());
  }

  /** The line is done before it matters how long it took: whatever stopped the process is over. */
  get #isShort(): boolean {
    return this.#line.length - this.#first <= fewWaiting;
  }

  /** Send away who has waited too long, for a part of the slice: letting in is what counts. */
  #refuseOld(began: number, forMs: number): number {
    const { refuse, mostWaitMs } = this.#options;
    let now = began;
    do {
      const oldest = this.#line[this.#first];
      if (oldest === undefined || this.#isShort || began - oldest.since <= mostWaitMs) return now;
      this.#leave();
      if (!oldest.request.destroyed) refuse(oldest.request, oldest.response);
      now = clock.now();
    } while (now < began + forMs);
    return now;
  }

  /** Who comes next: the first in line or, when the line is too long for all of it, the last. */
  #next(now: number): Waiting | undefined {
    const { mostWaitMs, running, mostRunning, refuse } = this.#options;
    const oldest = this.#line[this.#first];
    if (oldest === undefined) return undefined;
    const isCrowded = !this.#isShort && now - oldest.since > mostWaitMs / 2;
    const next = isCrowded ? this.#line.pop() : oldest;
    if (!isCrowded) this.#leave();
    if (next === undefined) return undefined;
    // Whoever has left is nobody to work for while others wait.
    if (!this.#isShort && next.request.destroyed) return undefined;
    const isFresh = this.#isShort || now - next.since <= mostWaitMs;
    if (isFresh && running() < mostRunning) return next;
    refuse(next.request, next.response);
    return undefined;
  }

  /** The first in line is gone. */
  #leave(): void {
    this.#line[this.#first] = undefined;
    this.#first += 1;
  }

  #watch(now: number): void {
    this.#lastTick = now;
    this.#ticker = setInterval(() => {
      this.#lastTick = clock.now();
      if (!this.#isServing) this.#connects = false;
      if (this.#lastTick - this.#lastRequest < idleMs) return;
      clearInterval(this.#ticker);
      this.#ticker = undefined;
    }, tickMs).unref();
  }
}
