import type { ConsumerDefinition, Consumption, Delivery, Handler } from '#contract/bus/consumer';
import { Alarm } from './alarm.ts';
import type { Verdict } from './consumer-step.ts';
import type { Claimed, ConsumerTable } from './consumer-table.ts';

/** Messages that are claimed at first; where they are handled fast, twice as many each time. */
const firstClaim = 16;
/** After a failure of the store. */
const retryMs = 1000;

export interface RunnerOptions {
  readonly table: ConsumerTable;
  readonly consumer: Required<ConsumerDefinition>;
  readonly handler: Handler<Delivery>;
  /** How often to look whether another process has left something behind; never when absent. */
  readonly pollMs: number | undefined;
  /** Begins to listen for new messages. */
  readonly listen: (listener: () => void) => () => void;
  readonly onDead: (count: number) => void;
  readonly onDelivery: (isAgain: boolean) => void;
  readonly onFailure: (error: unknown) => void;
}

interface Spoken {
  readonly verdict: Verdict;
  readonly settle: PromiseWithResolvers<void>;
}

/** Runs the handler of one consumer in this process. */
export class ConsumerRunner implements Consumption {
  readonly #options: RunnerOptions;
  readonly #alarm = new Alarm();
  readonly #stopping = new AbortController();
  readonly #queue: (Claimed & { readonly claimedAt: number })[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #unlisten: () => void;
  readonly #loop: Promise<void>;
  #spoken: Spoken[] = [];
  #claim: number;
  /** Something new may be there, or something may be due. */
  #isCurious = true;
  /** When something is due, by `performance.now()`. */
  #lookAt = Infinity;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#claim = Math.min(firstClaim, options.consumer.maxAckPending);
    this.#unlisten = options.listen(() => this.#look());
    this.#loop = this.#work();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#alarm.ring();
    await this.#loop;
  }

  #look(): void {
    this.#isCurious = true;
    this.#alarm.ring();
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const waitMs = await this.#turn().catch((error: unknown) => {
        this.#options.onFailure(error);
        this.#isCurious = true;
        return retryMs;
      });
      if (waitMs !== 0) await this.#alarm.wait(waitMs);
    }
    this.#unlisten();
    await this.#finish();
  }

  /** Write down what was said, claim what there is room for; gives how long nothing is to be done. */
  async #turn(): Promise<number | undefined> {
    if (performance.now() >= this.#lookAt) this.#isCurious = true;
    const room = this.#isCurious && this.#queue.length === 0 ? this.#claim : 0;
    if (room > 0 || this.#spoken.length > 0) {
      if (room > 0) this.#isCurious = false;
      await this.#step(room);
      if (this.#spoken.length > 0) return 0;
    }
    // With messages in the queue, there is room when they have been handled.
    if (this.#isCurious && this.#queue.length === 0) return 0;
    const left = this.#lookAt - performance.now();
    return this.#isCurious || left === Infinity ? undefined : Math.max(1, Math.ceil(left));
  }

  async #step(room: number): Promise<void> {
    const { table, onDead, pollMs = Infinity } = this.#options;
    const { claimed, more, dueInMs, dead } = await this.#say((verdicts) =>
      table.step(verdicts, room),
    );
    if (dead > 0) onDead(dead);
    if (more) this.#isCurious = true;
    const now = performance.now();
    this.#lookAt = now + Math.min(pollMs, dueInMs ?? Infinity);
    this.#queue.push(...claimed.map((each) => ({ ...each, claimedAt: now })));
    this.#startHandlers();
  }

  /** Hand all that was said to `write`, and tell those who said it when it is written. */
  async #say<T>(write: (verdicts: readonly Verdict[]) => Promise<T>): Promise<T> {
    const spoken = this.#spoken;
    this.#spoken = [];
    try {
      const result = await write(spoken.map(({ verdict }) => verdict));
      for (const { settle } of spoken) settle.resolve();
      return result;
    } catch (error) {
      // Said again with the next turn: the store may be back by then.
      this.#spoken = [...spoken, ...this.#spoken];
      throw error;
    }
  }

  #startHandlers(): void {
    const { parallel, ackWaitMs, maxAckPending } = this.#options.consumer;
    while (
      this.#queue.length > 0 &&
      this.#running.size < parallel &&
      !this.#stopping.signal.aborted
    ) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const waited = performance.now() - next.claimedAt;
      if (waited > ackWaitMs / 2) {
        // It would come again while it is handled: those behind it are claimed anew, fewer of them.
        this.#claim = Math.max(1, Math.floor(this.#claim / 2));
        this.#release([next, ...this.#queue.splice(0)]);
        this.#look();
        return;
      }
      const run = this.#handle(next).finally(() => {
        this.#running.delete(run);
        this.#startHandlers();
      });
      this.#running.add(run);
    }
    if (this.#queue.length > 0) return;
    this.#claim = Math.min(this.#claim * 2, maxAckPending);
    // Only now is there room.
    if (this.#isCurious) this.#alarm.ring();
  }

  async #handle({ message, deliveries }: Claimed): Promise<void> {
    const { handler, consumer, onDelivery } = this.#options;
    const { sequence } = message;
    const place = { sequence, deliveries };
    let isSettled = false;
    const settle = (verdict: Verdict): Promise<void> => {
      if (isSettled) return Promise.resolve();
      isSettled = true;
      return this.#speak(verdict);
    };
    const nak = (delayMs = backoff(consumer, deliveries)) =>
      settle({ ...place, kind: 'nak', delayMs });
    onDelivery(deliveries > 1);
    try {
      await handler({
        ...{ message, deliveries, nak },
        signal: this.#stopping.signal,
        ack: () => settle({ ...place, kind: 'ack' }),
        term: (reason = 'terminated by its consumer') => settle({ ...place, kind: 'term', reason }),
        working: () => (isSettled ? Promise.resolve() : this.#speak({ ...place, kind: 'working' })),
      });
      void settle({ ...place, kind: 'ack' });
    } catch {
      void nak();
    }
  }

  #speak(verdict: Verdict): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.#spoken.push({ verdict, settle });
    this.#alarm.ring();
    return settle.promise;
  }

  #release(claimed: readonly Claimed[]): void {
    for (const { message, deliveries } of claimed) {
      void this.#speak({ kind: 'release', sequence: message.sequence, deliveries });
    }
  }

  /** Let the handlers end, write down what they said, and give the rest back. */
  async #finish(): Promise<void> {
    this.#release(this.#queue.splice(0));
    for (;;) {
      await this.#say((verdicts) => this.#options.table.step(verdicts, 0)).catch((error) => {
        this.#options.onFailure(error);
        // Nobody may wait for ever: what is not written down comes again.
        for (const { settle } of this.#spoken.splice(0)) settle.reject(error);
      });
      if (this.#running.size === 0 && this.#spoken.length === 0) return;
      await Promise.race([...this.#running, this.#alarm.wait(undefined)]);
    }
  }
}

function backoff({ backoffMs }: Required<ConsumerDefinition>, deliveries: number): number {
  return backoffMs[Math.min(deliveries, backoffMs.length) - 1] ?? 0;
}
