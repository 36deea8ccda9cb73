import type { Provider } from '#contract/provider';
import type { Clock } from '../call/clock.ts';
import type { Answer } from '../call/exchange.ts';
import type { RateAccount } from './fair-rate.ts';
import { longestWaitMs, type RateReport, readRateHeaders } from './rate-headers.ts';

/** However far away a vendor says its reset is, ask again after this. */
const longestPauseMs = 3_600_000;
/** A vendor that is called too often, but names an absurd wait, is asked again after this. */
const doubtfulPauseMs = 60_000;
/** By these a vendor wants fewer calls (RFC 6585, section 4); 403, 420 and 430 are ways of some to say 429. */
const tooMany = new Set([403, 420, 429, 430]);

interface FeedbackContext {
  readonly provider: Provider;
  readonly clock: Clock;
}

/**
 * Make the account agree with what an answer says about the vendor's own count; `cost` are the
 * tokens that the call has paid.
 */
export function observe(
  account: RateAccount,
  { status, headers }: Answer,
  { provider, clock }: FeedbackContext,
  cost: number,
): RateReport {
  const report = readRateHeaders(headers, provider.rate, clock.now());
  const { window, remaining, retryAfterMs, cost: actual } = report;
  if (actual !== undefined && actual > cost) account.charge(actual - cost);
  const exhausted = remaining === 0 || status === 429;
  const isAbsurd = retryAfterMs !== undefined && retryAfterMs > longestWaitMs;
  const closes = exhausted || tooMany.has(status) || status >= 500;
  const asked = isAbsurd || !closes ? undefined : retryAfterMs;
  const doubtful = isAbsurd && exhausted ? doubtfulPauseMs : undefined;
  // One path's mistake must not close all of the vendor's tools, nor does the Retry-After of an
  // answer that is no refusal: it says when to ask for that one thing again, such as a job (202).
  const pause = asked ?? (exhausted ? report.resetMs : undefined) ?? doubtful;
  if (pause !== undefined) {
    account.close(window, Math.min(pause, longestPauseMs));
  } else if (remaining !== undefined && isOwnWindow(report, provider)) {
    account.lower(remaining);
  }
  return report;
}

/** Whether the report speaks of the window that the bucket stands for, not of a smaller one. */
function isOwnWindow({ limit }: RateReport, { rate }: Provider): boolean {
  return limit === undefined || limit >= (rate?.requests ?? 0);
}
