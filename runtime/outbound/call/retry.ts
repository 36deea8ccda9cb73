import { ToolError } from '#contract/errors';
import type { ProviderRetry } from '#contract/provider';
import type { CallLife } from './call-life.ts';
import type { Clock } from './clock.ts';

export const defaultRetry: ProviderRetry = {
  statuses: [429, 502, 503, 504],
  max: 3,
  baseMs: 250,
  capMs: 8_000,
  jitter: 'full',
  onlyIdempotent: true,
};

interface RetryOptions {
  readonly policy: ProviderRetry;
  /** Sending the request twice does no harm. */
  readonly repeatable: boolean;
  readonly life: CallLife;
  readonly clock: Clock;
}

/** Run `attempt` until it succeeds, cannot succeed, or the next wait would outlast the call. */
export async function retrying<Result>(
  attempt: () => Promise<Result>,
  { policy, repeatable, life, clock }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const wait = waitAfter(error, failures, { policy, clock });
      if (!repeatable || wait === undefined || wait >= life.left) throw error;
      life.progress?.waits(`waiting to try again after ${error.code}`, wait);
      await life.sleep(wait);
    }
  }
}

/** Milliseconds until the next attempt; `undefined` when there should be none. */
function waitAfter(
  error: ToolError,
  failures: number,
  { policy, clock }: Pick<RetryOptions, 'policy' | 'clock'>,
): number | undefined {
  if (error.detail.retryable !== true) return undefined;
  // This server's own bucket has made the caller wait as long as it may.
  if (error.code === 'rate_limited_local' || failures >= policy.max) return undefined;
  if (error.detail.retryAfterMs !== undefined) return error.detail.retryAfterMs;
  const ceiling = Math.min(policy.capMs, policy.baseMs * 2 ** failures);
  // Full jitter: clients that failed together do not come back together.
  return policy.jitter === 'full' ? clock.random() * ceiling : ceiling;
}
