import { sql } from 'kysely';
import type { BatchOutcome } from '#contract/bus/driver';
import { busBackpressure, busUnavailable } from '#contract/bus/faults';
import type { OutgoingMessage, PublishReceipt } from '#contract/bus/message';
import type { StreamDefinition } from '#contract/bus/stream';
import { ServiceError } from '#contract/errors';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { ulid } from '../ulid.ts';
import { type Appended, append, type Identified } from './append.ts';
import type { Dialect } from './dialect.ts';

/** Messages that one commit takes. */
const mostPerCommit = 500;
/** Messages that wait for a commit, of all publishers of this process. */
const mostWaiting = 20_000;
/** Characters of their data. */
const mostWaitingCharacters = 67_108_864;

interface Placed extends Identified {
  readonly stream: StreamDefinition;
}

interface Waiting extends Placed {
  readonly settle: PromiseWithResolvers<PublishReceipt>;
}

export interface PublisherOptions {
  readonly store: Store<Tables>;
  readonly dialect: Dialect;
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
    this.#characters += message.data.length;
    const settle = Promise.withResolvers<PublishReceipt>();
    this.#queue.push({ stream, message, id: message.id ?? ulid(), settle });
    this.#running ??= this.#run();
    return settle.promise;
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    // Whoever publishes in the same turn shares the first commit.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, mostPerCommit);
      this.#queue = this.#queue.slice(mostPerCommit);
      for (const { message } of batch) this.#characters -= message.data.length;
      await this.#commit(batch);
    }
    this.#running = undefined;
  }

  /** Store messages in this order, none behind one that cannot be stored. */
  async publishTogether(
    messages: readonly (readonly [StreamDefinition, OutgoingMessage])[],
  ): Promise<BatchOutcome> {
    const batch = messages.map(([stream, message]) => ({
      stream,
      message,
      id: message.id ?? ulid(),
    }));
    try {
      const outcomes = await this.#store(batch);
      const receipts = outcomes.flatMap((outcome) => (outcome instanceof Error ? [] : outcome));
      return { receipts };
    } catch (error) {
      if (!(error instanceof Unstorable)) return { receipts: [], failure: unavailable(error) };
      const before = await this.publishTogether(messages.slice(0, error.index));
      return { failure: error.cause, ...before };
    }
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#store(batch, { isWhole: false });
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome instanceof Error) batch[index]?.settle.reject(outcome);
        else batch[index]?.settle.resolve(outcome);
      }
    } catch (error) {
      for (const { settle } of batch) settle.reject(unavailable(error));
    }
  }

  /** What became of each message; with `isWhole`, nothing is stored where one cannot be. */
  async #store(
    batch: readonly Placed[],
    { isWhole } = { isWhole: true },
  ): Promise<readonly Appended[]> {
    const { store, dialect, onStored } = this.#options;
    // Always in the same order, so that no two processes wait for each other.
    const streams = [...Map.groupBy(batch, ({ stream }) => stream)].toSorted(byName);
    const outcomes = await inTransaction(store, async (tx) => {
      const found = new Map<Placed, Appended>();
      for (const [stream, messages] of streams) {
        const appended = await append(tx, { stream, messages, dialect });
        for (const [index, outcome] of appended.entries()) {
          const message = messages[index];
          if (message !== undefined) found.set(message, outcome);
        }
        if (store.engine === 'postgres') {
          await sql`select pg_notify('bus', ${stream.name})`.execute(tx);
        }
      }
      const ordered = batch.flatMap((message) => found.get(message) ?? []);
      const index = ordered.findIndex((outcome) => outcome instanceof Error);
      if (isWhole && index >= 0) throw new Unstorable(index, ordered[index]);
      return ordered;
    });
    for (const [stream] of streams) onStored(stream.name);
    return outcomes;
  }
}

/** The first message of a batch that cannot be stored; nothing of the batch is. */
class Unstorable extends Error {
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super('a message of the batch cannot be stored', { cause });
    this.index = index;
  }
}

type OfStream = readonly [StreamDefinition, unknown];

function byName([a]: OfStream, [b]: OfStream): number {
  return a.name < b.name ? -1 : 1;
}

/**
 * Do something in a transaction in which each statement sees what others have committed before it:
 * what is locked is read anew.
 */
export function inTransaction<T>(
  store: Store<Tables>,
  work: Parameters<typeof store.transaction<T>>[0],
): Promise<T> {
  return store.db.transaction().setIsolationLevel('read committed').execute(work);
}

/** What the store could not do, as its users hear it. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') return error;
  return busUnavailable(String(error.detail['reason']), error);
}
