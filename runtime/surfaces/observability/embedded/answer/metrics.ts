import { overRange } from '../evaluate/over-range.ts';
import { Pace } from '../evaluate/pace.ts';
import type { Selector } from '../language/expression.ts';
import { isRange, readPromql } from '../language/promql.ts';
import { QueryRefusal } from '../refusal.ts';
import type { Asked } from './asked.ts';

const mostSteps = 11_000;

/** Series of samples (Prometheus HTTP API, query and query_range). */
export async function answerMetrics({ keep, isOwner, parameters, signal }: Asked): Promise<object> {
  const expression = readPromql(parameters.get('query') ?? '');
  if (isRange(expression))
    throw new QueryRefusal('samples of a time are for a function such as rate');
  const sources = {
    series: ({ matchers }: Selector) => (isOwner ? keep.metrics.select(matchers) : []),
    lines: noLines,
  };
  const pace = new Pace(signal);
  const { left } = keep.metrics;
  const warnings =
    isOwner && left > 0 ? [`${left} series of the server have no room, and are not kept`] : [];
  const time = parameters.get('time');
  if (!parameters.has('start')) {
    const ms = Math.round(Number(time ?? Date.now() / 1000) * 1000);
    const steps = { startMs: ms, endMs: ms, stepMs: 1000 };
    const found = await overRange(expression, sources, steps, pace);
    const result = found.map(({ metric, values }) => ({ metric, value: values[0] }));
    return { status: 'success', data: { resultType: 'vector', result }, warnings };
  }
  const [startMs = 0, endMs = 0, stepMs = 0] = ['start', 'end', 'step'].map((name) =>
    Math.round(Number(parameters.get(name) ?? 0) * 1000),
  );
  if (!(stepMs > 0) || (endMs - startMs) / stepMs > mostSteps) {
    throw new QueryRefusal(`a range has at most ${mostSteps} steps`);
  }
  const result = await overRange(expression, sources, { startMs, endMs, stepMs }, pace);
  return { status: 'success', data: { resultType: 'matrix', result }, warnings };
}

/** Metrics are no lines. */
function* noLines(): Generator<void, readonly never[]> {
  yield;
  return [];
}
