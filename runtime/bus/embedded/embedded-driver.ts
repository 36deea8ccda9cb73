import { type ConsumerDefinition, consumerDefaults } from '#contract/bus/consumer';
import { deadLetterStream } from '#contract/bus/dead-letter';
import type { BatchOutcome, BusDriver, BusHealth } from '#contract/bus/driver';
import { busInvalid } from '#contract/bus/faults';
import type { OutgoingMessage, PublishReceipt, StoredMessage } from '#contract/bus/message';
import type { ReadQuery, StreamDefinition } from '#contract/bus/stream';
import { checkFilter, isToken } from '#contract/bus/subject';
import { DeclaredStreams } from '../declared-streams.ts';
import type { Left } from '../relay.ts';
import { Alarm } from './alarm.ts';
import { type BusStore, procedure } from './bus-store.ts';
import { ConsumerRunner } from './consumer-runner.ts';
import { ConsumerTable } from './consumer-table.ts';
import { dialectOf } from './dialect.ts';
import { createBucket } from './embedded-bucket.ts';
import { PostgresListener } from './postgres-listener.ts';
import { Publisher, receiptOf, unavailable } from './publisher.ts';
import { StreamReader } from './stream-reader.ts';
import { Waker } from './wake.ts';

/** How often to look for what other processes have left behind, where several share a database. */
const pollMs = 5000;
/** How often a reader looks that nobody can wake. */
const unconnectedPollMs = 500;

export interface EmbeddedOptions {
  readonly store: BusStore;
  readonly streams: readonly StreamDefinition[];
  /** Unique for this process. */
  readonly owner: string;
  /** Where PostgreSQL tells what other replicas have stored. */
  readonly databaseUrl?: string | undefined;
  /** Shared by all that use the same database in one process. */
  readonly waker?: Waker;
  readonly onDelivery?: (isAgain: boolean) => void;
  readonly onDead?: (count: number) => void;
  readonly onFailure: (message: string, error: unknown) => void;
}

/** The event bus in the tables of the store. */
export class EmbeddedDriver implements BusDriver {
  readonly kind = 'embedded';
  readonly streams: readonly StreamDefinition[];
  readonly #declared: DeclaredStreams;
  readonly #options: EmbeddedOptions;
  readonly #reader: StreamReader;
  readonly #waker: Waker;
  readonly #publisher: Publisher;
  readonly #runners = new Set<ConsumerRunner>();
  readonly #stopping = new AbortController();
  readonly #listener: PostgresListener | undefined;
  #failure: unknown;

