import type { StoredMsg } from '@nats-io/jetstream';
import type { StoredMessage } from '#contract/bus/message';
import type { Link } from '../nats/nats-connection.ts';
import { isNoMessage } from '../nats/nats-faults.ts';
import { movedFromHeader, type wireHeaders } from '../nats/nats-message.ts';
import { isAtLeast } from '../nats/server-version.ts';
import type { KeptStream, KeptStreams } from './kept-streams.ts';

/** Pause after which an id counts as new again at the target, where two messages have the same. */
const sameIdPauseMs = 150;
/** Servers whose streams can begin with any number; older ones count on from 1. */
const beginsAnywhere = [2, 10] as const;

/** What a message becomes at the target. */
export interface Written {
  readonly subject: string;
  readonly data: string;
  readonly headers: ReturnType<typeof wireHeaders>;
  /** The id with which the server tells messages apart; absent where it need not. */
  readonly id?: string;
}

/** What moves from where to where, and in which form. */
interface OneStream {
  readonly source: KeptStream;
  readonly target: string;
  readonly write: (message: StoredMessage) => Written;
}

/**
 * Publish what is not at the target yet, in its order, each message at exactly one place: the server
 * is told after which one it comes, so that nothing is there twice after a crash.
 *
 * @returns the number of the last message at the target
 * @throws Error where there is something else at the target
 */
export async function moveMessages(
  link: Link,
  kept: KeptStreams,
  { source, target, write }: OneStream,
): Promise<number> {
  let { at, from } = await beginning(link, kept, { source, target, write });
  for (;;) {
    const page = await kept.after(source.name, from);
    const last = page.at(-1);
    if (last === undefined) return at;
    const before = at;
    const sent = page.map(async (message, index) =>
      publish(link, write(message), { target, from: message.sequence, after: before + index }),
    );
    const outcomes = await Promise.allSettled(sent);
    // Those behind the first one have failed because of it.
    const wrong = outcomes.findIndex(({ status }) => status === 'rejected');
    const failed = outcomes[wrong];
    if (failed?.status === 'rejected') throw named(failed.reason, target, page[wrong]);
    at += page.length;
    from = last.sequence;
  }
}

/** Say which message it is that could not be moved. */
function named(reason: unknown, stream: string, message: StoredMessage | undefined): unknown {
  if (reason instanceof SameId || message === undefined) return reason;
  const { sequence, id } = message;
  const why = reason instanceof Error ? reason.message : String(reason);
  return new Error(`message ${sequence} of ${stream} (id ${JSON.stringify(id)}): ${why}`, {
    cause: reason,
  });
}

interface Place {
  readonly target: string;
  readonly from: number;
  readonly after: number;
}

async function publish({ client }: Link, message: Written, place: Place): Promise<void> {
  const { subject, data, headers, id } = message;
  const { target, from, after } = place;
  headers.set(movedFromHeader, String(from));
  const { seq, duplicate } = await client.publish(subject, data, {
    headers,
    ...(id !== undefined && { msgID: id }),
    expect: { streamName: target, lastSequence: after },
  });
  if (duplicate) throw new SameId();
  if (seq !== after + 1) throw new Error(`${target} has put ${from} at ${seq}, not ${after + 1}`);
}

/** Two messages of a stream have the same id, further apart than its window. */
export class SameId extends Error {
  static readonly pauseMs = sameIdPauseMs;
}

/** Where the target stands: after its last message, and up to which one that is. */
async function beginning(
  { connection, manager }: Link,
  kept: KeptStreams,
  { source, target, write }: OneStream,
): Promise<{ at: number; from: number }> {
  const { state } = await manager.streams.info(target);
  const [first] = await kept.after(source.name, 0);
  const start = (first?.sequence ?? source.last_sequence + 1) - 1;
  if (state.messages === 0 && (state.last_seq === 0 || state.last_seq === start)) {
    // Numbers stay what they are, as far as none is missing between them.
    const isOld = !isAtLeast(connection.info?.version, ...beginsAnywhere);
    if (start > state.last_seq && !isOld) {
      await manager.streams.purge(target, { seq: start + 1 });
    }
    const { state: now } = await manager.streams.info(target);
    return { at: now.last_seq, from: 0 };
  }
  const last = await lastOf(manager, target, state.last_seq);
  const from = Number(last?.header?.get(movedFromHeader) || Number.NaN);
  const [original] = Number.isNaN(from) ? [] : await kept.after(source.name, from - 1);
  const isOurs = original?.sequence === from && last !== undefined && isSame(write(original), last);
  if (isOurs) return { at: state.last_seq, from };
  throw new Error(`${target} has messages of its own, up to ${state.last_seq}`);
}

function isSame({ subject, data }: Written, found: StoredMsg): boolean {
  return subject === found.subject && data === Buffer.from(found.data).toString();
}

async function lastOf(
  manager: Link['manager'],
  stream: string,
  seq: number,
): Promise<StoredMsg | undefined> {
  try {
    return (await manager.streams.getMessage(stream, { seq })) ?? undefined;
  } catch (error) {
    if (isNoMessage(error)) return undefined;
    throw error;
  }
}
