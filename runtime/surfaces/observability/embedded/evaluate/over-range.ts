import { setImmediate as turn } from 'node:timers/promises';
import type { Expression } from '../language/expression.ts';
import { QueryRefusal } from '../refusal.ts';
import { Evaluator } from './evaluate.ts';
import { keyOf, type Labels, type Sources } from './samples.ts';

/** The steps of a query, in milliseconds. */
export interface Steps {
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
}

/** A series as the HTTP API of Prometheus writes it. */
export interface WrittenSeries {
  readonly metric: Labels;
  readonly values: readonly (readonly [number, string])[];
}

/** Samples and lines that one query may look at. */
export const mostLooked = 20_000_000;
/** So many steps are computed before others get a turn. */
const stepsAtOnce = 20;

/**
 * Compute an expression at each step.
 *
 * @throws QueryRefusal where it would look at too much
 */
export async function overRange(
  expression: Expression,
  sources: Sources,
  { startMs, endMs, stepMs }: Steps,
  signal: AbortSignal,
): Promise<readonly WrittenSeries[]> {
  const evaluator = new Evaluator(sources);
  const series = new Map<string, { metric: Labels; values: (readonly [number, string])[] }>();
  let count = 0;
  for (let ms = startMs; ms <= endMs; ms += stepMs) {
    const value = evaluator.at(expression, ms);
    for (const { labels, value: each } of typeof value === 'number'
      ? [{ labels: {}, value }]
      : value) {
      const key = keyOf(labels);
      const known = series.get(key) ?? { metric: labels, values: [] };
      if (known.values.at(-1)?.[0] === ms / 1000) {
        throw new QueryRefusal('several series come to have the same labels without their name');
      }
      known.values.push([ms / 1000, written(each)]);
      series.set(key, known);
    }
    if (evaluator.looked > mostLooked) {
      throw new QueryRefusal(
        'the query looks at too many samples: ask for less time, longer steps or fewer series',
      );
    }
    count += 1;
    if (count % stepsAtOnce === 0) {
      await turn();
      signal.throwIfAborted();
    }
  }
  return [...series.values()];
}

/** A value as Go writes it in the answers of Prometheus. */
export function written(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}
