import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../generated/tables.ts';
import { JobTable } from '../../runtime/jobs/job-table.ts';
import { createStore } from '../../runtime/store/index.ts';
import { jobRow } from '../runtime/store/job-row.ts';
import { inFlight, seconds } from './in-flight.ts';
import { runPostgresAppends } from './postgres-bench.ts';
import { median, type Row } from './row.ts';

const pairs = 5;
const singles = 300;
const writes = 5000;
const jobs = 3000;

/** The store against bare SQLite on the same disk, alone and under load. */
export async function storeBench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'store-bench-'));
  const store = createStore({ dataDir: join(folder, 'data') });
  await store.open();
  const bare = openBare(join(folder, 'bare.sqlite'));
  try {
    const own = [await singleCommits(store, bare), await loopDelay(store), await claims(store)];
    return [...own, await runPostgresAppends()];
  } finally {
    bare.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

/** The table of jobs as the store has it, in a database of its own. */
function openBare(path: string): DatabaseSync {
  const bare = new DatabaseSync(path);
  bare.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE job (tenant TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL,
      state TEXT NOT NULL, payload TEXT NOT NULL, run_at INTEGER NOT NULL, attempt INTEGER NOT NULL,
      token INTEGER NOT NULL, owner TEXT NOT NULL, lease_until INTEGER NOT NULL,
      last_error TEXT NOT NULL, PRIMARY KEY (tenant, name, key));
    CREATE INDEX job_due ON job (state, run_at)`);
  return bare;
}

async function singleCommits(store: Store<Tables>, bare: DatabaseSync): Promise<Row> {
  const statement = bare.prepare('INSERT INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const ratios: number[] = [];
  const times: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const key = (number: number) => `${pair}/${number}`;
    const ours = await seconds(() => inFlight(1, singles, (number) => put(store, key(number))));
    const theirs = await seconds(async () => {
      for (let number = 0; number < singles; number++) {
        statement.run(...Object.values(jobRow({ key: key(number) })));
      }
    });
    times.push((ours / singles) * 1000);
    ratios.push(ours / theirs);
  }
  return {
    what: 'store: one row committed / bare single-row commit',
    target: '',
    measured: median(ratios).toFixed(2),
    met: undefined,
    detail: `${median(times).toFixed(2)} ms`,
  };
}

/** How late a timer is while many rows are written: nothing may wait for the disk with them. */
async function loopDelay(store: Store<Tables>): Promise<Row> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const time = await seconds(() => inFlight(100, writes, (number) => put(store, `load/${number}`)));
  delay.disable();
  const p99 = delay.percentile(99) / 1e6;
  return {
    what: 'store: delay of the event loop under 100 writers, p99',
    target: '',
    measured: `${p99.toFixed(1)} ms`,
    met: undefined,
    detail: `${Math.round(writes / time).toLocaleString('en')} commits/s, each flushed`,
  };
}

/** Claim and finish jobs as the runner does, eight at a time. */
async function claims(store: Store<Tables>): Promise<Row> {
  const table = new JobTable(store);
  await store.transaction(async (tx) => {
    for (let number = 0; number < jobs; number++) {
      const key = String(number);
      await table.add({ tenant: 'default', name: 'claimed', key, payload: null, delayMs: 0 }, tx);
    }
  });
  const time = await seconds(() =>
    inFlight(8, jobs, async (number) => {
      const job = await table.claim(['claimed'], `run-${number}`, 30_000);
      if (job === undefined) throw new Error('a job is missing');
      await table.remove(job);
    }),
  );
  return {
    what: 'store: jobs claimed and finished per second',
    target: '',
    measured: Math.round(jobs / time).toLocaleString('en'),
    met: undefined,
    detail: 'two flushed commits each',
  };
}

async function put(store: Store<Tables>, key: string): Promise<void> {
  await store.db.insertInto('job').values(jobRow({ key })).execute();
}
