import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsumerState } from '#contract/bus/stream';
import { openReadOnly } from '../../process/read-only-database.ts';
import { databaseFile } from '../../store/sqlite-files.ts';

type Row = Readonly<Record<string, unknown>>;

/** A stream, wherever it is kept. */
export interface FoundStream {
  readonly name: string;
  readonly messages: number;
  readonly bytes: number;
  readonly consumers: readonly Omit<ConsumerState, 'filter'>[];
}

export interface KeptOutbox {
  readonly count: number;
  readonly oldestAt: number | undefined;
  /** Those that no stream takes: how many of one reason. */
  readonly refused: readonly { readonly reason: string; readonly count: number }[];
}

/** What of the event bus is in the store. */
export interface KeptBus {
  readonly streams: readonly FoundStream[];
  /** Events that were written with their rows, and are not published yet. */
  readonly outbox: KeptOutbox;
}

/**
 * Read what the store keeps of the bus, beside the server that may be writing it; nothing where there
 * is no store yet.
 *
 * @throws what the database says
 */
export async function readKeptBus(
  dataDir: string,
  databaseUrl: string | undefined,
): Promise<KeptBus | undefined> {
  if (databaseUrl !== undefined) return readDatabase(databaseUrl);
  const path = join(dataDir, databaseFile);
  if (!existsSync(path)) return undefined;
  const database = openReadOnly(path);
  try {
    return await read(async (query) => database.prepare(query).all());
  } finally {
    database.close();
  }
}

async function readDatabase(connectionString: string): Promise<KeptBus | undefined> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    return await read(async (query) => (await client.query<Row>(query)).rows);
  } finally {
    await client.end();
  }
}

const queries = {
  // What the operator of the server is told is of all tenants together.
  streams: `select name, messages, bytes from bus_stream order by name`,
  consumers: `select stream, name, delivered,
    (select count(*) from bus_message
      where bus_message.stream = bus_consumer.stream and sequence > delivered) as waiting,
    (select count(*) from bus_pending
      where bus_pending.stream = bus_consumer.stream and consumer = name) as pending
    from bus_consumer order by stream, name`,
  outbox: `select count(*) as count, min(created_at) as oldest from bus_outbox where refused is null`,
  refused: `select refused as reason, count(*) as count from bus_outbox
    where refused is not null group by refused order by refused limit 20`,
};

async function read(ask: (query: string) => Promise<readonly Row[]>): Promise<KeptBus | undefined> {
  const [streams, consumers, [waiting], refused] = [
    await ask(queries.streams),
    await ask(queries.consumers),
    await ask(queries.outbox),
    await ask(queries.refused),
  ];
  const oldest = waiting?.['oldest'] ?? undefined;
  return {
    streams: streams.map(({ name, messages, bytes }) => ({
      ...{ name: String(name), messages: Number(messages), bytes: Number(bytes) },
      consumers: consumers.filter(({ stream }) => stream === name).map(consumerOf),
    })),
    outbox: {
      count: Number(waiting?.['count'] ?? 0),
      oldestAt: oldest === undefined ? undefined : Number(oldest),
      refused: refused.map(({ reason, count }) => ({
        reason: String(reason),
        count: Number(count),
      })),
    },
  };
}

function consumerOf({ name, delivered, pending, waiting }: Row): FoundStream['consumers'][number] {
  return {
    name: String(name),
    delivered: Number(delivered),
    pending: Number(pending),
    waiting: Number(waiting),
  };
}
