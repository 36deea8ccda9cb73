import type { ConsumerDefinition, Consumption, Delivery, Handler } from './consumer.ts';
import type { BucketDefinition, KeyValue } from './key-value.ts';
import type { OutgoingMessage, PublishReceipt, StoredMessage } from './message.ts';
import type { ReadPage, ReadQuery, StreamDefinition, StreamState } from './stream.ts';

/** How the bus is. */
export interface BusHealth {
  /** `degraded`: messages wait in the outbox until it is reached again. */
  readonly state: 'ok' | 'connecting' | 'degraded' | 'stopped';
  /** Why it is not as it should be, for the operator; without secrets. */
  readonly reason?: string;
}

/** How far a batch has come. */
export interface BatchOutcome {
  /** Receipts of its first messages, in their order. */
  readonly receipts: readonly PublishReceipt[];
  /** Why the message behind them was not published; nothing behind it was either, as far as is known. */
  readonly failure?: unknown;
}

/**
 * What carries messages: the embedded one (tables of the store) or NATS JetStream. It knows nothing
 * of events, schemas and tenants' addresses. One contract suite, `test/bus/contract/bus-contract.ts`, holds for
 * all of them. Every method but `start`, `stop` and `health` may throw
 *
 * - ServiceError `bus_unavailable` (503, retryable): nothing is known of what was asked, or it did
 *   not happen; publish again with the same id
 * - ServiceError `bus_backpressure` (503, retryable): the stream is full, or too much waits
 * - ServiceError `bus_payload_too_large` (413)
 * - ServiceError `conflict` (409): an expected sequence or revision is another one
 * - ServiceError `invalid_params` (400): a subject, a filter or a name that is none
 * - ServiceError `not_found` (404): no stream, no message of this name or number
 */
export interface BusDriver {
  readonly kind: 'embedded' | 'nats';
  /**
   * Begin; resolves without waiting for a server. The streams are made as soon as it is reached,
   * buckets with their first use; those that are there are verified to be as they are declared.
   */
  start(): Promise<void>;
  /** Take nothing new, let what has begun come to its end, and let go of everything. */
  stop(): Promise<void>;
  /** Resolves when everything that was given to `publish` until now is on the disk or has failed. */
  drain(): Promise<void>;
  health(): BusHealth;
  /** The streams that it was created with; where one is missing at the server, it is made. */
  readonly streams: readonly StreamDefinition[];
  states(): Promise<readonly StreamState[]>;
  /** Resolves when the message is on the disk: what was acknowledged is never lost. */
  publish(message: OutgoingMessage): Promise<PublishReceipt>;
  /**
   * Publish in this order, and stop at the first that fails: for the relay of the outbox. Messages
   * come without `expectedLastSequence`.
   */
  publishAll(messages: readonly OutgoingMessage[]): Promise<BatchOutcome>;
  /** Read a page without being a consumer. A reader never misses a message that is stored later. */
  read(query: ReadQuery): Promise<ReadPage<StoredMessage>>;
  /** Read on and on, in the order of the sequences, waiting for what comes. Ends with the signal. */
  follow(query: Omit<ReadQuery, 'limit'>, signal: AbortSignal): AsyncIterable<StoredMessage>;
  /** Take a message out of its stream; false where it was not there. */
  remove(stream: string, sequence: number): Promise<boolean>;
  /**
   * Give the messages of a durable consumer to `handler`. A message that runs out of deliveries, or
   * is terminated, is copied to the stream of the dead letters first (`dead-letter.ts`) and then
   * never delivered again.
   */
  consume(consumer: ConsumerDefinition, handler: Handler<Delivery>): Promise<Consumption>;
  /** Forget a durable consumer and where it stands; false where it was not there. */
  removeConsumer(stream: string, name: string): Promise<boolean>;
  bucket(definition: BucketDefinition): KeyValue;
}
