import type { AnyTransaction } from '../house/store.ts';
import type { JsonObject } from '../json.ts';
import type { TraceContext } from '../trace.ts';
import type { CloudEvent } from './cloud-event.ts';
import type { ConsumerDefinition, Consumption, DeliveryControl, Handler } from './consumer.ts';
import type { DeadLetterFacts } from './dead-letter.ts';
import type { BusHealth } from './driver.ts';
import type { BucketDefinition, KeyValue } from './key-value.ts';
import type { PublishReceipt } from './message.ts';
import type { ReadPage, StreamState } from './stream.ts';

/** What its author says of an event, besides its name. */
export interface EventFacts<Data> {
  readonly tenant: string;
  readonly data: Data;
  /** What it is about, such as the id of a workflow (CloudEvents, subject). */
  readonly subject?: string;
  /** A ULID is made where there is none; the same id again within two minutes is a duplicate. */
  readonly id?: string;
  readonly correlationId?: string;
  /** Id of the event that led to this one. */
  readonly causationId?: string;
  readonly trace?: TraceContext | undefined;
  /** See `OutgoingMessage`; not for what is published in a transaction. */
  readonly expectedLastSequence?: number;
}

/** An event on its way; its name is one of the catalogue, such as `workflow.checkpoint`. */
export interface NewEvent extends EventFacts<JsonObject> {
  readonly name: string;
  /** The agent that publishes it, which its source names; the server itself when absent. */
  readonly publisher?: string;
}

/** An event in its place. */
export interface ReceivedEvent {
  readonly stream: string;
  readonly sequence: number;
  readonly storedAt: number;
  /** Its name in the catalogue; absent where the catalogue has none of this type. */
  readonly name?: string;
  readonly event: CloudEvent;
}

/** One delivery of an event. */
export interface EventDelivery extends DeliveryControl, ReceivedEvent {}

/** A durable consumer of events. */
export interface EventConsumer extends Omit<ConsumerDefinition, 'stream' | 'filter'> {
  /** Names in the catalogue, all of one stream; those that it does not name are passed over. */
  readonly events: readonly string[];
}

/** Which events to read. */
export interface EventQuery {
  readonly stream: string;
  /** Whose; those of all tenants when absent. */
  readonly tenant?: string;
  /** Names in the catalogue; all of them when absent. */
  readonly events?: readonly string[];
  readonly fromSequence?: number;
  readonly fromTime?: number;
  /** 1 to 1,000. */
  readonly limit: number;
}

/** An event that no consumer could handle. */
export interface DeadLetter extends DeadLetterFacts {
  /** Its own place, in the stream of the dead letters. */
  readonly letter: number;
  readonly storedAt: number;
  readonly tenant: string;
  /** Absent where the message is no event at all. */
  readonly event?: CloudEvent;
  /** The message as it came. */
  readonly text: string;
}

/** Events that no consumer could handle, of one tenant each. */
export interface DeadLetters {
  list(query: {
    readonly tenant: string;
    readonly fromLetter?: number;
    /** 1 to 1,000. */
    readonly limit: number;
  }): Promise<ReadPage<DeadLetter>>;
  /**
   * Publish the event again, where it was published first, with an id of its own that is caused by the
   * old one; then the letter is gone. The same letter again gives the same event.
   *
   * @throws ServiceError `not_found`
   */
  replay(tenant: string, letter: number): Promise<PublishReceipt>;
  /** @throws ServiceError `not_found` */
  discard(tenant: string, letter: number): Promise<void>;
}

/** The event bus: streams of events that are kept, and that nobody who listens for them misses. */
export interface Bus {
  /**
   * Publish an event; resolves when it is on the disk.
   *
   * @throws ServiceError `invalid_params` where the catalogue has no such event, its data does not fit
   * or its publisher may not publish it, and what a driver throws (`driver.ts`)
   */
  publish(event: NewEvent): Promise<PublishReceipt>;
  /**
   * Publish an event if, and as soon as, the transaction is committed (transactional outbox). It is
   * checked at once.
   *
   * @throws ServiceError as above, but never `bus_unavailable`: it waits in the store
   */
  publish(tx: AnyTransaction, event: NewEvent): Promise<void>;
  /** Begin to handle events; what does not fit its schema goes to the dead letters. */
  consume(consumer: EventConsumer, handler: Handler<EventDelivery>): Promise<Consumption>;
  /** Read a page of a stream. */
  read(query: EventQuery): Promise<ReadPage<ReceivedEvent>>;
  /** Read on and on, in order, waiting for what comes. Ends with the signal. */
  follow(query: Omit<EventQuery, 'limit'>, signal: AbortSignal): AsyncIterable<ReceivedEvent>;
  readonly deadLetters: DeadLetters;
  /** The streams, and where their consumers stand. */
  states(): Promise<readonly StreamState[]>;
  /** State of one tenant. */
  bucket(definition: BucketDefinition, tenant: string): KeyValue;
  /** Events that wait in the store for a bus that can be reached. */
  waiting(): Promise<number>;
  /** Events in the store that no stream takes; they are tried again when a server starts. */
  refused(): Promise<number>;
  /** The AsyncAPI document of its events. */
  document(): Promise<JsonObject>;
  health(): BusHealth;
  /** Resolves when all that was published until now is on the disk or has failed. */
  drain(): Promise<void>;
}
