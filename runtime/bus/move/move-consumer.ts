import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { matches } from '#contract/bus/subject';
import type { Link } from '../nats/nats-connection.ts';
import { codes, isApiError } from '../nats/nats-faults.ts';
import { movedFromHeader } from '../nats/nats-message.ts';
import type { KeptConsumer, KeptStreams } from './kept-streams.ts';

/** Messages that are asked for at a time, and how long the server may take for them. */
const mostFetched = 256;
const fetchMs = 5000;
/** Until the server that uses the consumer says otherwise. */
const ackWaitNanoseconds = 30_000_000_000;

export interface ConsumerMove {
  readonly stream: string;
  readonly consumer: KeptConsumer;
  /** Number of the last message at the target. */
  readonly lastSequence: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Make a durable consumer that stands where the kept one stands: what was acknowledged never comes
 * again, what was delivered and not acknowledged comes again when it is due, and with as many
 * deliveries behind it. One that an earlier attempt has left is made anew.
 */
export async function moveConsumer(
  { client, manager }: Link,
  kept: KeptStreams,
  { stream, consumer, lastSequence, now }: ConsumerMove,
): Promise<void> {
  const { name, filter, delivered } = consumer;
  const pending = new Map(consumer.pending.map((each) => [each.sequence, each]));
  const first = Math.min(delivered + 1, ...pending.keys());
  const behind = await kept.countAfter(stream, first - 1);
  await manager.consumers.delete(stream, name).catch((error) => {
    if (!isApiError(error, codes.consumerNotFound)) throw error;
  });
  await manager.consumers.add(stream, {
    durable_name: name,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: lastSequence - behind + 1,
    ...(filter !== '>' && { filter_subject: filter }),
    ack_wait: ackWaitNanoseconds,
    max_ack_pending: mostFetched + pending.size,
    max_deliver: -1,
  });
  let left = 0;
  for await (const { subject } of kept.places(stream, { first, last: delivered })) {
    if (matches(filter, subject)) left += 1;
  }
  const reader = await client.consumers.get(stream, name);
  while (left > 0) {
    const batch = await reader.fetch({
      max_messages: Math.min(left, mostFetched),
      expires: fetchMs,
    });
    const before = left;
    for await (const message of batch) {
      const known = pending.get(Number(message.headers?.get(movedFromHeader)));
      if (!(await settle(message, known, now))) continue;
      left -= 1;
    }
    if (left === before && (await isStuck(reader))) {
      throw new Error(`the consumer ${name} of ${stream} does not get ${left} of its messages`);
    }
  }
}

/** Whether it has as many deliveries behind it as it had; else it comes again at once. */
async function settle(
  message: JsMsg,
  known: KeptConsumer['pending'][number] | undefined,
  now: number,
): Promise<boolean> {
  if (known === undefined) {
    await message.ackAck();
    return true;
  }
  if (message.info.deliveryCount < known.deliveries) {
    message.nak();
    return false;
  }
  message.nak(Math.max(1, known.due_at - now));
  return true;
}

async function isStuck(reader: { info(): Promise<{ num_pending: number }> }): Promise<boolean> {
  return (await reader.info()).num_pending === 0;
}
