import type { PublicClient } from 'viem';
import { feesMs } from '../numbers.ts';

/** What a transaction pays for its gas (EIP-1559). */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Asks a node what gas costs; for many transactions at once, once. */
export class FeeWatch {
  readonly #client: PublicClient;
  #known: { readonly at: number; readonly fees: Promise<Fees> } | undefined;

  constructor(client: PublicClient) {
    this.#client = client;
  }

  now(): Promise<Fees> {
    const at = performance.now();
    if (this.#known === undefined || at - this.#known.at > feesMs) {
      const fees = this.#client.estimateFeesPerGas();
      this.#known = { at, fees };
      fees.catch(() => {
        this.#known = undefined;
      });
    }
    return this.#known.fees;
  }
}
