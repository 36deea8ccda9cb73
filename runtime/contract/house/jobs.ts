import type { Json } from '../json.ts';
import type { AnyTransaction } from './store.ts';

/** Work that happens without a client waiting for it. */
export type JobDefinition = ClusterJob | ProcessJob;

/** Stored work: one of the replicas does it, and another one takes it over when that one dies. */
export interface ClusterJob {
  readonly scope: 'cluster';
  readonly name: string;
  /** Run again this long after each end; without it, a job runs once for each `enqueue`. */
  readonly everyMs?: number;
  /** Starts after which a job that was enqueued counts as failed for good (default 10). */
  readonly maxAttempts?: number;
  /** Runs of it that one process has at a time; they do not count among those of all other jobs. */
  readonly parallel?: number;
  run(job: JobRun): Promise<void>;
}

/** Work that every replica does for itself, again and again; it is not stored. */
export interface ProcessJob {
  readonly scope: 'process';
  readonly name: string;
  readonly everyMs: number;
  run(job: Pick<JobRun, 'signal'>): Promise<void>;
}

/** One run of a stored job. */
export interface JobRun {
  readonly tenant: string;
  readonly key: string;
  readonly payload: Json;
  /** 1 at the first start. */
  readonly attempt: number;
  /** Fencing token: a later run has a larger one. */
  readonly token: number;
  /** Aborted when the lease is lost or the server stops. */
  readonly signal: AbortSignal;
  /**
   * Make sure, inside of a transaction that writes, that this run still owns the job.
   *
   * @throws ServiceError `lease_lost`, which undoes the transaction
   */
  fence(tx: AnyTransaction): Promise<void>;
}

/** A job to run once. */
export interface JobRequest {
  readonly name: string;
  readonly tenant: string;
  /** While a job of this name and key is there, the same again changes nothing (default: unique). */
  readonly key?: string;
  readonly payload?: Json;
  readonly delayMs?: number;
}

/** The background work of this process. */
export interface Jobs {
  /** Say what is to be done; before `start`. */
  define(definition: JobDefinition): void;
  /** Store a job, in the caller's transaction where there is one. */
  enqueue(request: JobRequest, tx?: AnyTransaction): Promise<void>;
  /** Look for stored jobs now: after a transaction that stored one. */
  wake(): void;
}
