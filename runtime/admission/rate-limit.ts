import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Operation } from '#contract/operation';
import type { Run, Step } from './pipeline.ts';

/**
 * Hold each caller to the limit of the operation, and to `callRate` calls in a second over all
 * operations that are not public; 0 sets no such limit.
 */
export function limitRate(callRate: number): Step {
  const shared = callRate === 0 ? [] : [new RateLimiterMemory({ points: callRate, duration: 1 })];
  return <Result>({ access, limit }: Operation, next: Run<Result>): Run<Result> => {
    const own = limit
      ? [new RateLimiterMemory({ points: limit.requests, duration: limit.perMs / 1000 })]
      : [];
    const limiters = access === 'public' ? own : [...own, ...shared];
    if (limiters.length === 0) return next;
    return async (input, context) => {
      for (const limiter of limiters) await take(limiter, context);
      return next(input, context);
    };
  };
}

async function take(limiter: RateLimiterMemory, { caller }: CallContext): Promise<void> {
  try {
    await limiter.consume(`${caller.tenant}/${caller.subject}`);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const { points, duration } = limiter;
    throw new ServiceError('rate_limited', 429, `at most ${points} calls in ${duration} s`, {
      retryAfterMs: Math.max(1, Math.ceil(refusal.msBeforeNext)),
    });
  }
}
