import type { Delivery } from '#contract/bus/consumer';

/** Collects what a consumer is given, and lets a test wait for it. */
export class Collected {
  readonly deliveries: Delivery[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly add = (delivery: Delivery): void => {
    this.deliveries.push(delivery);
    for (const look of this.#waiting) look();
  };

  /** Resolves when so many have come; there is no time after which it gives up. */
  async until(count: number): Promise<readonly Delivery[]> {
    const enough = Promise.withResolvers<void>();
    const look = () => {
      if (this.deliveries.length >= count) enough.resolve();
    };
    this.#waiting.push(look);
    look();
    await enough.promise;
    return this.deliveries;
  }

  get texts(): readonly string[] {
    return this.deliveries.map(({ message }) => message.data);
  }
}
