import { LRUCache } from 'lru-cache';
import { atMost } from '#contract/memory/at-most';
import { pollIntervalMs } from '../numbers.ts';
import type { AttemptRecords, AttemptRow } from '../records/attempts.ts';
import type { Place } from '../records/place.ts';

/** What a poll that comes too soon adds (RFC 8628 section 3.5), and the most that it becomes. */
const stepMs = 5000;
const longestMs = 60_000;
/** Clocks and networks are not exact. */
const slackMs = 500;
/** More claims without an attempt than that begin anew. */
const mostEarly = 100_000;

/** Whether an agent asks too often, and the interval that it has to keep, in milliseconds. */
export interface Paced {
  readonly isTooSoon: boolean;
  readonly intervalMs: number;
}

/** When a claim was asked for last, and how often it may be. */
interface Clock {
  readonly polledAt: number | null;
  readonly intervalMs: number;
}

/**
 * What paces the polls of claims of all tenants for which nobody was asked yet: there is no attempt
 * that could keep their clock, so this process does.
 */
export type EarlyPolls = LRUCache<string, Clock>;

export function createEarlyPolls(): EarlyPolls {
  return new LRUCache(atMost(mostEarly));
}

/** Make what says whether an agent asks too often for one of its claims. */
export function createPoll(
  { now, tenant }: Place,
  attempts: Pick<AttemptRecords, 'change'>,
  early: EarlyPolls,
) {
  return {
    /** An attempt keeps its clock itself, so that all replicas have the same. */
    async ofAttempt({ id, polled_at, interval_ms }: AttemptRow): Promise<Paced> {
      const at = now();
      const paced = pace({ polledAt: polled_at, intervalMs: interval_ms }, at);
      await attempts.change(id, { polled_at: at, interval_ms: paced.intervalMs });
      return paced;
    },
    /** Of a registration that nobody was asked to claim. */
    early(registration: string): Paced {
      const key = `${tenant} ${registration}`;
      const at = now();
      const paced = pace(early.get(key) ?? { polledAt: null, intervalMs: pollIntervalMs }, at);
      early.set(key, { polledAt: at, intervalMs: paced.intervalMs });
      return paced;
    },
  };
}

export type Poll = ReturnType<typeof createPoll>;

function pace({ polledAt, intervalMs }: Clock, at: number): Paced {
  const isTooSoon = polledAt !== null && at - polledAt < intervalMs - slackMs;
  return {
    isTooSoon,
    intervalMs: isTooSoon ? Math.min(intervalMs + stepMs, longestMs) : intervalMs,
  };
}
