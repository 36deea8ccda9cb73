import type { Hex, PublicClient, TransactionReceipt } from 'viem';
import { firstLookMs, mostBumps, pollingMs, roundsWithout } from '../numbers.ts';
import type { Fees } from './fees.ts';

/** What became of a transaction: its receipt, or its number was used by another one. */
export type Landed = TransactionReceipt | 'lost';

/** A transaction on its way. */
export interface Flight {
  readonly nonce: number;
  readonly request: { readonly to: Hex; readonly data: Hex; readonly gas: bigint };
  readonly confirmations: number;
  readonly landed: Promise<Landed>;
  /** All that were sent with this number, oldest first: any of them can be taken. */
  readonly hashes: Hex[];
  fees: Fees;
  sentAt: number;
}

interface Watched extends Flight {
  readonly resolve: (landed: Landed) => void;
  readonly reject: (error: Error) => void;
  /** How often in a row its number was used and no receipt was there. */
  missing: number;
}

/** What is done about what does not move. */
export interface Remedies {
  /** After so long without a step of the account. */
  readonly stuckMs: number;
  /** Send the same for more. */
  replace(flight: Flight): Promise<void>;
  /** Use a number that nothing of ours has; `round` counts how often it was tried. */
  fill(nonce: number, round: number): Promise<void>;
}

export function lastOf({ hashes }: Flight): Hex {
  return hashes.at(-1) ?? '0x';
}

/** Follows the transactions of one account until each is deep enough; all with the same few questions. */
export class FlightWatch {
  readonly #client: PublicClient;
  readonly #address: Hex;
  readonly #remedies: Remedies;
  readonly #flights = new Map<number, Watched>();
  #isWatching = false;
  /** How far the account was when it moved last. */
  #progress = { count: -1, at: 0, fills: 0 };

  constructor(client: PublicClient, address: Hex, remedies: Remedies) {
    this.#client = client;
    this.#address = address;
    this.#remedies = remedies;
  }

  get size(): number {
    return this.#flights.size;
  }

  has(nonce: number): boolean {
    return this.#flights.has(nonce);
  }

  add(nonce: number, request: Flight['request'], fees: Fees, confirmations: number): Flight {
    const { promise: landed, resolve, reject } = Promise.withResolvers<Landed>();
    // Whoever has sent it may have left before it landed.
    landed.catch(() => {});
    const sentAt = performance.now();
    const open = { nonce, request, fees, confirmations, landed, resolve, reject };
    const flight: Watched = { ...open, hashes: [], sentAt, missing: 0 };
    this.#flights.set(nonce, flight);
    if (!this.#isWatching) {
      this.#isWatching = true;
      this.#progress = { count: -1, at: performance.now(), fills: 0 };
      void this.#watch();
    }
    return flight;
  }

  /** It will not land. */
  giveUp({ nonce }: Flight, why: 'lost' | Error): void {
    const flight = this.#flights.get(nonce);
    this.#flights.delete(nonce);
    if (why === 'lost') flight?.resolve(why);
    else flight?.reject(why);
  }

  async #watch(): Promise<void> {
    for (
      let waitMs = firstLookMs;
      this.#flights.size > 0;
      waitMs = Math.min(waitMs * 2, pollingMs)
    ) {
      await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
      // A node that does not answer is asked again.
      await this.#look().catch(() => {});
    }
    this.#isWatching = false;
  }

  async #look(): Promise<void> {
    const address = this.#address;
    const [count, latest] = await Promise.all([
      this.#client.getTransactionCount({ address, blockTag: 'latest' }),
      this.#client.getBlockNumber({ cacheTime: 0 }),
    ]);
    const used = [...this.#flights.values()].filter(({ nonce }) => nonce < count);
    await Promise.all(used.map((flight) => this.#land(flight, latest)));
    await this.#hurry(count);
  }

  async #land(flight: Watched, latest: bigint): Promise<void> {
    const receipt = await this.#receiptOf(flight);
    if (receipt === undefined) {
      flight.missing += 1;
      // One node behind a name may be behind another.
      if (flight.missing >= roundsWithout) this.giveUp(flight, 'lost');
      return;
    }
    flight.missing = 0;
    if (latest - receipt.blockNumber < BigInt(flight.confirmations)) return;
    this.#flights.delete(flight.nonce);
    flight.resolve(receipt);
  }

  async #receiptOf({ hashes }: Flight): Promise<TransactionReceipt | undefined> {
    for (const hash of hashes.toReversed()) {
      try {
        return await this.#client.getTransactionReceipt({ hash });
      } catch (error) {
        if ((error as Error).name !== 'TransactionReceiptNotFoundError') throw error;
      }
    }
    return undefined;
  }

  /** The transaction with the lowest number holds up all others. */
  async #hurry(count: number): Promise<void> {
    const now = performance.now();
    if (count !== this.#progress.count) this.#progress = { count, at: now, fills: 0 };
    const waiting = [...this.#flights.keys()].filter((nonce) => nonce >= count);
    if (waiting.length === 0 || now - this.#progress.at < this.#remedies.stuckMs) return;
    const first = this.#flights.get(count);
    if (first === undefined) {
      this.#progress.at = now;
      this.#progress.fills = Math.min(this.#progress.fills + 1, mostBumps);
      await this.#remedies.fill(count, this.#progress.fills);
    } else if (first.hashes.length <= mostBumps && now - first.sentAt >= this.#remedies.stuckMs) {
      await this.#remedies.replace(first);
    }
  }
}
