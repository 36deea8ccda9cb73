import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import type { ConsumerDefinition, Consumption, Delivery, Handler } from '#contract/bus/consumer';
import { deadLetterOf } from '#contract/bus/dead-letter';
import { busUnavailable } from '#contract/bus/faults';
import type { OutgoingMessage } from '#contract/bus/message';
import type { Link } from './nats-connection.ts';
import { codes, isApiError } from './nats-faults.ts';
import { deliveredMessage, type TenantOf } from './nats-message.ts';

/** Bytes that the server may send before more of them are asked for; it cuts off who is 64 MiB behind. */
const mostUnderway = 16_777_216;
/** After a failure. */
const retryMs = 1000;

export interface NatsConsumerOptions {
  readonly consumer: Required<ConsumerDefinition>;
  readonly handler: Handler<Delivery>;
  readonly tenantOf: TenantOf | undefined;
  /** Resolves when there is a connection, and the stream is as it is declared. */
  readonly ready: () => Promise<Link>;
  readonly publish: (message: OutgoingMessage) => Promise<unknown>;
  readonly onDelivery: (isAgain: boolean) => void;
  readonly onDead: (count: number) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Runs the handler of a durable pull consumer in this process. */
export class NatsConsumer implements Consumption {
  readonly #options: NatsConsumerOptions;
  readonly #stopping = new AbortController();
  readonly #queue: JsMsg[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Acknowledgements on their way. */
  readonly #telling = new Set<Promise<unknown>>();
  /** What was handled in this turn of the event loop, and is not acknowledged yet. */
  #handled: JsMsg[] = [];
  #loop: Promise<void> = Promise.resolve();
  #wake = () => {};

  constructor(options: NatsConsumerOptions) {
    this.#options = options;
  }

  /** Make the consumer at the server, and begin. @throws ServiceError `bus_unavailable` */
  async start(): Promise<void> {
    const consumer = await this.#open(await this.#options.ready());
    this.#loop = this.#work(consumer);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#loop;
    for (const message of this.#queue.splice(0)) message.nak();
    await Promise.all(this.#running);
    this.#acknowledgeAll();
    await Promise.allSettled(this.#telling);
  }

  async #open({ client, manager }: Link): Promise<Consumer> {
    const { stream, name, filter, begin, ackWaitMs, maxAckPending } = this.#options.consumer;
    const config = {
      ...(filter !== '>' && { filter_subject: filter }),
      ack_wait: ackWaitMs * 1_000_000,
      max_ack_pending: maxAckPending,
      // Counted here: the server would drop the message of a process that died with the last delivery.
      max_deliver: -1,
    };
    // Where one that is there has begun, nobody can change any more.
    const info = (await this.#isThere(manager))
      ? await manager.consumers.update(stream, name, config)
      : await manager.consumers.add(stream, {
          ...config,
          durable_name: name,
          ack_policy: AckPolicy.Explicit,
          deliver_policy: begin === 'new' ? DeliverPolicy.New : DeliverPolicy.All,
        });
    return client.consumers.getConsumerFromInfo(info);
  }

  async #isThere(manager: Link['manager']): Promise<boolean> {
    const { stream, name } = this.#options.consumer;
    try {
      await manager.consumers.info(stream, name);
      return true;
    } catch (error) {
      if (isApiError(error, codes.consumerNotFound)) return false;
      throw error;
    }
  }

  async #work(first: Consumer): Promise<void> {
    const { signal } = this.#stopping;
    const { ackWaitMs } = this.#options.consumer;
    // What waits here for its turn must not come again meanwhile.
    const keeper = setInterval(() => {
      for (const message of this.#queue) message.working();
    }, ackWaitMs / 3).unref();
    let consumer: Consumer | undefined = first;
    while (!signal.aborted) {
      try {
        consumer ??= await this.#open(await this.#readyOrStopped());
        await this.#take(consumer);
      } catch (error) {
        if (signal.aborted) break;
        this.#options.onFailure(error);
        await this.#pause(retryMs);
      }
      consumer = undefined;
    }
    clearInterval(keeper);
  }

  /** There may be no server for long; whoever stops meanwhile does not wait for one. */
  #readyOrStopped(): Promise<Link> {
    const { signal } = this.#stopping;
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    return Promise.race([this.#options.ready(), stopped.promise]).finally(() =>
      signal.removeEventListener('abort', stop),
    );
  }

  /** Resolves when the server gives nothing more: the consumer is gone, or this one stops. */
  async #take(consumer: Consumer): Promise<void> {
    const messages = await consumer.consume({
      max_bytes: mostUnderway,
      abort_on_missing_resource: true,
    });
    const stop = () => messages.stop();
    const { signal } = this.#stopping;
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      for await (const message of messages) {
        if (signal.aborted) {
          message.nak();
          continue;
        }
        this.#queue.push(message);
        this.#startHandlers();
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Acknowledge with all that is handled in this turn of the event loop: they are sent as one. */
  #acknowledgeSoon(message: JsMsg): void {
    this.#handled.push(message);
    if (this.#handled.length === 1) setImmediate(() => this.#acknowledgeAll());
  }

  /** The server takes them in their order: who knows of the last one knows of all. */
  #acknowledgeAll(): void {
    const last = this.#handled.pop();
    if (last === undefined) return;
    const tell = async () => {
      for (const message of this.#handled.splice(0)) message.ack();
      await acknowledge(last);
    };
    this.#tell(tell()).catch((error: unknown) => this.#options.onFailure(error));
  }

  #startHandlers(): void {
    const { parallel } = this.#options.consumer;
    while (this.#running.size < parallel && !this.#stopping.signal.aborted) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const run = this.#handle(next).finally(() => {
        this.#running.delete(run);
        this.#startHandlers();
      });
      this.#running.add(run);
    }
  }

