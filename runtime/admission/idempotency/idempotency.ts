import { InputRequired, MissingCapability } from '#contract/client';
import { ServiceError, ToolError, type ToolErrorCode } from '#contract/errors';
import type { Jobs } from '#contract/house/jobs';
import type { Operation } from '#contract/operation';
import { lostOutcome, replay, textOfError, textOfResult } from '#contract/text/kept-answer';
import { houseJobs } from '../../../generated/jobs.ts';
import type { Run, Step } from '../steps/pipeline.ts';
import { type KeyedCall, KeyTable, type KeyTableParts } from './key-table.ts';
import { keyedCall, keyOf } from './keyed-call.ts';

export interface IdempotencyParts extends KeyTableParts {
  /** The longest that a call, and a task, may take; after it, one without an end counts as lost. */
  readonly runMs: number;
  readonly taskMs: number;
  readonly jobs: Pick<Jobs, 'define'>;
  /** Told when it could not be written down what came of a call. */
  readonly onLoss: (error: unknown, operation: string) => void;
}

const retryMs = 1000;
/** How long a call that can be taken up is left to another replica. */
const resumeMs = 30_000;

/**
 * Do what comes twice with the same key once, and answer the second time with what came of it
 * (draft-ietf-httpapi-idempotency-key-header). Defines the job that forgets old keys.
 */
export function claimKeys(parts: IdempotencyParts): Step {
  const { runMs, taskMs } = parts;
  const table = new KeyTable(parts);
  const run = () => table.removeExpired();
  parts.jobs.define({ ...houseJobs.idempotencyExpiry, run });
  return <Result>(operation: Operation, next: Run<Result>): Run<Result> => {
    if (operation.idempotency === undefined) return next;
    return async (input, context) => {
      const key = keyOf(operation, context);
      if (key === undefined) return next(input, context);
      const call = keyedCall(operation, key, input, context);
      const mostMs = operation.resumes ? resumeMs : runMs;
      const claim = await table.claim(call, context.inTask ? taskMs : mostMs, operation.resumes);
      switch (claim.kind) {
        case 'resumed':
          context.resumes = true;
          return once(table, call, () => next(input, context), parts.onLoss);
        case 'claimed':
          return once(table, call, () => next(input, context), parts.onLoss);
        case 'done':
          return replay<Result>(claim.answer);
        case 'running':
          throw inFlight();
        case 'lost':
          throw lostOutcome();
        case 'conflict':
          throw conflict();
      }
    };
  };
}

/** Look at the key before anybody is asked to agree to what could not be done without one. */
export function requireKey<Result>(operation: Operation, next: Run<Result>): Run<Result> {
  if (operation.idempotency === undefined) return next;
  return (input, context) => {
    keyOf(operation, context);
    return next(input, context);
  };
}

async function once<Result>(
  table: KeyTable,
  call: KeyedCall,
  work: () => Promise<Result>,
  onLoss: IdempotencyParts['onLoss'],
): Promise<Result> {
  /** Never fails, because the act is done by then. */
  const note = (writing: Promise<void>) => writing.catch((error) => onLoss(error, call.operation));
  try {
    const result = await work();
    await note(table.finish(call, textOfResult(result)));
    return result;
  } catch (error) {
    await note(isUndone(error) ? table.release(call) : table.finish(call, textOfError(error)));
    throw error;
  }
}

const refusals: ReadonlySet<number> = new Set([401, 402, 403, 429]);
const undone: ReadonlySet<ToolErrorCode> = new Set([
  'missing_credential',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'rate_limited_local',
  'payment_required',
  'confirmation_required',
]);

/** Whether nothing was done, so that the same call may come again with what it lacked. */
function isUndone(error: unknown): boolean {
  if (error instanceof InputRequired || error instanceof MissingCapability) return true;
  if (error instanceof ToolError) return undone.has(error.code);
  return error instanceof ServiceError && refusals.has(error.status);
}

function inFlight(): ServiceError {
  const message = 'the first call with this idempotency key is still running';
  return new ServiceError('idempotency_in_flight', 409, message, { retryAfterMs: retryMs });
}

function conflict(): ServiceError {
  const message = 'this idempotency key came before with other arguments; use a new one';
  return new ServiceError('idempotency_conflict', 422, message);
}
