import type { ConsumerInfo } from '@nats-io/jetstream';
import { type ConsumerDefinition, consumerDefaults } from '#contract/bus/consumer';
import type { BatchOutcome, BusDriver, BusHealth } from '#contract/bus/driver';
import { busBackpressure, busInvalid, busNotFound, busPayloadTooLarge } from '#contract/bus/faults';
import type { OutgoingMessage, PublishReceipt, StoredMessage } from '#contract/bus/message';
import type { ReadQuery, StreamDefinition, StreamState } from '#contract/bus/stream';
import { checkFilter, checkSubject, isToken, matches } from '#contract/bus/subject';
import { ulid } from '../ulid.ts';
import { NatsBucket } from './nats-bucket.ts';
import { type Link, NatsLink } from './nats-connection.ts';
import { NatsConsumer } from './nats-consumer.ts';
import { codes, isApiError, isNoMessage, refusal, unavailable } from './nats-faults.ts';
import { bytesOf, wireHeaders } from './nats-message.ts';
import { followStream, readPage } from './nats-reader.ts';
import { connectionOptions, type NatsAddress } from './server-address.ts';
import { ensureStream, type StreamKeeping } from './stream-config.ts';

/** Messages of one process that are on their way. */
const mostPublishing = 20_000;
/** How often one message is sent, with the same id, when nothing is known of what became of it. */
const mostAttempts = 5;
/** Pause before the second attempt; twice as long each time, and up to as much again by chance. */
const attemptPauseMs = 50;

export interface NatsOptions extends StreamKeeping {
  readonly address: NatsAddress;
  readonly streams: readonly StreamDefinition[];
  readonly onDelivery?: (isAgain: boolean) => void;
  readonly onDead?: (count: number) => void;
  readonly onFailure: (message: string, error: unknown) => void;
}

/** The event bus in NATS JetStream. */
export class NatsDriver implements BusDriver {
  readonly kind = 'nats';
  readonly streams: readonly StreamDefinition[];
  readonly #options: NatsOptions;
  readonly #link: NatsLink;
  /** Streams that were found to be as declared, since the connection was made. */
  readonly #ensured = new Map<string, { readonly link: Link; readonly done: Promise<void> }>();
  readonly #consumers = new Set<NatsConsumer>();
  readonly #buckets = new Map<string, NatsBucket>();
  readonly #publishing = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  /** @throws TypeError for an address that is none */
  constructor(options: NatsOptions) {
    this.#options = options;
    this.streams = options.streams;
    this.#link = new NatsLink(connectionOptions(options.address), options.onFailure);
  }

  async start(): Promise<void> {
    this.#link.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    await this.drain();
    await this.#link.stop();
  }

