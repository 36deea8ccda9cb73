import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { ClusterJob, JobDefinition, JobRequest, Jobs, ProcessJob } from '#contract/house/jobs';
import type { Store, Tables } from '#contract/house/store';
import { ClusterRunner, type RunnerOptions, thisProcess } from './cluster-runner.ts';
import { type DatabaseClock, JobTable } from './job-table.ts';
import { ProcessRunner } from './process-runner.ts';

export interface JobsOptions
  extends Partial<Omit<RunnerOptions, 'log'>>,
    Pick<RunnerOptions, 'log'> {
  /** Takes the place of the clock of the database. */
  readonly now?: DatabaseClock;
}

/** Jobs whose owner starts and stops them. */
export interface OwnedJobs extends Jobs {
  /** Begin to work; the store is open. */
  start(): Promise<void>;
  /** Abort what runs, wait until it has ended, and leave it to the next one. */
  stop(): Promise<void>;
}

/** The tenant of what the server does for itself. */
const ownTenant = 'default';

/** Create the background work of this process. */
export function createJobs(store: Store, { now, log, ...options }: JobsOptions): OwnedJobs {
  const table = new JobTable(store, { now, process: thisProcess });
  const cluster = new Map<string, ClusterJob>();
  const processes: ProcessJob[] = [];
  const runners = {
    cluster: new ClusterRunner(table, cluster, {
      leaseMs: 30_000,
      pollMs: 1000,
      parallel: 8,
      log,
      ...options,
    }),
    process: new ProcessRunner(processes, log),
  };

  async function enqueue(request: JobRequest, tx?: Transaction<Tables>): Promise<void> {
    if (!cluster.has(request.name)) throw new Error(`no job is called ${request.name}`);
    await table.add({ key: randomUUID(), payload: null, delayMs: 0, ...request }, tx);
    runners.cluster.wake();
  }

  return {
    define(definition: JobDefinition) {
      if (definition.scope === 'process') processes.push(definition);
      else cluster.set(definition.name, definition);
    },
    enqueue,
    wake: () => runners.cluster.wake(),
    async start() {
      for (const { name, everyMs } of cluster.values()) {
        if (everyMs === undefined) continue;
        const job = { tenant: ownTenant, name, key: 'recurring' };
        await enqueue(job);
        await table.hasten(job, everyMs);
      }
      runners.cluster.start();
      runners.process.start();
    },
    async stop() {
      await Promise.all([runners.cluster.stop(), runners.process.stop()]);
    },
  };
}
