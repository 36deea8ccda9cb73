import type { BatchOutcome } from '#contract/bus/driver';
import {
  busBackpressure,
  busConflict,
  busPayloadTooLarge,
  busUnavailable,
} from '#contract/bus/faults';
import type { OutgoingMessage, PublishReceipt } from '#contract/bus/message';
import type { StreamDefinition } from '#contract/bus/stream';
import { ServiceError } from '#contract/errors';
import type { Appended } from './append.ts';
import { type BusStore, procedure } from './bus-store.ts';
import { type MessageRow, rowOf } from './message-row.ts';

/** Messages that one commit takes. */
const mostPerCommit = 500;
/** Messages that wait for a commit, of all publishers of this process. */
const mostWaiting = 20_000;
/** Characters of their data. */
const mostWaitingCharacters = 67_108_864;

interface Waiting {
  readonly stream: StreamDefinition;
  readonly row: MessageRow;
  readonly settle: PromiseWithResolvers<PublishReceipt>;
}

export interface PublisherOptions {
  readonly store: BusStore;
  /** Hears of each stream that has new messages. */
  readonly onStored: (stream: string) => void;
}

/** Stores messages: those that come while one commit is flushed share the next one. */
export class Publisher {
  readonly #options: PublisherOptions;
  #queue: Waiting[] = [];
  #characters = 0;
  #running: Promise<void> | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  publish(stream: StreamDefinition, message: OutgoingMessage): Promise<PublishReceipt> {
    if (this.#queue.length >= mostWaiting || this.#characters > mostWaitingCharacters) {
      const reason = `${this.#queue.length} messages wait already`;
      return Promise.reject(busBackpressure(stream.name, reason));
    }
    const row = rowOf(message);
    this.#characters += row.data.length;
    const settle = Promise.withResolvers<PublishReceipt>();
    this.#queue.push({ stream, row, settle });
    this.#running ??= this.#run();
    return settle.promise;
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Store messages in this order, none behind one that cannot be stored. */
  async publishTogether(
    messages: readonly (readonly [StreamDefinition, OutgoingMessage])[],
  ): Promise<BatchOutcome> {
    const runs: { readonly stream: StreamDefinition; readonly rows: MessageRow[] }[] = [];
    for (const [stream, message] of messages) {
      const last = runs.at(-1);
      if (last?.stream === stream) last.rows.push(rowOf(message));
      else runs.push({ stream, rows: [rowOf(message)] });
    }
    const { store, onStored } = this.#options;
    const receipts: PublishReceipt[] = [];
    try {
      const outcomes = await store.run(procedure('appendMessages'), { batches: runs, stops: true });
      for (const { stream } of runs.slice(0, outcomes.length)) onStored(stream.name);
      for (const [index, { stream, rows }] of runs.entries()) {
        for (const [place, outcome] of (outcomes[index] ?? []).entries()) {
          const receipt = receiptOf(stream, rows[place], outcome);
          if (receipt instanceof Error) return { receipts, failure: receipt };
          receipts.push(receipt);
        }
      }
      return { receipts };
    } catch (error) {
      return { receipts: [], failure: unavailable(error) };
    }
  }

  async #run(): Promise<void> {
    // Whoever publishes in the same turn shares the first commit.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, mostPerCommit);
      this.#queue = this.#queue.slice(mostPerCommit);
      for (const { row } of batch) this.#characters -= row.data.length;
      await this.#commit(batch);
    }
    this.#running = undefined;
  }

  async #commit(waiting: readonly Waiting[]): Promise<void> {
    const { store, onStored } = this.#options;
    // Always in the same order, so that no two processes wait for each other.
    const groups = [...Map.groupBy(waiting, ({ stream }) => stream)].toSorted(byName);
    const batches = groups.map(([stream, group]) => ({
      stream,
      rows: group.map(({ row }) => row),
    }));
    try {
      const outcomes = await store.run(procedure('appendMessages'), { batches, stops: false });
      for (const [index, [stream, group]] of groups.entries()) {
        for (const [place, { row, settle }] of group.entries()) {
          const receipt = receiptOf(stream, row, outcomes[index]?.[place]);
          if (receipt instanceof Error) settle.reject(receipt);
          else settle.resolve(receipt);
        }
        onStored(stream.name);
      }
    } catch (error) {
      for (const { settle } of waiting) settle.reject(unavailable(error));
    }
  }
}

/** What became of a message, as whoever published it hears it. */
export function receiptOf(
  { name, maxBytes, maxMessageBytes }: StreamDefinition,
  { subject }: Pick<MessageRow, 'subject'> = { subject: '' },
  outcome: Appended = { refused: 'behind' },
): PublishReceipt | ServiceError {
  if (!('refused' in outcome)) return { stream: name, ...outcome };
  switch (outcome.refused) {
    case 'expected':
      return busConflict(subject, outcome.expected, outcome.found);
    case 'size':
      return busPayloadTooLarge(name, outcome.bytes, maxMessageBytes);
    case 'full':
      return busBackpressure(name, `it holds ${outcome.bytes} of ${maxBytes} bytes`);
    case 'behind':
      return busUnavailable('a message before it was refused');
  }
}

type OfStream = readonly [StreamDefinition, unknown];

function byName([a]: OfStream, [b]: OfStream): number {
  return a.name < b.name ? -1 : 1;
}

/** What the store could not do, as its users hear it. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') return error;
  return busUnavailable(String(error.detail['reason']), error);
}
