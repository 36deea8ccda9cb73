import { ServiceError } from '#contract/errors';

/** A time range in nanoseconds since the epoch: from `start` on, and before `end`. */
export interface TimeRange {
  readonly start: bigint;
  readonly end: bigint;
}

/** As callers write it: milliseconds, or times such as `now-1h` and RFC 3339. */
export interface WrittenRange {
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const unitsMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const defaultMs = 3_600_000;
const relative = /^now(?:-(\d{1,6})([smhd]))?$/;
const nsPerMs = 1_000_000n;
/** The first time whose year has more than four digits, as RFC 3339 knows none (section 1). */
const latestMs = 253_402_300_800_000;

/**
 * Read a time range; without one, it is the last hour.
 *
 * @throws ServiceError `invalid_request`
 */
export function parseRange(
  written: WrittenRange | undefined,
  now: number,
  mostMs: number,
): TimeRange {
  const { startMs, endMs, from, to } = written ?? {};
  const end = endMs ?? timeOf(to ?? 'now', 'to', now);
  const start = startMs ?? (from === undefined ? end - defaultMs : timeOf(from, 'from', now));
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0) {
    throw wrong('startMs and endMs must be whole milliseconds since the epoch');
  }
  if (end > latestMs || start > latestMs) {
    throw wrong('its times must lie before the year 10000');
  }
  if (end <= start) {
    throw wrong(`its end (${shown(end)}) must lie after its start (${shown(start)})`);
  }
  if (end - start > mostMs) {
    const hours = (ms: number) => `${Math.round(ms / 360_000) / 10} h`;
    throw wrong(
      `it may span ${hours(mostMs)}, but spans ${hours(end - start)}: ask for less at a time`,
    );
  }
  return { start: BigInt(start) * nsPerMs, end: BigInt(end) * nsPerMs };
}

function timeOf(text: string, name: string, now: number): number {
  const [, count, unit] = relative.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (unitsMs[unit ?? ''] ?? 0);
  if (text === 'now') return now;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)T\S+$/.exec(text) ?? [];
  const time = isDay(Number(year), Number(month), Number(day)) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw wrong(
    `${name} must be a time such as now-1h or 2026-11-21T06:00:00Z, but it is ${JSON.stringify(text.slice(0, 60))}`,
  );
}

/** A date that is parsed may be another one: the engine makes the 2nd of March of 30 February. */
function isDay(year: number, month: number, day: number): boolean {
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return month >= 1 && month <= 12 && day >= 1 && day <= last.getUTCDate();
}

function shown(ms: number): string {
  return new Date(ms).toISOString();
}

function wrong(reason: string): ServiceError {
  return new ServiceError('invalid_request', 400, `the time range cannot be used: ${reason}`, {
    detail: { field: 'timeRange' },
  });
}
