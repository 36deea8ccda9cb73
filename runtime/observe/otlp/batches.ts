/** What sends some items at once; that of the OpenTelemetry SDK calls back with 0 after a success. */
export interface Exporter<Item> {
  export(items: Item[], done: (result: { readonly code: number; error?: Error }) => void): void;
  shutdown(): Promise<void>;
}

/** Is told what becomes of items. */
export interface Fate {
  sent(): void;
  lost(count: number, why: 'full' | 'failed', error?: Error): void;
}

export interface BatchOptions {
  /** Items that may wait, those that are being sent included. */
  readonly mostWaiting: number;
  /** Items that are sent together at most. */
  readonly size: number;
  /** How long an item waits for others, in milliseconds. */
  readonly gatherMs: number;
}

/**
 * Gathers items and sends them together, one batch after the other. To give it one costs as much as
 * to put it into a list: they become what the exporter takes only when they are sent.
 */
export class Batches<Given, Item> {
  readonly #exporter: Exporter<Item>;
  readonly #itemOf: (given: Given) => Item;
  readonly #fate: Fate;
  readonly #options: BatchOptions;
  #waiting: Given[] = [];
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    exporter: Exporter<Item>,
    itemOf: (given: Given) => Item,
    fate: Fate,
    options: BatchOptions,
  ) {
    this.#exporter = exporter;
    this.#itemOf = itemOf;
    this.#fate = fate;
    this.#options = options;
  }

  /** Take one more; where too many wait, it is lost, and its fate told. */
  add(given: Given): void {
    const { mostWaiting, size, gatherMs } = this.#options;
    if (this.#isClosed || this.#waiting.length >= mostWaiting) {
      this.#fate.lost(1, 'full');
      return;
    }
    this.#waiting.push(given);
    if (this.#waiting.length >= size) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), gatherMs).unref();
  }

  /** Send what waits. */
  async flush(): Promise<void> {
    while (this.#sending !== undefined || this.#waiting.length > 0) {
      this.#begin();
      await this.#sending;
    }
  }

  /** Send what waits, and end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
    await this.#exporter.shutdown();
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
      const { length } = this.#waiting;
      if (length >= this.#options.size) this.#begin();
      else if (length > 0) {
        this.#timer ??= setTimeout(() => this.#begin(), this.#options.gatherMs).unref();
      }
    });
  }

  async #send(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#options.size);
    const { code, error } = await new Promise<{ code: number; error?: Error }>((resolve) =>
      this.#exporter.export(batch.map(this.#itemOf), resolve),
    );
    if (code === 0) this.#fate.sent();
    else this.#fate.lost(batch.length, 'failed', error);
  }
}
