import type { Hex, PublicClient } from 'viem';
import type { Outgoing } from './outgoing.ts';

/**
 * Knows how much gas calls of a contract take. A node finds that out by trying again and again, so it
 * is asked once for each function, with room for the dearest; what is not used is not paid.
 */
export class GasWatch {
  readonly #client: PublicClient;
  readonly #account: Hex;
  readonly #known = new Map<string, Promise<bigint>>();

  constructor(client: PublicClient, account: Hex) {
    this.#client = client;
    this.#account = account;
  }

  /** @throws where the call would fail now: what would cost gas on the chain costs nothing here */
  async limit(outgoing: Outgoing): Promise<bigint> {
    const name = `${outgoing.to}${outgoing.data.slice(0, 10)}`;
    const before = this.#known.get(name);
    if (before === undefined) return this.#learn(name, this.#estimate(outgoing));
    const known = await before.catch(() => 0n);
    if (known > 0n && (await this.#fits(outgoing, known))) return known;
    const found = await this.#estimate(outgoing);
    if (found > known) this.#known.set(name, Promise.resolve(found));
    return found;
  }

  #learn(name: string, found: Promise<bigint>): Promise<bigint> {
    this.#known.set(name, found);
    found.catch(() => this.#known.delete(name));
    return found;
  }

  async #estimate(outgoing: Outgoing): Promise<bigint> {
    const request = { account: this.#account, blockTag: 'latest', ...outgoing } as const;
    return 2n * (await this.#client.estimateGas(request));
  }

  async #fits(outgoing: Outgoing, gas: bigint): Promise<boolean> {
    const request = { account: this.#account, blockTag: 'latest', ...outgoing, gas } as const;
    return this.#client.call(request).then(
      () => true,
      () => false,
    );
  }
}
