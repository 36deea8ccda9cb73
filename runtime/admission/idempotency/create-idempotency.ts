import type { Logger } from 'pino';
import type { Jobs } from '#contract/house/jobs';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import type { IdempotencyParts } from './idempotency.ts';

export interface IdempotencySettings {
  /** Deadline of one call. */
  readonly callTimeoutMs: number;
  readonly taskTtlMs: number;
}

export interface IdempotencyEngines {
  readonly store: Store<Tables>;
  readonly jobs: Pick<Jobs, 'define'>;
  readonly log: Pick<Logger, 'error'>;
}

/** What it takes to do calls with a key once. */
export function createIdempotency(
  { callTimeoutMs, taskTtlMs }: IdempotencySettings,
  { store, jobs, log }: IdempotencyEngines,
): IdempotencyParts {
  return {
    store,
    jobs,
    // What was aborted at its deadline may take as long again to notice.
    runMs: callTimeoutMs * 2,
    taskMs: taskTtlMs,
    onLoss: (err, operation) =>
      log.error({ err, operation }, 'what came of a call with a key could not be stored'),
  };
}
