import { sql } from 'kysely';
import { type ConsumerDefinition, consumerDefaults } from '#contract/bus/consumer';
import { deadLetterStream } from '#contract/bus/dead-letter';
import type { BatchOutcome, BusDriver, BusHealth } from '#contract/bus/driver';
import { busInvalid, busNotFound } from '#contract/bus/faults';
import type { OutgoingMessage, PublishReceipt, StoredMessage } from '#contract/bus/message';
import type { ReadQuery, StreamDefinition } from '#contract/bus/stream';
import { checkFilter, checkSubject, isToken, matches } from '#contract/bus/subject';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { Alarm } from './alarm.ts';
import { ConsumerRunner } from './consumer-runner.ts';
import { ConsumerTable } from './consumer-table.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { createBucket } from './embedded-bucket.ts';
import { ownTenant } from './message-row.ts';
import { PostgresListener } from './postgres-listener.ts';
import { inTransaction, Publisher, unavailable } from './publisher.ts';
import { removeOlder, removeOne } from './retention.ts';
import { StreamReader } from './stream-reader.ts';
import { Waker } from './wake.ts';

/** How often to look for what other processes have left behind, where several share a database. */
const pollMs = 5000;
/** How often a reader looks that nobody can wake. */
const unconnectedPollMs = 500;

export interface EmbeddedOptions {
  readonly store: Store<Tables>;
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
  readonly #options: EmbeddedOptions;
  readonly #dialect: Dialect;
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
    this.#dialect = dialectOf(store.engine);
    this.#reader = new StreamReader(store, this.#dialect);
    this.#publisher = new Publisher({
      ...{ store, dialect: this.#dialect },
      onStored: (stream) => this.#waker.wake(stream),
    });
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
    return this.#publishTo(this.#streamOf(message.subject), message);
  }

  publishAll(messages: readonly OutgoingMessage[]): Promise<BatchOutcome> {
    return this.#publisher.publishTogether(
      messages.map((message) => [this.#streamOf(message.subject), message]),
    );
  }

  async read(query: ReadQuery) {
    this.#named(query.stream);
    return this.#ask(() => this.#reader.read(query));
  }

  async *follow(
    query: Omit<ReadQuery, 'limit'>,
    signal: AbortSignal,
  ): AsyncIterable<StoredMessage> {
    this.#named(query.stream);
    for await (const page of this.#pages(query, signal)) yield* page;
  }

  async remove(stream: string, sequence: number): Promise<boolean> {
    this.#named(stream);
    return this.#ask(() =>
      inTransaction(this.#options.store, (tx) => removeOne(tx, stream, sequence)),
    );
  }

  async consume(
    given: ConsumerDefinition,
    handler: Parameters<BusDriver['consume']>[1],
  ): Promise<ConsumerRunner> {
    const consumer = { filter: '>', ...consumerDefaults, ...given };
    const { stream, name, filter } = consumer;
    this.#named(stream);
    checkFilter(filter);
    if (!isToken(name)) throw busInvalid('name', 'letters, digits, "_" and "-"', name);
    const { store, owner, onDelivery = () => {} } = this.#options;
    const deadLetters = this.#named(deadLetterStream);
    const parts = { store, owner, dialect: this.#dialect, reader: this.#reader, deadLetters };
    const table = new ConsumerTable(parts, consumer);
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
    this.#named(stream);
    return this.#ask(() =>
      inTransaction(this.#options.store, async (tx) => {
        await sql`delete from bus_pending where tenant = ${ownTenant} and stream = ${stream}
          and consumer = ${name}`.execute(tx);
        const { numAffectedRows } = await sql`delete from bus_consumer
          where tenant = ${ownTenant} and stream = ${stream} and name = ${name}`.execute(tx);
        return (numAffectedRows ?? 0n) > 0n;
      }),
    );
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
        const work: Parameters<typeof inTransaction<number>>[1] = async (tx) => {
          const { rows } = await sql<{ now: number }>`select ${this.#dialect.now} as now`.execute(
            tx,
          );
          return removeOlder(tx, name, (rows[0]?.now ?? 0) - maxAgeMs);
        };
        removed = await this.#ask(() => inTransaction(this.#options.store, work));
      }
    }
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

  #streamOf(subject: string): StreamDefinition {
    checkSubject(subject);
    const found = this.streams.find(({ subjects }) =>
      subjects.some((filter) => matches(filter, subject)),
    );
    if (found === undefined) throw busNotFound(`stream that takes ${subject}`);
    return found;
  }

  #named(stream: string): StreamDefinition {
    const found = this.streams.find(({ name }) => name === stream);
    if (found === undefined) throw busNotFound(`stream ${JSON.stringify(stream.slice(0, 80))}`);
    return found;
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
