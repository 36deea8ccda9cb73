import type { BatchOutcome } from '#contract/bus/driver';
import { busBackpressure, busPayloadTooLarge } from '#contract/bus/faults';
import type { OutgoingMessage, PublishReceipt } from '#contract/bus/message';
import type { StreamDefinition } from '#contract/bus/stream';
import { ulid } from '../ulid.ts';
import type { Link } from './nats-connection.ts';
import { codes, isApiError, refusal, unavailable } from './nats-faults.ts';
import { bytesOf, wireHeaders, wireId } from './nats-message.ts';

/** Messages of one process that are on their way. */
const mostPublishing = 20_000;
/** How often one message is sent, with the same id, when nothing is known of what became of it. */
const mostAttempts = 5;
/** Pause before the second attempt; twice as long each time, and up to as much again by chance. */
const attemptPauseMs = 50;
/** Messages of one batch that are sent before the first one is answered. */
const mostAhead = 64;

export interface NatsPublisherOptions {
  /** The stream that takes a subject. @throws ServiceError */
  readonly streamOf: (subject: string) => StreamDefinition;
  /** Resolves when there is a connection, and the stream is there as it is declared. */
  readonly ready: (stream: StreamDefinition) => Promise<Link>;
  /** Hears that something may be wrong with the stream. */
  readonly onDoubt: (stream: string) => void;
}

/** A message for its stream, which was found to be one that it may take. */
interface Checked {
  readonly message: OutgoingMessage;
  readonly stream: StreamDefinition;
  /** As the stream tells it from those of other tenants. */
  readonly id: string;
}

/** Stores messages in JetStream. */
export class NatsPublisher {
  readonly #options: NatsPublisherOptions;
  readonly #publishing = new Set<Promise<unknown>>();

  constructor(options: NatsPublisherOptions) {
    this.#options = options;
  }

  async publish(message: OutgoingMessage): Promise<PublishReceipt> {
    const checked = this.#check(message);
    return this.#track(this.#insist(checked, this.#options.ready(checked.stream)));
  }

  /**
   * Store messages in their order. Each one that follows another of its stream says whose successor
   * it is: where the first is not there, the server refuses those that were sent behind it.
   */
  async publishAll(messages: readonly OutgoingMessage[]): Promise<BatchOutcome> {
    const receipts: PublishReceipt[] = [];
    let most = mostAhead;
    while (receipts.length < messages.length) {
      const { run, failure } = this.#runFrom(
        messages.slice(receipts.length, receipts.length + most),
      );
      if (run.length === 0) return { receipts, failure };
      const outcomes = await this.#track(Promise.allSettled(this.#send(run)));
      const wrong = outcomes.findIndex(({ status }) => status === 'rejected');
      for (const outcome of outcomes.slice(0, wrong < 0 ? undefined : wrong)) {
        if (outcome.status === 'fulfilled') receipts.push(outcome.value);
      }
      const refused = outcomes[wrong];
      if (refused?.status !== 'rejected') {
        most = Math.min(most * 2, mostAhead);
        continue;
      }
      if (!isOvertaken(refused.reason)) {
        return { receipts, failure: unavailable(refused.reason) };
      }
      // Somebody else has published in between: those behind it follow now.
      most = Math.max(1, Math.floor(most / 2));
    }
    return { receipts };
  }

  /** Resolves when all that is on its way has been answered. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#publishing);
  }

  /** As many of the first as go to the same stream; the failure is that of the one behind them. */
  #runFrom(messages: readonly OutgoingMessage[]): {
    readonly run: readonly Checked[];
    readonly failure?: unknown;
  } {
    const run: Checked[] = [];
    for (const message of messages) {
      try {
        const checked = this.#check(message);
        if (run.length > 0 && run[0]?.stream !== checked.stream) return { run };
        run.push(checked);
      } catch (failure) {
        return { run, failure };
      }
    }
    return { run };
  }

  #send(run: readonly Checked[]): readonly Promise<PublishReceipt>[] {
    const [first] = run;
    if (first === undefined) return [];
    // All wait for the same, so that they are sent in their order.
    const ready = this.#options.ready(first.stream);
    return run.map(async (checked, index) => {
      const before = run[index - 1];
      if (before === undefined) return this.#insist(checked, ready);
      const link = await ready;
      return this.#once(link, checked, before.id).catch((error: unknown) => {
        throw isOvertaken(error) ? error : refusal(error, factsOf(checked, link));
      });
    });
  }

  #check(message: OutgoingMessage): Checked {
    const { subject, tenant, id = ulid() } = message;
    const stream = this.#options.streamOf(subject);
    const { name, maxMessageBytes } = stream;
    const bytes = bytesOf(message);
    if (bytes > maxMessageBytes) throw busPayloadTooLarge(name, bytes, maxMessageBytes);
    if (this.#publishing.size >= mostPublishing) {
      throw busBackpressure(name, `${mostPublishing} messages wait to be stored`);
    }
    return { message, stream, id: wireId(tenant, id) };
  }

  async #insist(checked: Checked, ready: Promise<Link>): Promise<PublishReceipt> {
    const { stream } = checked;
    for (let attempt = 1; ; attempt++) {
      const link = await (attempt === 1 ? ready : this.#options.ready(stream));
      try {
        return await this.#once(link, checked);
      } catch (error) {
        const fault = refusal(error, factsOf(checked, link));
        if ((fault as { code?: unknown }).code !== 'bus_unavailable' || attempt === mostAttempts) {
          throw fault;
        }
        // Perhaps somebody has deleted the stream.
        this.#options.onDoubt(stream.name);
        await pause(attemptPauseMs * 2 ** (attempt - 1) * (1 + Math.random()));
      }
    }
  }

  /** Send a message once. @param before id of the one that must be the newest of the stream */
  async #once(
    { client }: Link,
    { stream, message, id }: Checked,
    before?: string,
  ): Promise<PublishReceipt> {
    const { subject, data, expectedLastSequence } = message;
    const { seq, duplicate } = await client.publish(subject, data, {
      msgID: id,
      headers: wireHeaders(message),
      expect: {
        streamName: stream.name,
        ...(before !== undefined && { lastMsgID: before }),
        ...(expectedLastSequence !== undefined && { lastSubjectSequence: expectedLastSequence }),
      },
    });
    return { stream: stream.name, sequence: seq, duplicate };
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#publishing.add(work);
    const forget = () => this.#publishing.delete(work);
    work.then(forget, forget);
    return work;
  }
}

function factsOf(
  { message, stream }: Checked,
  { connection }: Link,
): Parameters<typeof refusal>[1] {
  const { subject, expectedLastSequence: expected = 0 } = message;
  const most = Math.min(stream.maxMessageBytes, connection.info?.max_payload ?? Infinity);
  return { stream: stream.name, subject, expected, size: { bytes: bytesOf(message), most } };
}

/** Whether a message was refused because another one stands before it. */
function isOvertaken(error: unknown): boolean {
  return isApiError(error, codes.wrongLastMessageId);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
