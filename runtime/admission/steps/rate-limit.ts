import type { RateLimiterMemory } from 'rate-limiter-flexible';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Operation } from '#contract/operation';
import type { Run, Step } from './pipeline.ts';

/**
 * Hold each caller to the limit of the operation, and to `callRate` calls in a second over all
 * operations that are not public; 0 sets no such limit.
 */
export function limitRate(callRate: number): Step {
  const shared = callRate === 0 ? undefined : createLimiter(callRate, 1);
  return <Result>({ access, limit }: Operation, next: Run<Result>): Run<Result> => {
    const own = limit && createLimiter(limit.requests, limit.perMs / 1000);
    const common = access === 'public' ? undefined : shared;
    if (!own && !common) return next;
    return async (input, context) => {
      // The call that made the task has been counted.
      if (context.inTask) return next(input, context);
      await own?.(context);
      await common?.(context);
      return next(input, context);
    };
  };
}

type Limiter = (context: CallContext) => Promise<void>;

/** Count the calls of each caller; the package is loaded with the first one. */
function createLimiter(points: number, duration: number): Limiter {
  let opened: Promise<RateLimiterMemory> | undefined;
  return async ({ caller }) => {
    opened ??= open(points, duration);
    const limiter = await opened;
    try {
      await limiter.consume(`${caller.tenant}/${caller.subject}`);
    } catch (refusal) {
      throw refused(refusal, `at most ${points} calls in ${duration} s are allowed`);
    }
  };
}

async function open(points: number, duration: number): Promise<RateLimiterMemory> {
  const { RateLimiterMemory } = await import('rate-limiter-flexible');
  return new RateLimiterMemory({ points, duration });
}

function refused(refusal: unknown, message: string): unknown {
  // The limiter rejects with the state of its count, which is no error.
  if (refusal instanceof Error) return refusal;
  const { msBeforeNext } = refusal as { msBeforeNext: number };
  const retryAfterMs = Math.max(1, Math.ceil(msBeforeNext));
  return new ServiceError('rate_limited', 429, message, { retryAfterMs });
}
