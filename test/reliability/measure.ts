import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../runtime/store/postgres-server.ts';
import { type Campaign, type Engine, freshFolder } from './engine.ts';
import { auditAppends, auditCheckpoints, firstStart } from './kinds/audit.ts';
import { databaseKilled } from './kinds/database.ts';
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
