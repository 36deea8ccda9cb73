import type { AttemptRecords, AttemptRow } from '../records/attempts.ts';
import type { Place } from '../records/place.ts';

/** What a poll that comes too soon adds (RFC 8628 section 3.5), and the most that it becomes. */
const stepMs = 5000;
const longestMs = 60_000;
/** Clocks and networks are not exact. */
const slackMs = 500;

/** Whether an agent asks too often; gives the interval that it has to keep. */
export function createPoll({ now }: Place, attempts: Pick<AttemptRecords, 'change'>) {
  return async (attempt: AttemptRow): Promise<{ isTooSoon: boolean; intervalMs: number }> => {
    const { id, polled_at, interval_ms } = attempt;
    const at = now();
    const isTooSoon = polled_at !== null && at - polled_at < interval_ms - slackMs;
    const intervalMs = isTooSoon ? Math.min(interval_ms + stepMs, longestMs) : interval_ms;
    await attempts.change(id, { polled_at: at, interval_ms: intervalMs });
    return { isTooSoon, intervalMs };
  };
}

export type Poll = ReturnType<typeof createPoll>;
