import {
  AckPolicy,
  type ConsumerConfig,
  type ConsumerMessages,
  DeliverPolicy,
} from '@nats-io/jetstream';
import type { StoredMessage } from '#contract/bus/message';
import type { ReadPage, ReadQuery } from '#contract/bus/stream';
import { checkFilter, matches } from '#contract/bus/subject';
import type { Link } from './nats-connection.ts';
import { isNoMessage } from './nats-faults.ts';
import { deliveredMessage, storedMessage, type TenantOf } from './nats-message.ts';
import { isAtLeast } from './server-version.ts';

/** Bytes of one page; what is behind them comes with the next one. */
const mostPageBytes = 4 * 1024 * 1024;
/** Messages that are asked for at a time, for a page and by whoever reads on and on. */
const mostOfPage = 32;
const mostFetched = 128;
/** For how long the server keeps a reader that does not ask any more. */
const idleNanoseconds = 30_000_000_000;
/** How long the server may take for messages that it has said to have. */
const fetchMs = 5000;
/** Some time in the year 2255. */
const newestMs = 9_000_000_000_000;
/** Servers that take several filters of one reader. */
const severalFilters = [2, 10] as const;

/** What to read, and whose it is. */
export interface NatsQuery extends ReadQuery {
  readonly tenantOf: TenantOf | undefined;
}

/** Read a page, by a reader that the server forgets afterwards. */
export async function readPage(
  { client, connection, manager }: Link,
  query: NatsQuery,
): Promise<ReadPage<StoredMessage>> {
  for (const filter of query.filters ?? []) checkFilter(filter);
  const { state } = await manager.streams.info(query.stream);
  const lastSequence = state.last_seq;
  const from = await startOf(manager, query, lastSequence);
  if (from === undefined) return { messages: [], lastSequence };
  const reader = await manager.consumers.add(query.stream, {
    ack_policy: AckPolicy.None,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: idleNanoseconds,
    ...from,
    ...filtersFor(query.filters, connection.info?.version ?? ''),
  });
  const consumer = client.consumers.getConsumerFromInfo(reader);
  const messages: StoredMessage[] = [];
  let bytes = 0;
  let left = reader.num_pending;
  try {
    while (left > 0) {
      const batch = await consumer.fetch({
        max_messages: Math.min(left, mostOfPage, query.limit),
        expires: fetchMs,
      });
      const before = left;
      for await (const each of batch) {
        left = each.info.pending;
        if (!isWanted(query, each.subject)) continue;
        const message = deliveredMessage(each, query.tenantOf);
        if (!isOf(query, message)) continue;
        bytes += each.data.length;
        const isFull = messages.length > 0 && bytes > mostPageBytes;
        if (isFull || messages.length === query.limit) {
          return { messages, next: message.sequence, lastSequence };
        }
        messages.push(message);
      }
      if (left === before) break;
    }
    return { messages, lastSequence };
  } finally {
    // It would be forgotten by itself.
    void manager.consumers.delete(query.stream, reader.name).catch(() => {});
  }
}

/** What a reader says when its stream may be another one: made anew, as those in memory are. */
const doubts: ReadonlySet<string> = new Set([
  ...['heartbeats_missed', 'no_responders', 'reset', 'ordered_consumer_recreated'],
  ...['consumer_not_found', 'consumer_deleted', 'stream_not_found'],
]);

/**
 * Read on and on, from one connection to the next; a stream that was made anew from its beginning.
 *
 * @param ready resolves when the stream is there, and looks again whether it is where that is doubtful
 */
