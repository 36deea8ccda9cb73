import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NatsServer, natsServers } from '../bus/nats-server.ts';
import { PostgresServer } from '../runtime/store/postgres-server.ts';
import { type Campaign, type Engine, freshFolder } from './engine.ts';
import { auditAppends, auditCheckpoints, firstStart } from './kinds/audit.ts';
import { databaseKilled } from './kinds/database.ts';
import { eventsKept } from './kinds/events.ts';
import { claimsAndTokens } from './kinds/identity.ts';
import { auditedJobRuns } from './kinds/jobs.ts';
import { auditReplicas } from './kinds/replicas.ts';
import { storeMigrations, transactions } from './kinds/store.ts';
import { seededRandom } from './random.ts';
import type { Figures } from './tally.ts';

export interface MeasureOptions {
  /** Kills for each engine, shared out among the kinds. */
  readonly rounds: number;
  readonly seed: number;
  /** Hears of each kind as soon as it is measured. */
  readonly tell?: (figures: Figures) => void;
}

type Kind = (campaign: Campaign) => Promise<Figures>;

/** Kill what runs over SQLite, again and again, and see what is left. */
export async function measureSqlite(options: MeasureOptions): Promise<readonly Figures[]> {
  return inFolder((folder) => {
    const database = async () => ({ dataDir: join(freshFolder({ folder }), 'data') });
    const kinds = [
      auditAppends,
      auditCheckpoints,
      firstStart,
      storeMigrations,
      transactions,
      auditedJobRuns,
      claimsAndTokens,
    ];
    return measure({ name: 'SQLite', database }, kinds, { ...options, folder });
  });
}

/** What dies amid the appends of two replicas. */
const killed = ['a replica', 'both replicas', 'the database', 'everything'] as const;

/** The same over PostgreSQL, whose server is killed as well. */
export async function measurePostgres(options: MeasureOptions): Promise<readonly Figures[]> {
  const ours = 4 / 10;
  const first = await overServer(ours, options, () => [
    storeMigrations,
    transactions,
    auditedJobRuns,
    claimsAndTokens,
  ]);
  // One of its own, because after a crash it flushes every file of every database that it has.
  const second = await overServer(1 - ours, options, (server) => [
    (campaign) => databaseKilled(campaign, server, false),
    (campaign) => databaseKilled(campaign, server, true),
    ...killed.map((what) => (campaign: Campaign) => auditReplicas(campaign, server, what)),
  ]);
  return [...first, ...second];
}

/** Claims and tokens alone, half of the kills over either database. */
export async function measureIdentity(options: MeasureOptions): Promise<readonly Figures[]> {
  const half = { ...options, rounds: Math.ceil(options.rounds / 2) };
  const inSqlite = await inFolder((folder) => {
    const database = async () => ({ dataDir: join(freshFolder({ folder }), 'data') });
    return measure({ name: 'SQLite', database }, [claimsAndTokens], { ...half, folder });
  });
  return [...inSqlite, ...(await overServer(1, half, () => [claimsAndTokens]))];
}

/** The same for the events of the bus, in SQLite, in PostgreSQL and in NATS. */
export async function measureEvents(options: MeasureOptions): Promise<readonly Figures[]> {
  const binary = natsServers['newest'] ?? natsServers['of the distribution'];
  if (binary === undefined) throw new Error('there is no nats-server: NATS_SERVER names one');
  const database = async (folder: string) => ({ dataDir: join(freshFolder({ folder }), 'data') });
  const third = Math.ceil(options.rounds / 3);
  const inSqlite = await inFolder((folder) =>
    measure(
      { name: 'SQLite', database: () => database(folder) },
      [(campaign) => eventsKept({ ...campaign, killed: 'process' })],
      { ...options, rounds: third, folder },
    ),
  );
  const inPostgres = await overServer(1, { ...options, rounds: third }, (server) =>
    killedEvents.map((killed) => (campaign) => eventsKept({ ...campaign, killed, server })),
  );
  const server = await NatsServer.start({ binary, accounts: killedEvents.length });
  try {
    const inNats = await inFolder((folder) =>
      measure(
        { name: 'SQLite', database: () => database(folder) },
        killedEvents.map((killed) => async (campaign) => {
          const natsUrl = await server.emptyUrl();
          return eventsKept({ ...campaign, killed, server, natsUrl });
        }),
        { ...options, rounds: third, folder },
      ),
    );
    return [...inSqlite, ...inPostgres, ...inNats];
  } finally {
    await server.stop();
  }
}

const killedEvents = ['process', 'server', 'both'] as const;

async function overServer(
  share: number,
  options: MeasureOptions,
  kindsFor: (server: PostgresServer) => readonly Kind[],
): Promise<readonly Figures[]> {
  const server = await PostgresServer.start({ durable: true });
  try {
    const database = async () => ({
      dataDir: '/nowhere',
      databaseUrl: await server.createDatabase(),
    });
    const rounds = Math.round(options.rounds * share);
    return await inFolder((folder) =>
      measure({ name: 'PostgreSQL', database }, kindsFor(server), { ...options, rounds, folder }),
    );
  } finally {
    await server.stop();
  }
}

async function measure(
  engine: Engine,
  kinds: readonly Kind[],
  { rounds, seed, tell, folder }: MeasureOptions & { readonly folder: string },
): Promise<readonly Figures[]> {
  const all: Figures[] = [];
  const random = seededRandom(seed);
  for (const kind of kinds) {
    const share = Math.ceil(rounds / kinds.length);
    const figures = await kind({ engine, rounds: share, random, folder });
    tell?.(figures);
    all.push(figures);
  }
  return all;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'reliability-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
