import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BusDriver } from '#contract/bus/driver';
import { createEvents, type Events, eventCatalogue } from '../../generated/events.ts';
import { startBusEngine } from '../../runtime/bus/bus-engine.ts';
import { EmbeddedDriver } from '../../runtime/bus/embedded/embedded-driver.ts';
import { NatsDriver } from '../../runtime/bus/nats/nats-driver.ts';
import { createStore, type OwnedStore } from '../../runtime/store/index.ts';
import { deadLetters, stream } from '../bus/contract/streams.ts';
import { NatsServer, natsServers } from '../bus/nats-server.ts';
import { jobRow } from '../runtime/store/job-row.ts';
import { inFlight, seconds } from './in-flight.ts';
import { median, type Row } from './row.ts';

const rounds = 5;
const published = 10_000;
const latencies = 500;
const behind = 1_000_000;
/** Of NATS, whose fill is not ours. */
const behindInNats = 200_000;
const transactions = 300;

const streams = [
  // None of its messages may go before they are read.
  stream({ maxBytes: 1024 * 1024 * 1024 }),
  stream({ name: 'SERVICE_AGENT', subjects: ['service.agent.>'] }),
  deadLetters,
];
const message = {
  subject: 'test.a',
  tenant: 'default',
  data: JSON.stringify({ text: 'a'.repeat(200) }),
};

/** The event bus: embedded on SQLite, against bare batched inserts on the same disk, and in NATS. */
export async function busBench(): Promise<Row[]> {
  return [...(await embeddedRows()), ...(await natsRows())];
}

/** NATS on loopback, the newest one that there is; it writes before it acknowledges. */
async function natsRows(): Promise<Row[]> {
  const binary = natsServers['newest'] ?? natsServers['of the distribution'];
  if (binary === undefined) throw new Error('there is no nats-server: NATS_SERVER names one');
  const server = await NatsServer.start({ binary });
  const large = streams.map((each) => ({ ...each, maxBytes: 512 * 1024 * 1024 }));
  const driver = new NatsDriver({
    ...{ address: { url: server.url }, streams: large, isPersistent: true, replicas: 1 },
    onFailure: (text, error) => console.error(text, error),
  });
  await driver.start();
  try {
    return [
      await latency(driver, 'NATS on loopback'),
      await catchUp(driver, { name: 'NATS on loopback', count: behindInNats }),
    ];
  } finally {
    await driver.stop();
    await server.stop();
  }
}

