import type { ConsumerInfo } from '@nats-io/jetstream';
import { type ConsumerDefinition, consumerDefaults } from '#contract/bus/consumer';
import type { BatchOutcome, BusDriver, BusHealth } from '#contract/bus/driver';
import { busInvalid } from '#contract/bus/faults';
import type { OutgoingMessage, PublishReceipt, StoredMessage } from '#contract/bus/message';
import type { ReadQuery, StreamDefinition, StreamState } from '#contract/bus/stream';
import { checkFilter, isToken } from '#contract/bus/subject';
import { DeclaredStreams } from '../declared-streams.ts';
import { NatsBucket } from './nats-bucket.ts';
import { type Link, NatsLink } from './nats-connection.ts';
import { NatsConsumer } from './nats-consumer.ts';
import { codes, isApiError, isNoMessage, unavailable } from './nats-faults.ts';
import type { TenantOf } from './nats-message.ts';
import { NatsPublisher } from './nats-publisher.ts';
import { followStream, type NatsQuery, readPage } from './nats-reader.ts';
import { PageTurns } from './page-turns.ts';
import { connectionOptions, type NatsAddress } from './server-address.ts';
import { ensureStream, type StreamKeeping } from './stream-config.ts';

export interface NatsOptions extends StreamKeeping {
  readonly address: NatsAddress;
  readonly streams: readonly StreamDefinition[];
  /** Absent where messages say themselves whose they are. */
  readonly tenantOf?: TenantOf;
  readonly onDelivery?: (isAgain: boolean) => void;
  readonly onDead?: (count: number) => void;
  readonly onFailure: (message: string, error: unknown) => void;
}

/** The event bus in NATS JetStream. */
export class NatsDriver implements BusDriver {
  readonly kind = 'nats';
  readonly streams: readonly StreamDefinition[];
  readonly #declared: DeclaredStreams;
  readonly #options: NatsOptions;
  readonly #link: NatsLink;
  /** Streams that were found to be as declared, since the connection was made. */
  readonly #ensured = new Map<string, { readonly link: Link; readonly done: Promise<void> }>();
  readonly #consumers = new Set<NatsConsumer>();
  readonly #buckets = new Map<string, NatsBucket>();
  readonly #publisher: NatsPublisher;
  readonly #pageTurns = new PageTurns();
  readonly #stopping = new AbortController();
  #making: Promise<void> | undefined;

