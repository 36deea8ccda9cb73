import type { ProviderRate } from '#contract/provider';
import { type Headers, headerOf } from '../call/exchange.ts';

/** Nobody plans for longer; a vendor that names more has made a mistake, or means harm. */
export const longestWaitMs = 86_400_000;

/** What the headers of an answer say about the vendor's own counting. */
export interface RateReport {
  /**
   * Which of the vendor's windows the call fell into, told apart by their size (GitHub counts
   * searches apart from everything else); empty when there is only one.
   */
  readonly window: string;
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  readonly resetMs?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cost?: number | undefined;
}

/** Read `Retry-After` and the headers that `rate` names. */
export function readRateHeaders(
  headers: Headers,
  rate: ProviderRate | undefined,
  now: number,
): RateReport {
  const window = text(headers, rate?.limitHeader) ?? '';
  return {
    window,
    limit: number(window),
    remaining: number(text(headers, rate?.remainingHeader)),
    resetMs: resetIn(text(headers, rate?.resetHeader), rate?.resetKind, now),
    retryAfterMs: rate?.retryAfter === false ? undefined : retryAfter(headers, now),
    cost: number(text(headers, rate?.costHeader)),
  };
}

/**
 * Milliseconds that `Retry-After` asks for: seconds or a date (RFC 9110 section 10.2.3), or the moment
 * itself in seconds since 1970, as some vendors write it.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headerOf(headers, 'retry-after')?.trim();
  if (value === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) {
    const ms = Number(value) * 1000;
    // As a wait it would be one of half a century.
    return positive(Math.abs(ms - now) <= longestWaitMs ? ms - now : ms);
  }
  // What V8 takes for a date is more than what is one: `-5` and `1e3`.
  return /^(?:[a-z]{3,9},? |\d{4}-)/i.test(value) ? positive(Date.parse(value) - now) : undefined;
}

function resetIn(
  value: string | undefined,
  kind: ProviderRate['resetKind'],
  now: number,
): number | undefined {
  if (value === undefined || value === '') return undefined;
  const amount = Number(value);
  switch (kind ?? guessKind(amount)) {
    case 'epoch_s':
      return positive(amount * 1000 - now);
    case 'epoch_ms':
      return positive(amount - now);
    case 'delta_s':
      return positive(amount * 1000);
    case 'delta_ms':
      return positive(amount);
    case 'iso':
      return positive(Date.parse(value) - now);
  }
}

function guessKind(amount: number): NonNullable<ProviderRate['resetKind']> {
  if (Number.isNaN(amount)) return 'iso';
  if (amount > 1e11) return 'epoch_ms';
  return amount > 1e8 ? 'epoch_s' : 'delta_s';
}

function positive(ms: number): number | undefined {
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : undefined;
}

function text(headers: Headers, name: string | undefined): string | undefined {
  return name === undefined ? undefined : headerOf(headers, name.toLowerCase());
}

function number(value: string | undefined): number | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const amount = Number(value);
  return Number.isFinite(amount) ? amount : undefined;
}
