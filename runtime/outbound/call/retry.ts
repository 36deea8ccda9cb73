import { ToolError, type ToolErrorCode, type ToolErrorDetail } from '#contract/errors';
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

/** A request that came before a vendor could tell that nobody sends it again (RFC 8470 section 5.2). */
export const tooEarly = 425;

interface RetryOptions {
  readonly policy: ProviderRetry;
  /** Sending the request twice does no harm. */
  readonly repeatable: boolean;
  /** It changes nothing at the vendor. */
  readonly reads: boolean;
  readonly life: CallLife;
  readonly clock: Clock;
}

/** Run `attempt` until it succeeds, cannot succeed, or the next wait would outlast the call. */
export async function retrying<Result>(
  attempt: () => Promise<Result>,
  { policy, repeatable, reads, life, clock }: RetryOptions,
): Promise<Result> {
  let mayBeDone = false;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const wait = waitAfter(error, failures, { policy, clock });
      if (!repeatable || wait === undefined || wait >= life.left) {
        throw mayBeDone ? sentBefore(error, failures + 1) : error;
      }
      mayBeDone ||= !reads && !isRefusal(error.code, error.detail);
      life.progress?.waits(`waiting to try again after ${error.code}`, wait);
      await life.sleep(wait);
    }
  }
}

/**
 * Whether a vendor says that nothing was done. A 503 does where it names a time to come again: others
 * are given by what stands before a server that broke down over the request.
 */
export function isRefusal(
  code: ToolErrorCode,
  { httpStatus, retryAfterMs }: Pick<ToolErrorDetail, 'httpStatus' | 'retryAfterMs'>,
): boolean {
  if (code === 'rate_limited' || httpStatus === tooEarly) return true;
  return httpStatus === 503 && retryAfterMs !== undefined;
}

/** A failure behind attempts of which nobody knows the end: what is not there may be gone by one of them. */
function sentBefore({ code, message, detail, cause }: ToolError, times: number): ToolError {
  const also = detail.mayBeDone ? '' : ', and an earlier one may have done what was asked for';
  const told = `${message}; the request was sent ${times} times${also}`;
  return new ToolError(code, told, { ...detail, mayBeDone: true }, cause);
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
