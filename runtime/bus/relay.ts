import { setTimeout as sleep } from 'node:timers/promises';
import type { BusDriver } from '#contract/bus/driver';
import type { Outbox } from './outbox.ts';

/** Events that are published together. */
const atOnce = 200;
/** After a failure, twice as long each time. */
const firstRetryMs = 200;
const mostRetryMs = 10_000;

export interface RelayOptions {
  readonly outbox: Outbox;
  readonly driver: Pick<BusDriver, 'publishAll'>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Publishes what waits in the outbox, in its order. An event leaves the outbox after it is in its
 * stream: after a crash between the two it is published again, under the same id.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isWanted = false;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Look for events now, or again when the look that goes on has ended. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when it does nothing. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let retryMs = firstRetryMs;
    while (this.#isWanted && !signal.aborted) {
      this.#isWanted = false;
      try {
        while (!signal.aborted && (await this.#publish()));
        retryMs = firstRetryMs;
      } catch (error) {
        this.#isWanted = true;
        this.#options.onFailure(error);
        await sleep(retryMs, undefined, { signal, ref: false }).catch(() => {});
        retryMs = Math.min(retryMs * 2, mostRetryMs);
      }
    }
  }

  /** Whether there may be more. */
  async #publish(): Promise<boolean> {
    const { outbox, driver } = this.#options;
    const waiting = await outbox.oldest(atOnce);
    if (waiting.length === 0) return false;
    const outcome = await driver.publishAll(waiting.map(({ message }) => message));
    await outbox.remove(waiting.slice(0, outcome.receipts.length));
    if (outcome.receipts.length < waiting.length) throw outcome.failure;
    return waiting.length === atOnce;
  }
}
