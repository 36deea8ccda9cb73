import type { ShownTrace } from '../query/write/trace-rows.ts';

/** Traces of one answer. */
export interface AskedTraces {
  readonly traces: readonly ShownTrace[];
  /** Whether nothing is missing among them. */
  readonly isWhole: boolean;
}

/** The slowest traces there are, the slowest first. */
export interface Slowest extends AskedTraces {
  /** Median of the durations of all traces, or of the newest ones. */
  readonly typicalMs: number | null;
  /** Whether that is the median of all. */
  readonly isTypicalWhole: boolean;
}

const mostRounds = 6;

/**
 * Find the slowest traces. Back ends give the newest first: where there are more than one answer holds,
 * those are asked for that last as long as the last one wanted of those that are known, until an
 * answer holds all of them.
 *
 * @param ask gives traces that last so many milliseconds or longer
 */
export async function slowestTraces(
  ask: (minDurationMs: number) => Promise<AskedTraces>,
  wanted: number,
): Promise<Slowest> {
  const first = await ask(0);
  const about = {
    typicalMs: median(first.traces.map(({ durationMs }) => durationMs)),
    isTypicalWhole: first.isWhole,
  };
  const known = new Map(first.traces.map((trace) => [trace.traceId, trace]));
  const slowest = () =>
    [...known.values()].sort((a, b) => b.durationMs - a.durationMs).slice(0, wanted);
  let { isWhole } = first;
  let leastMs = 0;
  for (let round = 0; !isWhole && round < mostRounds; round += 1) {
    const last = slowest().at(-1)?.durationMs ?? 0;
    leastMs = Math.max(last, leastMs * 1.01, 0.001);
    const next = await ask(leastMs);
    for (const trace of next.traces) known.set(trace.traceId, trace);
    isWhole = next.isWhole && slowest().every(({ durationMs }) => durationMs >= leastMs);
    if (next.isWhole) break;
  }
  return { traces: slowest(), isWhole, ...about };
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
