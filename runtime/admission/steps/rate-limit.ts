import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Operation, OperationLimit } from '#contract/operation';
import type { TenantLimits } from '#contract/tenant/tenants';
import { type LimitKey, limitKey } from './limit-key.ts';
import type { Run, Step } from './pipeline.ts';
import { Windows } from './windows.ts';

/** What a tenant is held to, where that differs from the others; nothing where it does not. */
export type LimitsOf = (tenant: string) => TenantLimits | undefined;

type Limiter = (context: CallContext) => void;

/**
 * Hold each caller to the limit of the operation, and to `callRate` calls in a second over all
 * operations that are not public; 0 sets no such limit. A tenant may have another such limit, and one
 * for all of its callers together.
 */
export function limitRate(callRate: number, limitsOf?: LimitsOf): Step {
  const shared = limitsOf ? limitTenants(callRate, limitsOf) : perSecond(callRate);
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

/** Each tenant by itself: it counts from its first call on. */
function limitTenants(callRate: number, limitsOf: LimitsOf): Limiter {
  const own = new Map<string, readonly Limiter[]>();
  const made = (tenant: string): readonly Limiter[] => {
    const limits = limitsOf(tenant);
    const total = perSecond(limits?.totalCallRate ?? 0, ({ caller }) => caller.tenant);
    const limiters = [perSecond(limits?.callRate ?? callRate), total].filter((each) => !!each);
    own.set(tenant, limiters);
    return limiters;
  };
  return (context) => {
    const { tenant } = context.caller;
    for (const limit of own.get(tenant) ?? made(tenant)) limit(context);
  };
}

function perSecond(requests: number, keyOf?: LimitKey): Limiter | undefined {
  return requests === 0 ? undefined : limiter({ requests, perMs: 1000 }, keyOf);
}

/** Counts calls in this process. @throws ServiceError 429 where there are too many */
function limiter({ requests, perMs, by }: OperationLimit, keyOf = limitKey(by)): Limiter {
  const windows = new Windows(requests, perMs);
  return (context) => {
    const early = windows.use(keyOf(context));
    if (early === undefined) return;
    const message = `at most ${requests} calls in ${perMs / 1000} s are allowed`;
    const retryAfterMs = Math.max(1, Math.ceil(early));
    // Draft of the IETF's HTTP API group on RateLimit fields.
    const headers = {
      'ratelimit-policy': `"calls";q=${requests};w=${Math.ceil(perMs / 1000)}`,
      ratelimit: `"calls";r=0;t=${Math.ceil(retryAfterMs / 1000)}`,
    };
    throw new ServiceError('rate_limited', 429, message, { retryAfterMs, headers });
  };
}
