import type { Hex, PublicClient } from 'viem';
import { tokensOf } from '../evm/chain-evidence.ts';
import { receiptTimeoutMs } from '../numbers.ts';

/** What somebody is about to pay. */
export interface Spent {
  readonly asset: string;
  readonly payer: string;
  readonly value: bigint;
  /** What the payer can sign once: an order that was kept room for is the one that is sent. */
  readonly nonce: string;
}

/** What a payer has is on its way for other orders of it. */
export class TooLittle extends Error {
  constructor() {
    super('the payer has less than all of its orders together');
    this.name = 'TooLittle';
  }
}

/** What one payer has on its way. */
interface Purse {
  readonly orders: Set<string>;
  total: bigint;
  /** What it has besides, as far as that was asked for. */
  rest: bigint;
  asking: Promise<void> | undefined;
  /** Resolves when one of its orders has ended. */
  ended: PromiseWithResolvers<void>;
}

/**
 * Keeps orders of one payer from being sent at a time that it cannot pay together: each is good by
 * itself, one of them is taken, and the gas of all others would be lost.
 */
export class Purses {
  readonly #client: PublicClient;
  readonly #waitMs: number;
  readonly #purses = new Map<string, Purse>();

  constructor(client: PublicClient, waitMs = receiptTimeoutMs) {
    this.#client = client;
    this.#waitMs = waitMs;
  }

  /**
   * Take a value out of a purse, perhaps after other orders of it have ended; of an order for which
   * that was done, nothing.
   *
   * @returns what has to be called when the order has ended
   * @throws TooLittle where the payer has not so much within the time that somebody waits for a block
   */
  async take(spent: Spent): Promise<() => void> {
    const key = `${spent.asset}/${spent.payer}`.toLowerCase();
    const end = performance.now() + this.#waitMs;
    for (;;) {
      const purse = this.#purses.get(key);
      if (purse?.orders.has(spent.nonce)) return () => {};
      if (purse === undefined || purse.rest >= spent.value) return this.#took(key, spent);
      const { ended } = purse;
      await this.#ask(purse, spent);
      if (purse.rest >= spent.value) continue;
      if (!(await within(ended.promise, end - performance.now()))) {
        throw new TooLittle();
      }
    }
  }

  /** Whoever has nothing on its way is asked for nothing: the order is tried out before it is sent. */
  #took(key: string, { value, nonce }: Spent): () => void {
    const purse = this.#purses.get(key) ?? empty();
    this.#purses.set(key, purse);
    purse.rest = purse.rest > value ? purse.rest - value : 0n;
    purse.orders.add(nonce);
    purse.total += value;
    return () => {
      purse.orders.delete(nonce);
      purse.total -= value;
      if (purse.orders.size === 0) this.#purses.delete(key);
      const { ended } = purse;
      purse.ended = Promise.withResolvers();
      ended.resolve();
    };
  }

  /** Once for all who want to know it. What was taken meanwhile counts twice, and nobody pays too much. */
  #ask(purse: Purse, { asset, payer }: Spent): Promise<void> {
    purse.asking ??= tokensOf(this.#client, asset, payer as Hex)
      .then((balance) => {
        purse.rest = balance > purse.total ? balance - purse.total : 0n;
      })
      .finally(() => {
        purse.asking = undefined;
      });
    return purse.asking;
  }
}

function empty(): Purse {
  const ended = Promise.withResolvers<void>();
  return { orders: new Set(), total: 0n, rest: 0n, asking: undefined, ended };
}

async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), Math.max(ms, 0));
  try {
    return await Promise.race([promise.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