  async drain(): Promise<void> {
    await Promise.allSettled(this.#publishing);
  }

  health(): BusHealth {
    return this.#link.health();
  }

  async states(): Promise<readonly StreamState[]> {
    const { manager } = await this.#connected();
    return Promise.all(
      this.streams.map(async (definition) => {
        await this.#ready(definition);
        const { state } = await manager.streams.info(definition.name);
        const consumers: ConsumerInfo[] = [];
        for await (const each of manager.consumers.list(definition.name)) consumers.push(each);
        return {
          name: definition.name,
          subjects: definition.subjects,
          messages: state.messages,
          bytes: state.bytes,
          firstSequence: state.last_seq === 0 ? 0 : state.first_seq,
          lastSequence: state.last_seq,
          consumers: consumers.filter(({ config }) => config.durable_name).map(consumerState),
        };
      }),
    ).catch((error) => Promise.reject(unavailable(error)));
  }

  async publish(message: OutgoingMessage): Promise<PublishReceipt> {
    if (this.#publishing.size >= mostPublishing) {
      const { name } = this.#streamOf(message.subject);
      throw busBackpressure(name, `${mostPublishing} messages wait to be stored`);
    }
    const work = this.#publish(message);
    this.#publishing.add(work);
    const forget = () => this.#publishing.delete(work);
    work.then(forget, forget);
    return work;
  }

  async publishAll(messages: readonly OutgoingMessage[]): Promise<BatchOutcome> {
    const receipts: PublishReceipt[] = [];
    for (const message of messages) {
      try {
        receipts.push(await this.publish(message));
      } catch (failure) {
        return { receipts, failure };
      }
    }
    return { receipts };
  }

  async read(query: ReadQuery) {
    const definition = this.#named(query.stream);
    const link = await this.#ready(definition);
    return readPage(link, query).catch((error) => Promise.reject(unavailable(error)));
  }

  follow(query: Omit<ReadQuery, 'limit'>, given: AbortSignal): AsyncIterable<StoredMessage> {
    const definition = this.#named(query.stream);
    const signal = AbortSignal.any([given, this.#stopping.signal]);
    return followStream(() => this.#ready(definition, true), query, signal);
  }

  async remove(stream: string, sequence: number): Promise<boolean> {
    const { manager } = await this.#ready(this.#named(stream));
    try {
      return await manager.streams.deleteMessage(stream, sequence, false);
    } catch (error) {
      if (isNoMessage(error)) return false;
      throw unavailable(error);
    }
  }

  async consume(given: ConsumerDefinition, handler: Parameters<BusDriver['consume']>[1]) {
    const consumer = { filter: '>', ...consumerDefaults, ...given };
    const definition = this.#named(consumer.stream);
    checkFilter(consumer.filter);
    if (!isToken(consumer.name))
      throw busInvalid('name', 'letters, digits, "_" and "-"', consumer.name);
    const { onDelivery = () => {}, onDead = () => {}, onFailure } = this.#options;
    const running = new NatsConsumer({
      ...{ consumer, handler, onDelivery, onDead },
      ready: () => this.#ready(definition, true),
      publish: (message) => this.publish(message),
      onFailure: (error) =>
        onFailure(`the consumer ${consumer.name} of ${consumer.stream} cannot go on`, error),
    });
    this.#consumers.add(running);
    await running.start().catch((error) => {
      this.#consumers.delete(running);
      throw unavailable(error);
    });
    return {
      stop: () => running.stop().finally(() => this.#consumers.delete(running)),
    };
  }

  async removeConsumer(stream: string, name: string): Promise<boolean> {
    const { manager } = await this.#ready(this.#named(stream));
    try {
      return await manager.consumers.delete(stream, name);
    } catch (error) {
      if (isApiError(error, codes.consumerNotFound)) return false;
      throw unavailable(error);
    }
  }

  bucket(definition: Parameters<BusDriver['bucket']>[0]): NatsBucket {
    const found = this.#buckets.get(definition.name);
    const bucket = found ?? new NatsBucket(definition, this.#options, () => this.#connected());
    this.#buckets.set(definition.name, bucket);
    return bucket;
  }

  async #publish(message: OutgoingMessage): Promise<PublishReceipt> {
    const { subject, expectedLastSequence, id = ulid() } = message;
    const definition = this.#streamOf(subject);
    const { name: stream, maxMessageBytes } = definition;
    const bytes = bytesOf(message);
    if (bytes > maxMessageBytes) throw busPayloadTooLarge(stream, bytes, maxMessageBytes);
    for (let attempt = 1; ; attempt++) {
      const { client } = await this.#ready(definition);
      try {
        const { seq, duplicate } = await client.publish(subject, message.data, {
          msgID: id,
          headers: wireHeaders(message),
          expect: {
            streamName: stream,
            ...(expectedLastSequence !== undefined && {
              lastSubjectSequence: expectedLastSequence,
            }),
          },
        });
        return { stream, sequence: seq, duplicate };
      } catch (error) {
        const facts = { stream, subject, expected: expectedLastSequence ?? 0 };
        const fault = refusal(error, facts);
        if ((fault as { code?: unknown }).code !== 'bus_unavailable' || attempt === mostAttempts) {
          throw fault;
        }
        // Perhaps somebody has deleted the stream.
        this.#ensured.delete(stream);
        await this.#pause(attemptPauseMs * 2 ** (attempt - 1) * (1 + Math.random()));
      }
    }
  }

  async #connected(waits = false): Promise<Link> {
    const { state } = this.#link.health();
    // Right after the start it is a matter of milliseconds.
    return waits || state === 'connecting' ? this.#firstLink(waits) : this.#link.now;
  }

  #firstLink(waits: boolean): Promise<Link> {
    const connected = this.#link.whenConnected();
    if (waits) return connected;
    return Promise.race([connected, this.#pause(firstWaitMs).then(() => this.#link.now)]);
  }

  /** Resolves when there is a connection, and the stream is there as it is declared. */
  async #ready(definition: StreamDefinition, waits = false): Promise<Link> {
    const link = await this.#connected(waits);
    const { name } = definition;
    let found = this.#ensured.get(name);
    if (found?.link !== link) {
      found = { link, done: ensureStream(link.manager, definition, this.#options) };
      this.#ensured.set(name, found);
    }
    try {
      await found.done;
      return link;
    } catch (error) {
      this.#ensured.delete(name);
      throw unavailable(error);
    }
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

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
}

/** How long the first who publish wait for the first connection. */
const firstWaitMs = 1000;

function consumerState({ name, config, delivered, num_ack_pending, num_pending }: ConsumerInfo) {
  return {
    name,
    filter: config.filter_subject ?? '>',
    delivered: delivered.stream_seq,
    pending: num_ack_pending,
    waiting: num_pending,
  };
}
