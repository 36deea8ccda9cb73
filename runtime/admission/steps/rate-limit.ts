import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Operation, OperationLimit } from '#contract/operation';
import { limitKey } from './limit-key.ts';
import type { Run, Step } from './pipeline.ts';
import { Windows } from './windows.ts';

/**
 * Hold each caller to the limit of the operation, and to `callRate` calls in a second over all
 * operations that are not public; 0 sets no such limit.
 */
export function limitRate(callRate: number): Step {
  const shared = callRate === 0 ? undefined : limiter({ requests: callRate, perMs: 1000 });
  return <Result>({ access, limit }: Operation, next: Run<Result>): Run<Result> => {
    const own = limit && limiter(limit);
    const common = access === 'public' ? undefined : shared;
    if (!own && !common) return next;
    return (input, context) => {
      // The call that made the task has been counted.
      if (!context.inTask) {
        own?.(context);
        common?.(context);
      }
      return next(input, context);
    };
  };
}

/** Counts calls in this process. @throws ServiceError 429 where there are too many */
function limiter({ requests, perMs, by }: OperationLimit): (context: CallContext) => void {
  const windows = new Windows(requests, perMs);
  const keyOf = limitKey(by);
  return (context) => {
    const early = windows.use(keyOf(context));
    if (early === undefined) return;
    const message = `at most ${requests} calls in ${perMs / 1000} s are allowed`;
    const retryAfterMs = Math.max(1, Math.ceil(early));
    throw new ServiceError('rate_limited', 429, message, { retryAfterMs });
  };
}
