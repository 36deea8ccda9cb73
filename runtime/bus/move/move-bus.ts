import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredMessage } from '#contract/bus/message';
import type { StreamDefinition } from '#contract/bus/stream';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { closeConnection } from '../nats/close-connection.ts';
import { connectOnce } from '../nats/connect-once.ts';
import { NatsBucket } from '../nats/nats-bucket.ts';
import type { Link } from '../nats/nats-connection.ts';
import { wireHeaders, wireId } from '../nats/nats-message.ts';
import { ensureStream } from '../nats/stream-config.ts';
import type { NatsSettings } from '../nats-settings.ts';
import { compareMessages } from './compare-messages.ts';
import { type KeptStream, KeptStreams, type Run } from './kept-streams.ts';
import { moveConsumer } from './move-consumer.ts';
import { moveMessages, SameId, type Written } from './move-messages.ts';

/** So that nothing is dropped, and nothing held for twice the same, while a stream is moved. */
const open = { maxBytes: -1, maxAgeMs: 3650 * 86_400_000, duplicateWindowMs: 100 };
/** What its key begins with, in the store and in NATS. */
const bucketPrefix = /^KV\./;

export interface BusMove {
  readonly store: Store<Tables>;
  readonly streams: readonly StreamDefinition[];
  readonly nats: NatsSettings;
}

/** What has become of one stream. */
export interface MovedStream {
  readonly name: string;
  readonly messages: number;
  readonly consumers: number;
  /** Numbers before, each with what is added to it now; empty where there are no messages. */
  readonly numbers: readonly (Run & { readonly shift: number })[];
}

/**
 * Move every stream of the store to NATS: messages with their ids and in their order, consumers where
 * they stand, dead letters, buckets. Nothing leaves the store before all of it was read back from
 * there; after a crash, the next attempt goes on where the last one has ended.
 *
 * @throws Error that says what is in the way
 */
export async function* moveBus({ store, streams, nats }: BusMove): AsyncGenerator<MovedStream> {
  const kept = new KeptStreams(store);
  const all = await kept.all();
  const link = await connectOnce(nats);
  try {
    for (const source of all) {
      const definition = streams.find(({ name }) => name === source.name);
      yield definition === undefined
        ? await moveBucket(link, kept, { source, nats })
        : await moveStream(link, kept, { source, definition, nats });
    }
    await kept.forget(all);
  } finally {
    await closeConnection(link.connection);
  }
}

async function moveStream(
  link: Link,
  kept: KeptStreams,
  {
    source,
    definition,
    nats,
  }: {
    readonly source: KeptStream;
    readonly definition: StreamDefinition;
    readonly nats: NatsSettings;
  },
): Promise<MovedStream> {
  const { name } = source;
  await ensureStream(link.manager, { ...definition, ...open }, nats);
  const write = (message: StoredMessage): Written => {
    const { subject, data, tenant, id } = message;
    const headers = wireHeaders(message);
    return { subject, data, headers, ...(id !== '' && { id: wireId(tenant, id) }) };
  };
  const lastSequence = await patiently(() =>
    moveMessages(link, kept, { source, target: name, write }),
  );
  await compareMessages(link, kept, { source: name, target: name, lastSequence, write });
  const consumers = await kept.consumers(name);
  for (const consumer of consumers) {
    const now = Date.now();
    await moveConsumer(link, kept, { stream: name, consumer, lastSequence, now });
  }
  // Its limits hold from now on.
  await ensureStream(link.manager, definition, nats);
  return report(kept, source, { lastSequence, consumers: consumers.length });
}

async function moveBucket(
  link: Link,
  kept: KeptStreams,
  { source, nats }: { readonly source: KeptStream; readonly nats: NatsSettings },
): Promise<MovedStream> {
  const bucket = {
    name: source.name.replace(/^KV_/, ''),
    history: await kept.longestHistory(source.name),
    maxBytes: -1,
  };
  // It is made with its first use.
  await new NatsBucket(bucket, nats, async () => link).get('moved');
  const write = (message: StoredMessage): Written => {
    const { 'kv-operation': operation, ...headers } = message.headers;
    const wire = wireHeaders({ ...message, headers });
    if (operation !== undefined) wire.set('KV-Operation', operation);
    return {
      subject: message.subject.replace(bucketPrefix, '$KV.'),
      ...{ data: message.data, headers: wire },
    };
  };
  const target = source.name;
  const lastSequence = await patiently(() => moveMessages(link, kept, { source, target, write }));
  await compareMessages(link, kept, { source: target, target, lastSequence, write });
  return report(kept, source, { lastSequence, consumers: 0 });
}

/** Two messages of the same id, which a stream may well have, need a moment between them. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SameId)) throw error;
      await sleep(SameId.pauseMs);
    }
  }
}

async function report(
  kept: KeptStreams,
  { name, last_sequence: last }: KeptStream,
  { lastSequence, consumers }: { readonly lastSequence: number; readonly consumers: number },
): Promise<MovedStream> {
  const runs: { first: number; last: number }[] = [];
  let messages = 0;
  for await (const { sequence } of kept.places(name, { first: 1, last })) {
    messages += 1;
    const run = runs.at(-1);
    if (run !== undefined && run.last === sequence - 1) run.last = sequence;
    else runs.push({ first: sequence, last: sequence });
  }
  let behind = messages;
  const numbers = runs.map((run) => {
    const shift = lastSequence - behind + 1 - run.first;
    behind -= run.last - run.first + 1;
    return { ...run, shift };
  });
  return { name, messages, consumers, numbers };
}