  /** @throws TypeError for an address that is none */
  constructor(options: NatsOptions) {
    this.#options = options;
    this.streams = options.streams;
    this.#declared = new DeclaredStreams(options.streams);
    this.#link = new NatsLink(connectionOptions(options.address), options.onFailure);
    this.#publisher = new NatsPublisher({
      streamOf: (subject) => this.#declared.taking(subject),
      ready: (stream) => this.#ready(stream),
      onDoubt: (stream) => this.#ensured.delete(stream),
    });
  }

  async start(): Promise<void> {
    this.#link.start();
    this.#making = this.#makeStreams();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    await this.drain();
    await this.#link.stop();
    await this.#making;
  }

  async drain(): Promise<void> {
    await this.#publisher.drain();
  }

  health(): BusHealth {
    return this.#link.health();
  }

  async states(): Promise<readonly StreamState[]> {
    return Promise.all(
      this.streams.map((definition) =>
        this.#within(definition, (link) => stateOf(link, definition)),
      ),
    );
  }

  publish(message: OutgoingMessage): Promise<PublishReceipt> {
    return this.#publisher.publish(message);
  }

  publishAll(messages: readonly OutgoingMessage[]): Promise<BatchOutcome> {
    return this.#publisher.publishAll(messages);
  }

  async read(query: ReadQuery) {
    const definition = this.#declared.named(query.stream);
    return this.#pageTurns.take(() =>
      this.#within(definition, (link) => readPage(link, this.#queryOf(query))),
    );
  }

  follow(query: Omit<ReadQuery, 'limit'>, given: AbortSignal): AsyncIterable<StoredMessage> {
    const definition = this.#declared.named(query.stream);
    const signal = AbortSignal.any([given, this.#stopping.signal]);
    const ready = (isDoubtful: boolean) => {
      if (isDoubtful) this.#ensured.delete(definition.name);
      return this.#ready(definition, true);
    };
    return followStream(ready, this.#queryOf(query), signal);
  }

  async remove(stream: string, sequence: number): Promise<boolean> {
    const definition = this.#declared.named(stream);
    return this.#within(definition, ({ manager }) => removeMessage(manager, stream, sequence));
  }

  async consume(given: ConsumerDefinition, handler: Parameters<BusDriver['consume']>[1]) {
    const consumer = { filter: '>', ...consumerDefaults, ...given };
    const definition = this.#declared.named(consumer.stream);
    checkFilter(consumer.filter);
    if (!isToken(consumer.name))
      throw busInvalid('name', 'letters, digits, "_" and "-"', consumer.name);
    const { onDelivery = () => {}, onDead = () => {}, onFailure } = this.#options;
    const running = new NatsConsumer({
      ...{ consumer, handler, onDelivery, onDead, tenantOf: this.#options.tenantOf },
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
    const { manager } = await this.#ready(this.#declared.named(stream));
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

  /** Make the streams as soon as there is a connection: others may publish before this server does. */
  async #makeStreams(): Promise<void> {
    const { onFailure } = this.#options;
    for (const definition of this.streams) {
      await this.#ready(definition, true).catch((error) => {
        if (this.#stopping.signal.aborted) return;
        onFailure(`the stream ${definition.name} is not there yet`, error);
      });
    }
  }

  #queryOf<Query extends object>(query: Query): Query & Pick<NatsQuery, 'tenantOf'> {
    return { ...query, tenantOf: this.#options.tenantOf };
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

  /** Do something with a stream that is there; where somebody has deleted it, it is made again. */
  async #within<T>(definition: StreamDefinition, work: (link: Link) => Promise<T>): Promise<T> {
    const attempt = async () => work(await this.#ready(definition));
    try {
      return await attempt().catch((error) => {
        if (!isApiError(error, codes.streamNotFound)) throw error;
        this.#ensured.delete(definition.name);
        return attempt();
      });
    } catch (error) {
      throw unavailable(error);
    }
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

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
}

/** How long the first who publish wait for the first connection. */
const firstWaitMs = 1000;

/** Whether it was there, and is not any more. */
async function removeMessage(
  manager: Link['manager'],
  stream: string,
  sequence: number,
): Promise<boolean> {
  const hasMessage = () =>
    manager.streams.getMessage(stream, { seq: sequence }).then(
      (found) => found !== null,
      (error) => !isNoMessage(error),
    );
  try {
    return await manager.streams.deleteMessage(stream, sequence, false);
  } catch (error) {
    if (isNoMessage(error)) return false;
    // A stream without messages fails to delete one.
    if (!isApiError(error, codes.deleteFailed) || (await hasMessage())) throw error;
    return false;
  }
}

async function stateOf(
  { manager }: Link,
  { name, subjects }: StreamDefinition,
): Promise<StreamState> {
  const { state } = await manager.streams.info(name);
  const consumers: ConsumerInfo[] = [];
  for await (const each of manager.consumers.list(name)) consumers.push(each);
  return {
    ...{ name, subjects, messages: state.messages, bytes: state.bytes },
    firstSequence: state.last_seq === 0 ? 0 : state.first_seq,
    lastSequence: state.last_seq,
    consumers: consumers.filter(({ config }) => config.durable_name).map(consumerState),
  };
}

function consumerState({ name, config, delivered, num_ack_pending, num_pending }: ConsumerInfo) {
  return {
    name,
    filter: config.filter_subject ?? '>',
    delivered: delivered.stream_seq,
    pending: num_ack_pending,
    waiting: num_pending,
  };
}