  async #handle(given: JsMsg): Promise<void> {
    const { consumer, handler, onDelivery } = this.#options;
    const deliveries = given.info.deliveryCount;
    const message = deliveredMessage(given, this.#options.tenantOf);
    let isSettled = false;
    const once = async (act: () => Promise<void>): Promise<void> => {
      if (isSettled) return;
      isSettled = true;
      await this.#tell(act());
    };
    const bury = (reason: string) => this.#bury(given, { deliveries, reason });
    const nak = (delayMs = backoff(consumer, deliveries), reason = 'was not handled') =>
      once(async () => {
        if (deliveries < consumer.maxDeliver) given.nak(delayMs);
        else await bury(`${reason} in ${deliveries} deliveries`);
      });
    if (deliveries > consumer.maxDeliver) {
      // Whoever had the last delivery ended without a word.
      return once(() => bury(`was not handled in ${deliveries - 1} deliveries`)).catch((error) =>
        this.#options.onFailure(error),
      );
    }
    onDelivery(deliveries > 1);
    const quietly = (work: Promise<void>) =>
      void work.catch((error: unknown) => this.#options.onFailure(error));
    try {
      await handler({
        message,
        deliveries,
        signal: this.#stopping.signal,
        ack: () => once(() => acknowledge(given)),
        nak: (delayMs) => nak(delayMs),
        term: (reason = 'terminated by its consumer') => once(() => bury(reason)),
        working: async () => {
          if (!isSettled) given.working();
        },
      });
      if (!isSettled) this.#acknowledgeSoon(given);
      isSettled = true;
    } catch {
      quietly(nak());
    }
  }

  /** Copy the message to the dead letters, and only then let go of it. */
  async #bury(given: JsMsg, facts: { readonly deliveries: number; readonly reason: string }) {
    const { publish, consumer, onDead } = this.#options;
    const deliveries = Math.min(facts.deliveries, consumer.maxDeliver);
    const letter = { ...facts, deliveries, consumer: consumer.name };
    await publish(deadLetterOf(deliveredMessage(given, this.#options.tenantOf), letter));
    // Without a reason: servers before 2.10.4 do not understand one, and deliver again.
    given.term();
    onDead(1);
  }

  async #tell<T>(work: Promise<T>): Promise<T> {
    this.#telling.add(work);
    try {
      return await work;
    } finally {
      this.#telling.delete(work);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

async function acknowledge(message: JsMsg): Promise<void> {
  if (!(await message.ackAck())) throw busUnavailable('the acknowledgement was not confirmed');
}

function backoff({ backoffMs }: Required<ConsumerDefinition>, deliveries: number): number {
  return backoffMs[Math.min(deliveries, backoffMs.length) - 1] ?? 0;
}
