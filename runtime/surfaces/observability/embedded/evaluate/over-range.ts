import type { Expression } from '../language/expression.ts';
import { QueryRefusal } from '../refusal.ts';
import { Evaluator } from './evaluate.ts';
import type { Pace } from './pace.ts';
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

/** Samples of an answer, of all its series. */
export const mostWritten = 250_000;

/**
 * Compute an expression at each step.
 *
 * @throws QueryRefusal where it would look at too much, or give too much
 */
export function overRange(
  expression: Expression,
  sources: Sources,
  steps: Steps,
  pace: Pace,
): Promise<readonly WrittenSeries[]> {
  return pace.run(stepByStep(expression, sources, steps, pace));
}

function* stepByStep(
  expression: Expression,
  sources: Sources,
  { startMs, endMs, stepMs }: Steps,
  pace: Pace,
): Generator<void, readonly WrittenSeries[]> {
  const evaluator = new Evaluator(sources, pace);
  const series = new Map<string, { metric: Labels; values: (readonly [number, string])[] }>();
  let count = 0;
  for (let ms = startMs; ms <= endMs; ms += stepMs) {
    const value = yield* evaluator.at(expression, ms);
    const samples = typeof value === 'number' ? [{ labels: {}, value }] : value;
    count += samples.length;
    if (count > mostWritten) {
      throw new QueryRefusal(
        `the query gives more than ${mostWritten} samples: ask for longer steps or fewer series`,
      );
    }
    for (const { labels, value: each } of samples) {
      const key = keyOf(labels);
      const known = series.get(key) ?? { metric: labels, values: [] };
      if (known.values.at(-1)?.[0] === ms / 1000) {
        throw new QueryRefusal('several series come to have the same labels without their name');
      }
      known.values.push([ms / 1000, written(each)]);
      series.set(key, known);
    }
    if (pace.isDue) yield;
  }
  return [...series.values()];
}

/** A value as Go writes it in the answers of Prometheus. */
export function written(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}
