import type { Hex, PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Outgoing } from './outgoing.ts';
import { Sender, type SenderSettings, type Sent } from './sender.ts';

/** The accounts that pay the gas: each has an order of its own, and the least busy one sends. */
export class Senders {
  readonly #all: readonly Sender[];

  constructor(client: PublicClient, keys: readonly Hex[], settings: SenderSettings) {
    this.#all = keys.map((key) => new Sender(client, privateKeyToAccount(key), settings));
  }

  /** One of them, for what is only tried out. */
  get address(): Hex {
    return this.#leastBusy().address;
  }

  get addresses(): readonly Hex[] {
    return this.#all.map(({ address }) => address);
  }

  /** @throws as `Sender.send` */
  async send(
    { from, ...outgoing }: Outgoing,
    confirmations: number,
    signal?: AbortSignal,
  ): Promise<Sent> {
    return this.#senderFor(from).send(outgoing, confirmations, signal);
  }

  #senderFor(from: Hex | undefined): Sender {
    if (from === undefined) return this.#leastBusy();
    const named = this.#all.find(({ address }) => address.toLowerCase() === from.toLowerCase());
    if (named === undefined) throw new Error('no account of this server may send it');
    return named;
  }

  #leastBusy(): Sender {
    return this.#all.reduce((best, each) => (each.load < best.load ? each : best));
  }
}
