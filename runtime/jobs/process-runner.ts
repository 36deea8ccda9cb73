import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ProcessJob } from '#contract/house/jobs';

/** Runs the jobs that every replica does for itself; a job never overlaps with itself. */
export class ProcessRunner {
  readonly #jobs: readonly ProcessJob[];
  readonly #log: Pick<Logger, 'warn'>;
  readonly #stopping = new AbortController();
  #loops: readonly Promise<void>[] = [];

  constructor(jobs: readonly ProcessJob[], log: Pick<Logger, 'warn'>) {
    this.#jobs = jobs;
    this.#log = log;
  }

  /** Begin after so many milliseconds. */
  start(settleMs = 0): void {
    this.#loops = this.#jobs.map((job) => this.#repeat(job, settleMs));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
  }

  async #repeat(job: ProcessJob, settleMs: number): Promise<void> {
    const { signal } = this.#stopping;
    if (settleMs > 0) await this.#pause(settleMs);
    while (!signal.aborted) {
      try {
        await job.run({ signal });
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ job: job.name, err: error }, 'a job has failed');
      }
      await this.#pause(job.everyMs);
    }
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  }
}