export async function* followStream(
  ready: (isDoubtful: boolean) => Promise<Link>,
  query: Omit<NatsQuery, 'limit'>,
  signal: AbortSignal,
): AsyncIterable<StoredMessage> {
  for (const filter of query.filters ?? []) checkFilter(filter);
  let next = query.fromSequence ?? 1;
  let isAtTime = query.fromTime !== undefined;
  let known: string | undefined;
  const createdAt = async (isDoubtful: boolean) =>
    (await (await ready(isDoubtful)).manager.streams.info(query.stream)).created;
  while (!signal.aborted) {
    const { client, connection } = await ready(false);
    const created = await createdAt(false);
    if (known !== undefined && known !== created) [next, isAtTime] = [1, false];
    known = created;
    const consumer = await client.consumers.get(query.stream, {
      ...(isAtTime
        ? { deliver_policy: DeliverPolicy.StartTime, opt_start_time: iso(query.fromTime ?? 0) }
        : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next }),
      ...readerFilters(query.filters, connection.info?.version ?? ''),
    });
    const messages = await consumer.consume({ max_messages: mostFetched });
    const stop = () => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    void stopAtDoubt(messages, async () => (await createdAt(true)) !== created);
    try {
      for await (const each of messages) {
        if (signal.aborted) return;
        if (each.seq < next || !isWanted(query, each.subject)) continue;
        next = each.seq + 1;
        isAtTime = false;
        const message = deliveredMessage(each, query.tenantOf);
        if (isOf(query, message)) yield message;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      messages.stop();
    }
  }
}

/** Stop reading a stream that is another one by now. */
async function stopAtDoubt(
  messages: ConsumerMessages,
  isOther: () => Promise<boolean>,
): Promise<void> {
  for await (const { type } of messages.status()) {
    // Where that cannot be asked now, there is another doubt soon.
    if (doubts.has(type) && (await isOther().catch(() => false))) messages.stop();
  }
}

function isWanted({ filters }: Pick<ReadQuery, 'filters'>, subject: string): boolean {
  return filters === undefined || filters.some((filter) => matches(filter, subject));
}

function isOf({ tenant }: Pick<ReadQuery, 'tenant'>, message: StoredMessage): boolean {
  return tenant === undefined || tenant === message.tenant;
}

type Start = Pick<ConsumerConfig, 'deliver_policy'> &
  Partial<Pick<ConsumerConfig, 'opt_start_seq' | 'opt_start_time'>>;

/** Where to begin; nowhere when there is nothing behind. */
async function startOf(
  manager: Link['manager'],
  { stream, fromSequence = 1, fromTime }: ReadQuery,
  lastSequence: number,
): Promise<Start | undefined> {
  if (fromSequence > lastSequence) return undefined;
  const bySequence = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: fromSequence };
  if (fromTime === undefined) return bySequence;
  try {
    const found = await manager.streams.getMessage(stream, { seq: fromSequence });
    if (found !== null && storedMessage(stream, found).storedAt >= fromTime) return bySequence;
  } catch (error) {
    if (!isNoMessage(error)) throw error;
  }
  return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: iso(fromTime) };
}

/** One filter is understood by every server; where there are more, older ones send everything. */
function filtersFor(
  filters: readonly string[] | undefined,
  version: string,
): Partial<ConsumerConfig> {
  if (filters === undefined || filters.length === 0) return {};
  if (filters.length === 1) return { filter_subject: filters[0] ?? '>' };
  return isAtLeast(version, ...severalFilters) && !overlap(filters)
    ? { filter_subjects: [...filters] }
    : {};
}

function readerFilters(filters: readonly string[] | undefined, version: string) {
  const { filter_subject: one, filter_subjects: several } = filtersFor(filters, version);
  const wanted = several ?? (one === undefined ? undefined : [one]);
  return wanted === undefined ? {} : { filter_subjects: wanted };
}

/** The server refuses filters of which one takes what another one takes. */
function overlap(filters: readonly string[]): boolean {
  return filters.some((one, index) =>
    filters.some((other, place) => place !== index && (matches(one, other) || one === other)),
  );
}

/** A time as the server takes it, which counts nanoseconds in 64 bits. */
function iso(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), newestMs)).toISOString();
}
