import { setTimeout as sleep } from 'node:timers/promises';

/** Events that leave the outbox together. */
const atOnce = 200;
/** They leave when no more came for so long, because each time costs a commit, */
const gatherMs = 4;
/** or when the first of them has waited so long. */
const mostGatherMs = 25;
/** After a failure, twice as long each time. */
const firstRetryMs = 200;
const mostRetryMs = 10_000;

/** How far the outbox was emptied. */
export interface Left {
  /** Events that do not wait there any more. */
  readonly count: number;
  /** Why some of them were set aside: no stream takes them. */
  readonly refused: readonly unknown[];
  /** Why the next one has to wait. */
  readonly failure?: unknown;
}

export interface RelayOptions {
  /** Let the oldest events leave the outbox, in their order. */
  readonly forward: (limit: number) => Promise<Left>;
  readonly onFailure: (error: unknown) => void;
  /** Hears of each event that was set aside. */
  readonly onRefused: (error: unknown) => void;
}

/** Publishes what waits in the outbox. */
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
      await this.#gather();
      try {
        while (!signal.aborted && (await this.#forward()));
        retryMs = firstRetryMs;
      } catch (error) {
        this.#isWanted = true;
        this.#options.onFailure(error);
        await sleep(retryMs, undefined, { signal, ref: false }).catch(() => {});
        retryMs = Math.min(retryMs * 2, mostRetryMs);
      }
    }
  }

  /** Resolves when it is time to look. */
  async #gather(): Promise<void> {
    const start = performance.now();
    do {
      this.#isWanted = false;
      await sleep(gatherMs);
    } while (this.#isWanted && performance.now() - start < mostGatherMs);
    this.#isWanted = false;
  }

  /** Whether there may be more. */
  async #forward(): Promise<boolean> {
    const { forward, onRefused } = this.#options;
    const { count, refused, failure } = await forward(atOnce);
    for (const error of refused) onRefused(error);
    if (failure !== undefined) throw failure;
    return count === atOnce;
  }
}
