import { LRUCache } from 'lru-cache';
import { clock } from '../process/clock.ts';

/** So long a caller counts as one that has held threads, in milliseconds. */
const memoryMs = 10_000;

/** Whoever has held threads for longer in that time leaves one of them to the others. */
const lightMs = 250;

/**
 * A script that ends within this time does not count: nobody waits long for it, and on a busy machine
 * those of a caller with little would soon look like much.
 */
const shortMs = 100;

/** Callers that are remembered. */
const mostCallers = 1_000;

interface Held {
  /** The time of all its scripts, and what its long ones took beyond being short; in milliseconds. */
  readonly all: number;
  readonly long: number;
  readonly at: number;
}

/** A thread that somebody has: its time counts from the beginning of the script, not while it starts. */
export interface Hold {
  began(): void;
  giveBack(): void;
}

/**
 * Who may have a thread: nobody more than half of them while others wait. The last one is for those
 * who are known to come with little, so that neither strangers nor long scripts take it from them.
 */
export class ThreadShares {
  readonly #threads: number;
  readonly #now: () => number;
  readonly #running = new Map<string, number>();
  /** How long each caller has held threads, at the end of what it ran last. */
  readonly #held = new LRUCache<string, Held>({ max: mostCallers });
  #inUse = 0;

  /** `now` gives milliseconds. */
  constructor(threads: number, now = () => clock.now()) {
    this.#threads = threads;
    this.#now = now;
  }

  mayTake(owner: string, othersWait: boolean): boolean {
    const left = this.#threads - this.#inUse;
    if (left <= 0) return false;
    if (othersWait && this.running(owner) >= Math.ceil(this.#threads / 2)) return false;
    return left > 1 || this.#threads === 1 || this.#isProven(owner);
  }

  /** Whether the scripts of a caller were short: of a new one nobody knows whether its first one ends. */
  #isProven(owner: string): boolean {
    return this.#held.has(owner) && this.isLight(owner);
  }

  /** Whether a caller has held threads for little time lately. */
  isLight(owner: string): boolean {
    return this.#lately(owner).long <= lightMs;
  }

  running(owner: string): number {
    return this.#running.get(owner) ?? 0;
  }

  /** A thread is taken. */
  take(owner: string): Hold {
    let began: number | undefined;
    this.#inUse += 1;
    this.#running.set(owner, this.running(owner) + 1);
    return {
      began: () => {
        began = this.#now();
      },
      giveBack: () => {
        this.#inUse -= 1;
        const others = this.running(owner) - 1;
        if (others > 0) this.#running.set(owner, others);
        else this.#running.delete(owner);
        const now = this.#now();
        const ms = now - (began ?? now);
        const { all, long } = this.#lately(owner);
        this.#held.set(owner, { all: all + ms, long: long + Math.max(0, ms - shortMs), at: now });
      },
    };
  }

  /** How long a caller has held threads lately, in milliseconds; less the longer it is ago. */
  heldBy(owner: string): number {
    return this.#lately(owner).all;
  }

  #lately(owner: string): { readonly all: number; readonly long: number } {
    const held = this.#held.get(owner);
    const left = held === undefined ? 0 : 1 - (this.#now() - held.at) / memoryMs;
    return held !== undefined && left > 0
      ? { all: held.all * left, long: held.long * left }
      : { all: 0, long: 0 };
  }
}
