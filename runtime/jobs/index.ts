import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterJob, JobDefinition, JobRequest, Jobs, ProcessJob } from '#contract/house/jobs';
import { type AnyTransaction, type Store, transactionWith } from '#contract/house/store';
import type { Tables } from '../../generated/tables.ts';
import { ClusterRunner, type RunnerOptions, thisProcess } from './cluster-runner.ts';
import type { DatabaseClock, JobTable } from './job-table.ts';
import { ProcessRunner } from './process-runner.ts';

export interface JobsOptions
  extends Partial<Omit<RunnerOptions, 'log'>>,
    Pick<RunnerOptions, 'log'> {
  /** Takes the place of the clock of the database. */
  readonly now?: DatabaseClock;
}

/** Jobs whose owner starts and stops them. */
export interface OwnedJobs extends Jobs {
  /** Begin to work, soon; the store is open. */
  start(): Promise<void>;
  /** Abort what runs, wait until it has ended, and leave it to the next one. */
  stop(): Promise<void>;
}

/** The tenant of what the server does for itself. */
const ownTenant = 'default';

/** The first answers of a server that has just started come before its own work, unless there is some. */
const settleMs = 1000;

/** Create the background work of this process. */
export function createJobs(store: Store<Tables>, { now, log, ...options }: JobsOptions): OwnedJobs {
  const settings = { leaseMs: 30_000, pollMs: 1000, parallel: 8, log, ...options };
  const cluster = new Map<string, ClusterJob>();
  const processes: ProcessJob[] = [];
  const processRunner = new ProcessRunner(processes, log);
  const stopping = new AbortController();
  /** Somebody has work, and does not want it to wait until the server has settled. */
  const early = new AbortController();
  let loading: Promise<JobTable> | undefined;
  let runner: ClusterRunner | undefined;
  let beginning: Promise<void> | undefined;

  /** Loaded with the first query, and with it all that queries are made with. */
  function table(): Promise<JobTable> {
    loading ??= import('./job-table.ts').then(
      ({ JobTable }) => new JobTable(store, { now, process: thisProcess }),
    );
    return loading;
  }

  async function enqueue(request: JobRequest, tx?: AnyTransaction): Promise<void> {
    if (!cluster.has(request.name)) throw new Error(`no job is called ${request.name}`);
    const row = { key: randomUUID(), payload: null, delayMs: 0, ...request };
    await (await table()).add(row, tx && transactionWith(tx));
    wake();
  }

  function wake(): void {
    early.abort();
    runner?.wake();
  }

  /** Store the jobs that recur, where they are not. */
  async function storeRecurring(): Promise<void> {
    for (const { name, everyMs } of cluster.values()) {
      if (everyMs === undefined) continue;
      const job = { tenant: ownTenant, name, key: 'recurring' };
      await enqueue(job);
      await (await table()).hasten(job, everyMs);
    }
  }

  async function begin(): Promise<void> {
    const pause = (ms: number, signal: AbortSignal) =>
      sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    await pause(settleMs, AbortSignal.any([stopping.signal, early.signal]));
    while (!stopping.signal.aborted) {
      try {
        await storeRecurring();
        runner = new ClusterRunner(await table(), cluster, settings);
        runner.start();
        return;
      } catch (error) {
        log.warn({ err: error }, 'jobs cannot be stored');
      }
      await pause(settings.pollMs, stopping.signal);
    }
  }

  return {
    define(definition: JobDefinition) {
      if (definition.scope === 'process') processes.push(definition);
      else cluster.set(definition.name, definition);
    },
    enqueue,
    wake,
    async start() {
      if (cluster.size > 0) beginning = begin();
      processRunner.start(settleMs);
    },
    async stop() {
      stopping.abort();
      await beginning;
      await Promise.all([runner?.stop(), processRunner.stop()]);
    },
  };
}
