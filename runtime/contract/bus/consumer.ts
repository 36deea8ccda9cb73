import type { StoredMessage } from './message.ts';

/** A durable consumer: where it stands survives restarts, and its processes share its messages. */
export interface ConsumerDefinition {
  readonly stream: string;
  /** `<service>_<purpose>`: small letters, digits, `_` and `-`, no dots. */
  readonly name: string;
  /** One filter of subjects, with `*` and `>`; everything in the stream when absent. */
  readonly filter?: string;
  /**
   * Where it begins the first time that it is there (default `first`): with the oldest message, or
   * with what is published from then on.
   */
  readonly begin?: 'first' | 'new';
  /** Without `ack`, `nak`, `term` or `working` within this time, it is delivered again (30,000). */
  readonly ackWaitMs?: number;
  /** How long a handler that threw is left alone, by the number of the delivery; the last one repeats. */
  readonly backoffMs?: readonly number[];
  /** Deliveries after which a message goes to the dead letters (6). */
  readonly maxDeliver?: number;
  /** Messages that are delivered and not acknowledged, of all its processes together (256). */
  readonly maxAckPending?: number;
  /**
   * Handlers that run at a time in this process (1). With 1 and no failure, messages are handled in
   * their order; a message that comes again comes later than those behind it.
   */
  readonly parallel?: number;
}

/** What a consumer without further words gets. */
export const consumerDefaults = {
  begin: 'first',
  ackWaitMs: 30_000,
  backoffMs: [1000, 5000, 30_000, 120_000, 300_000],
  maxDeliver: 6,
  maxAckPending: 256,
  parallel: 1,
} as const satisfies Partial<ConsumerDefinition>;

/** What a handler does with a message. The first of `ack`, `nak` and `term` counts. */
export interface DeliveryControl {
  /** 1 at the first delivery. */
  readonly deliveries: number;
  /** Aborted when the consumer stops: what has begun may end, and is acknowledged as usual. */
  readonly signal: AbortSignal;
  /** It is done: resolves once that is known to all, so that it does not come again. */
  ack(): Promise<void>;
  /** Deliver it again after this time, as the backoff says when absent; a dead letter after the last. */
  nak(delayMs?: number): Promise<void>;
  /** Nothing will ever come of it: it goes to the dead letters at once. */
  term(reason?: string): Promise<void>;
  /** It takes longer: the time to acknowledge begins anew. */
  working(): Promise<void>;
}

/** One delivery of a message. */
export interface Delivery extends DeliveryControl {
  readonly message: StoredMessage;
}

/**
 * Handles a message, possibly more than once: by its id it knows what it has done. A handler that
 * returns has acknowledged, unless it said otherwise; one that throws asks for another delivery.
 */
export type Handler<Given> = (delivery: Given) => Promise<void>;

/** A consumer that runs in this process. */
export interface Consumption {
  /** Take nothing new, wait for the handlers that run, and give back what they did not begin. */
  stop(): Promise<void>;
}