  constructor(options: EmbeddedOptions) {
    const { store, streams, databaseUrl, waker = new Waker() } = options;
    this.#waker = waker;
    this.#options = options;
    this.streams = streams;
    this.#declared = new DeclaredStreams(streams);
    this.#reader = new StreamReader(store, dialectOf(store.engine));
    this.#publisher = new Publisher({ store, onStored: (stream) => this.#waker.wake(stream) });
    if (databaseUrl !== undefined) {
      this.#listener = new PostgresListener({
        ...{ databaseUrl, channel: 'bus' },
        onNotice: (stream) => this.#waker.wake(stream),
        onConnect: () => this.#waker.wakeAll(),
        onFailure: (error) => this.#fail('notices of PostgreSQL cannot be heard', error),
      });
    }
  }

  async start(): Promise<void> {
    this.#listener?.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#runners].map((runner) => runner.stop()));
    await this.#publisher.drain();
    this.#waker.wakeAll();
    await this.#listener?.stop();
  }

  drain(): Promise<void> {
    return this.#publisher.drain();
  }

  health(): BusHealth {
    if (this.#stopping.signal.aborted) return { state: 'stopped' };
    if (this.#failure === undefined) return { state: 'ok' };
    const reason = this.#failure instanceof Error ? this.#failure.message : String(this.#failure);
    return { state: 'degraded', reason };
  }

  states() {
    return this.#ask(() => this.#reader.states(this.streams));
  }

  async publish(message: OutgoingMessage): Promise<PublishReceipt> {
    return this.#publishTo(this.#declared.taking(message.subject), message);
  }

  publishAll(messages: readonly OutgoingMessage[]): Promise<BatchOutcome> {
    return this.#publisher.publishTogether(
      messages.map((message) => [this.#declared.taking(message.subject), message]),
    );
  }

  async read(query: ReadQuery) {
    this.#declared.named(query.stream);
    return this.#ask(() => this.#reader.read(query));
  }

  async *follow(
    query: Omit<ReadQuery, 'limit'>,
    signal: AbortSignal,
  ): AsyncIterable<StoredMessage> {
    this.#declared.named(query.stream);
    for await (const page of this.#pages(query, signal)) yield* page;
  }

  async remove(stream: string, sequence: number): Promise<boolean> {
    this.#declared.named(stream);
    return this.#ask(() =>
      this.#options.store.run(procedure('removeMessage'), { stream, sequence }),
    );
  }

  async consume(
    given: ConsumerDefinition,
    handler: Parameters<BusDriver['consume']>[1],
  ): Promise<ConsumerRunner> {
    const consumer = { filter: '>', ...consumerDefaults, ...given };
    const { stream, name, filter } = consumer;
    this.#declared.named(stream);
    checkFilter(filter);
    if (!isToken(name)) throw busInvalid('name', 'letters, digits, "_" and "-"', name);
    const { store, owner, onDelivery = () => {} } = this.#options;
    const deadLetters = this.#declared.named(deadLetterStream);
    const table = new ConsumerTable({ store, owner, reader: this.#reader, deadLetters }, consumer);
    await this.#ask(() => table.open());
    const runner = new ConsumerRunner({
      ...{ table, consumer, handler, onDelivery },
      pollMs: store.engine === 'sqlite' ? undefined : Math.min(pollMs, consumer.ackWaitMs),
      listen: (listener) => this.#waker.listen(stream, listener),
      onDead: (count) => this.#onDead(count),
      onFailure: (error) => this.#fail(`the consumer ${name} of ${stream} cannot go on`, error),
    });
    this.#runners.add(runner);
    const stop = runner.stop.bind(runner);
    runner.stop = () => stop().finally(() => this.#runners.delete(runner));
    return runner;
  }

  async removeConsumer(stream: string, name: string): Promise<boolean> {
    this.#declared.named(stream);
    return this.#ask(() => this.#options.store.run(procedure('removeConsumer'), { stream, name }));
  }

  bucket(definition: Parameters<BusDriver['bucket']>[0]) {
    return createBucket(definition, {
      reader: this.#reader,
      publish: (stream, message) => this.#publishTo(stream, message),
      follow: (stream, fromSequence, signal) => this.#messages({ stream, fromSequence }, signal),
    });
  }

  /** Remove what is older than its stream keeps it, some of it at a time. */
  async removeExpired(signal: AbortSignal): Promise<void> {
    for (const { name, maxAgeMs } of this.streams) {
      for (let removed = -1; removed !== 0 && !signal.aborted; ) {
        const argument = { stream: name, maxAgeMs };
        const remove = () => this.#options.store.run(procedure('removeExpired'), argument);
        removed = await this.#ask(remove);
      }
    }
  }

  /**
   * Move messages from the outbox to their streams; gives how many, which were set aside, and why no more.
   *
   * @throws ServiceError `bus_unavailable`
   */
  async forward(limit: number): Promise<Left> {
    const { store } = this.#options;
    const argument = { streams: this.streams, limit };
    const moved = await this.#ask(() => store.run(procedure('forwardOutbox'), argument));
    for (const stream of moved.stored) this.#waker.wake(stream);
    const { count, stopped } = moved;
    const refused = moved.refused.map(({ reason }) => new Error(reason));
    if (stopped === undefined) return { count, refused };
    const { subject, stream, outcome } = stopped;
    return {
      count,
      refused,
      failure: receiptOf(this.#declared.named(stream), { subject }, outcome),
    };
  }

  #publishTo(stream: StreamDefinition, message: OutgoingMessage): Promise<PublishReceipt> {
    if (message.data.includes('\0')) throw busInvalid('data', 'text without U+0000', message.data);
    return this.#publisher.publish(stream, message);
  }

  async *#messages(query: Omit<ReadQuery, 'limit'>, signal: AbortSignal) {
    for await (const page of this.#pages(query, signal)) yield* page;
  }

  /** Pages of what is there, and then of what comes. */
  async *#pages(query: Omit<ReadQuery, 'limit'>, given: AbortSignal) {
    const signal = AbortSignal.any([given, this.#stopping.signal]);
    const alarm = new Alarm();
    const unlisten = this.#waker.listen(query.stream, () => alarm.ring());
    const onAbort = () => alarm.ring();
    signal.addEventListener('abort', onAbort);
    let at = query;
    try {
      while (!signal.aborted) {
        const { messages, next, lastSequence } = await this.#ask(() =>
          this.#reader.read({ ...at, limit: followedAtOnce }),
        );
        yield messages;
        // A page that was read to its end may be older than `lastSequence`.
        const behind = next ?? (messages.at(-1)?.sequence ?? lastSequence) + 1;
        const { fromTime: _, ...rest } = at;
        at = { ...rest, fromSequence: Math.max(behind, at.fromSequence ?? 1) };
        if (next === undefined && !signal.aborted) await alarm.wait(this.#readerPollMs());
      }
    } finally {
      unlisten();
      signal.removeEventListener('abort', onAbort);
    }
  }

  #readerPollMs(): number | undefined {
    if (this.#options.store.engine === 'sqlite') return undefined;
    return this.#listener?.isConnected ? pollMs : unconnectedPollMs;
  }

  #onDead(count: number): void {
    this.#options.onDead?.(count);
    this.#waker.wake(deadLetterStream);
  }

  /** Ask the store, and remember whether it answers. */
  async #ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      const answer = await work();
      this.#failure = undefined;
      return answer;
    } catch (error) {
      throw unavailable(error);
    }
  }

  #fail(message: string, error: unknown): void {
    this.#failure = error;
    if (!this.#stopping.signal.aborted) this.#options.onFailure(message, error);
  }
}

/** Messages of one page of whoever reads on and on. */
const followedAtOnce = 256;