async function embeddedRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bus-bench-'));
  const store = createStore({ dataDir: join(folder, 'data') });
  await store.open();
  const driver = new EmbeddedDriver({
    ...{ store, streams, owner: randomUUID() },
    onFailure: (text, error) => console.error(text, error),
  });
  const bare = openBare(join(folder, 'bare.sqlite'));
  try {
    return [
      await publishes(driver, bare),
      await latency(driver, 'embedded'),
      await catchUp(driver, { name: 'embedded', count: behind }),
      await withRows(store),
    ];
  } finally {
    bare.close();
    await driver.stop();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

function openBare(path: string): DatabaseSync {
  const bare = new DatabaseSync(path);
  bare.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE message (stream TEXT NOT NULL, sequence INTEGER NOT NULL, subject TEXT NOT NULL,
      id TEXT NOT NULL, data TEXT NOT NULL, stored_at INTEGER NOT NULL,
      PRIMARY KEY (stream, sequence))`);
  return bare;
}

async function publishes(driver: EmbeddedDriver, bare: DatabaseSync): Promise<Row> {
  const insert = bare.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?, ?)');
  const rates: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await seconds(() => inFlight(100, published, () => driver.publish(message)));
    const theirs = await seconds(async () => {
      for (let at = 0; at < published; at += 100) {
        bare.exec('BEGIN IMMEDIATE');
        for (let index = at; index < at + 100; index++) {
          const sequence = round * published + index;
          insert.run('TEST', sequence, message.subject, randomUUID(), message.data, Date.now());
        }
        bare.exec('COMMIT');
      }
    });
    rates.push(published / ours);
    ratios.push(theirs / ours);
  }
  const [rate, ratio] = [median(rates), median(ratios)];
  return {
    what: 'bus: publishes per second, 100 in flight, flushed',
    target: '20,000, or 0.3 of bare inserts in batches of 100',
    measured: Math.round(rate).toLocaleString('en'),
    met: rate >= 20_000 || ratio >= 0.3,
    detail: `${ratio.toFixed(2)} of bare inserts`,
  };
}

async function latency(driver: BusDriver, name: string): Promise<Row> {
  const times: number[] = [];
  let handled = Promise.withResolvers<void>();
  const consumer = { stream: 'TEST', name: 'bench_latency', begin: 'new' } as const;
  const running = await driver.consume(consumer, async () => handled.resolve());
  for (let index = 0; index < latencies; index++) {
    handled = Promise.withResolvers();
    const start = performance.now();
    await driver.publish(message);
    await handled.promise;
    times.push(performance.now() - start);
  }
  await running.stop();
  const sorted = times.toSorted((a, b) => a - b);
  const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => sorted[Math.floor(share * latencies)]);
  return {
    what: `bus: publish to handler, p50 and p99, ${name}`,
    target: '2 ms, 10 ms',
    measured: `${p50.toFixed(2)} ms, ${p99.toFixed(2)} ms`,
    met: p50 <= 2 && p99 <= 10,
    detail: `${latencies} one after the other`,
  };
}

async function catchUp(
  driver: BusDriver,
  { name, count: total }: { readonly name: string; readonly count: number },
): Promise<Row> {
  const { lastSequence } = await driver.read({ stream: 'TEST', limit: 1 });
  await inFlight(500, total - lastSequence, () => driver.publish(message));
  const done = Promise.withResolvers<void>();
  const memory = process.memoryUsage().rss;
  let most = memory;
  let count = 0;
  const start = performance.now();
  const consumer = { stream: 'TEST', name: 'bench_behind', maxAckPending: 1000 };
  const running = await driver.consume(consumer, async () => {
    count += 1;
    if (count % 10_000 === 0) most = Math.max(most, process.memoryUsage().rss);
    if (count === total) done.resolve();
  });
  await done.promise;
  const rate = total / ((performance.now() - start) / 1000);
  await running.stop();
  return {
    what: `bus: a consumer ${total.toLocaleString('en')} messages behind, messages per second, ${name}`,
    target: '50,000',
    measured: Math.round(rate).toLocaleString('en'),
    met: rate >= 50_000,
    detail: `${Math.round((most - memory) / 1e6)} MB more at most, 1,000 unacknowledged at a time`,
  };
}

/** Transactions of one row with an event and without one, in turns. */
async function withRows(store: OwnedStore): Promise<Row> {
  const { bus, stop } = await startBusEngine({
    ...{ store, streams, catalogue: eventCatalogue, isShared: false, owner: randomUUID() },
    nats: undefined,
    onPublished: () => {},
    onFailure: (text, error) => console.error(text, error),
  });
  const events: Events = createEvents(bus);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const write = (name: string, isEvent: boolean) =>
      seconds(() =>
        inFlight(1, transactions, async (number) => {
          await store.transaction(async (tx) => {
            const key = `${name}/${round}/${number}`;
            await tx.insertInto('job').values(jobRow({ key })).execute();
            if (!isEvent) return;
            const facts = { tenant: 'default', data: { agent_id: key } };
            await events.agent.state.within(tx, facts);
          });
        }),
      );
    const without = await write('without', false);
    ratios.push((await write('with', true)) / without);
    await bus.drain();
  }
  await stop();
  const ratio = median(ratios);
  return {
    what: 'bus: a transaction with publish(tx) / the same without',
    target: '1.3',
    measured: ratio.toFixed(2),
    met: ratio <= 1.3,
    detail: 'the relay publishes beside it',
  };
}
