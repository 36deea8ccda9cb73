import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ClusterJob } from '#contract/house/jobs';
import { transactionWith } from '#contract/house/store';
import type { Json } from '#contract/json';
import type { JobRow } from '../../generated/tables.ts';
import type { JobTable } from './job-table.ts';
import { Lease, leaseLost } from './lease.ts';

export interface RunnerOptions {
  /** How long a replica that does not report is believed to live. */
  readonly leaseMs: number;
  /** How often to look for jobs that others have stored. */
  readonly pollMs: number;
  /** Jobs that one process runs at the same time, besides those with a limit of their own. */
  readonly parallel: number;
  readonly log: Pick<Logger, 'warn'>;
}

/** What the owners of all claims of this process begin with. */
export const thisProcess = randomUUID();

const defaultMaxAttempts = 10;

/** Errors of jobs are kept for the operator, but not whole responses of vendors. */
const maxErrorLength = 500;

/** Takes stored jobs and runs them. */
export class ClusterRunner {
  readonly #table: JobTable;
  readonly #jobs: ReadonlyMap<string, ClusterJob>;
  readonly #options: RunnerOptions;
  readonly #runs = new Map<Lease, { readonly job: ClusterJob; readonly end: Promise<void> }>();
  #loop: Promise<void> | undefined;
  #stopping = false;
  #alarm = Promise.withResolvers<void>();

  constructor(table: JobTable, jobs: ReadonlyMap<string, ClusterJob>, options: RunnerOptions) {
    this.#table = table;
    this.#jobs = jobs;
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#work();
  }

  /** Look for jobs now. */
  wake(): void {
    this.#alarm.resolve();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#loop;
    for (const lease of this.#runs.keys()) lease.abort(new Error('the server is stopping'));
    await Promise.all([...this.#runs.values()].map(({ end }) => end));
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      this.#alarm = Promise.withResolvers();
      try {
        while (!this.#stopping && (await this.#take()));
      } catch (error) {
        this.#options.log.warn({ err: error }, 'jobs cannot be read');
      }
      await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    const timer = setTimeout(() => this.wake(), this.#options.pollMs).unref();
    await this.#alarm.promise;
    clearTimeout(timer);
  }

  /** The jobs of which this process may start one more. */
  #free(): readonly string[] {
    const running = [...this.#runs.values()].map(({ job }) => job);
    const common = running.filter(({ parallel }) => parallel === undefined).length;
    return [...this.#jobs.values()]
      .filter((job) =>
        job.parallel === undefined
          ? common < this.#options.parallel
          : running.filter((other) => other === job).length < job.parallel,
      )
      .map(({ name }) => name);
  }

  /** Start the next job; false when none is due. */
  async #take(): Promise<boolean> {
    const { leaseMs } = this.#options;
    const free = this.#free();
    if (free.length === 0) return false;
    const askedAt = performance.now();
    const owner = `${thisProcess}/${randomUUID()}`;
    const row = await this.#table.claim(free, owner, leaseMs);
    const job = row && this.#jobs.get(row.name);
    if (!job) return false;
    const lease = new Lease(leaseMs, askedAt, () => this.#table.renew(row, leaseMs));
    const end = this.#run(job, row, lease).catch((error: unknown) => {
      // The lease ends by itself, and then somebody tries again.
      this.#options.log.warn({ job: row.name, err: error }, 'the end of a job cannot be stored');
    });
    this.#runs.set(lease, { job, end });
    void end.then(() => {
      lease.end();
      this.#runs.delete(lease);
      this.wake();
    });
    return true;
  }

  async #run(job: ClusterJob, row: JobRow, lease: Lease): Promise<void> {
    const { tenant, key, attempt, token } = row;
    const recurs = job.everyMs !== undefined;
    if (!recurs && attempt > (job.maxAttempts ?? defaultMaxAttempts)) {
      const last = row.last_error || 'the servers that ran it have ended';
      return this.#table.giveUp(row, last);
    }
    try {
      await job.run({
        tenant,
        key,
        attempt,
        token,
        payload: JSON.parse(row.payload) as Json,
        signal: lease.signal,
        fence: async (tx) => {
          if (!(await this.#table.holds(row, transactionWith(tx)))) throw leaseLost();
        },
      });
    } catch (error) {
      return this.#retry(job, row, error);
    }
    if (!recurs) return this.#table.remove(row);
    return this.#table.postpone(row, job.everyMs, { attempt: 0, last_error: '' });
  }

  async #retry(job: ClusterJob, row: JobRow, error: unknown): Promise<void> {
    const { attempt } = row;
    // Not the job's fault, so it does not count.
    if (this.#stopping) {
      return this.#table.postpone(row, 0, { attempt: attempt - 1, last_error: row.last_error });
    }
    this.#options.log.warn({ job: row.name, attempt, err: error }, 'a job has failed');
    const text = String(error instanceof Error ? error.message : error).slice(0, maxErrorLength);
    if (job.everyMs !== undefined) {
      return this.#table.postpone(row, job.everyMs, { attempt, last_error: text });
    }
    if (attempt >= (job.maxAttempts ?? defaultMaxAttempts)) return this.#table.giveUp(row, text);
    return this.#table.postpone(row, retryDelay(attempt), { attempt, last_error: text });
  }
}

/** One second after the first failure, then twice as long each time, up to an hour. */
function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** (attempt - 1), 3_600_000);
}
