import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import type { StoredMessage } from '#contract/bus/message';
import type { Link } from '../nats/nats-connection.ts';
import { movedFromHeader } from '../nats/nats-message.ts';
import type { KeptStreams } from './kept-streams.ts';
import type { Written } from './move-messages.ts';

/** Messages that are asked for at a time, and how long the server may take for them. */
const mostFetched = 256;
const fetchMs = 5000;
/** For how long the server keeps a reader that does not ask any more. */
const idleNanoseconds = 30_000_000_000;

export interface Comparison {
  /** The stream in the store. */
  readonly source: string;
  readonly target: string;
  /** Number of the last message at the target. */
  readonly lastSequence: number;
  readonly write: (message: StoredMessage) => Written;
}

/**
 * Read the target back, and compare each message with the one in the store: only then may that go.
 *
 * @throws Error that names the first one that is missing, or not the same
 */
export async function compareMessages(
  { client, manager }: Link,
  kept: KeptStreams,
  { source, target, lastSequence, write }: Comparison,
): Promise<void> {
  const count = await kept.countAfter(source, 0);
  if (count === 0) return;
  const reader = await manager.consumers.add(target, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: lastSequence - count + 1,
    ...{ mem_storage: true, num_replicas: 1, inactive_threshold: idleNanoseconds },
  });
  const consumer = client.consumers.getConsumerFromInfo(reader);
  const originals = kept.messages(source);
  for (let left = count; left > 0; ) {
    const max_messages = Math.min(left, mostFetched);
    const before = left;
    for await (const found of await consumer.fetch({ max_messages, expires: fetchMs })) {
      const { value: original } = await originals.next();
      if (original === undefined) throw new Error(`${target} has more than the store`);
      const wrong = differenceOf(write(original), found, original.sequence);
      if (wrong !== undefined) {
        const place = `message ${original.sequence} of ${source} is ${found.seq} of ${target}`;
        throw new Error(`${place}, and its ${wrong} is not the same`);
      }
      left -= 1;
    }
    if (left === before) throw new Error(`${target} does not give back ${left} of its messages`);
  }
  await manager.consumers.delete(target, reader.name);
}

/** What of a message is not as it was written; nothing where it is the same. */
function differenceOf(wanted: Written, found: JsMsg, sequence: number): string | undefined {
  if (found.subject !== wanted.subject) return 'subject';
  if (Buffer.from(found.data).toString() !== wanted.data) return 'data';
  const headers = found.headers;
  if (headers?.get(movedFromHeader) !== String(sequence)) return 'old number';
  if (wanted.id !== undefined && headers.get('Nats-Msg-Id') !== wanted.id) return 'id';
  for (const [name, values] of wanted.headers) {
    if (headers.get(name) !== values[0]) return `header ${name}`;
  }
  return undefined;
}
