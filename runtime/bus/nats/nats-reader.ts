import { AckPolicy, type ConsumerConfig, DeliverPolicy } from '@nats-io/jetstream';
import type { StoredMessage } from '#contract/bus/message';
import type { ReadPage, ReadQuery } from '#contract/bus/stream';
import { checkFilter, matches } from '#contract/bus/subject';
import type { Link } from './nats-connection.ts';
import { isNoMessage } from './nats-faults.ts';
import { deliveredMessage, storedMessage } from './nats-message.ts';

/** Bytes of one page; what is behind them comes with the next one. */
const mostPageBytes = 4 * 1024 * 1024;
/** Messages that are asked for at a time. */
const mostFetched = 256;
/** For how long the server keeps a reader that does not ask any more. */
const idleNanoseconds = 30_000_000_000;
/** How long the server may take for messages that it has said to have. */
const fetchMs = 5000;
/** Servers that take several filters of one reader. */
const severalFilters = { major: 2, minor: 10 };

/** Read a page, by a reader that the server forgets afterwards. */
export async function readPage(
  { client, connection, manager }: Link,
  query: ReadQuery,
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
        max_messages: Math.min(left, mostFetched, query.limit),
        expires: fetchMs,
      });
      const before = left;
      for await (const each of batch) {
        left = each.info.pending;
        if (!isWanted(query, each.subject)) continue;
        const message = deliveredMessage(each);
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

/** Read on and on, from one connection to the next. */
export async function* followStream(
  connected: () => Promise<Link>,
  query: Omit<ReadQuery, 'limit'>,
  signal: AbortSignal,
): AsyncIterable<StoredMessage> {
  for (const filter of query.filters ?? []) checkFilter(filter);
  let next = query.fromSequence ?? 1;
  let isAtTime = query.fromTime !== undefined;
  while (!signal.aborted) {
    const { client, connection } = await connected();
    const consumer = await client.consumers.get(query.stream, {
      ...(isAtTime
        ? { deliver_policy: DeliverPolicy.StartTime, opt_start_time: iso(query.fromTime ?? 0) }
        : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next }),
      ...readerFilters(query.filters, connection.info?.version ?? ''),
    });
    const messages = await consumer.consume({ max_messages: mostFetched });
    const stop = () => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const each of messages) {
        if (signal.aborted) return;
        if (each.seq < next || !isWanted(query, each.subject)) continue;
        next = each.seq + 1;
        isAtTime = false;
        const message = deliveredMessage(each);
        if (isOf(query, message)) yield message;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      messages.stop();
    }
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
  return takesSeveral(version) && !overlap(filters) ? { filter_subjects: [...filters] } : {};
}

function readerFilters(filters: readonly string[] | undefined, version: string) {
  const { filter_subject: one, filter_subjects: several } = filtersFor(filters, version);
  const wanted = several ?? (one === undefined ? undefined : [one]);
  return wanted === undefined ? {} : { filter_subjects: wanted };
}

function takesSeveral(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (
    major > severalFilters.major ||
    (major === severalFilters.major && minor >= severalFilters.minor)
  );
}

/** The server refuses filters of which one takes what another one takes. */
function overlap(filters: readonly string[]): boolean {
  return filters.some((one, index) =>
    filters.some((other, place) => place !== index && (matches(one, other) || one === other)),
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
