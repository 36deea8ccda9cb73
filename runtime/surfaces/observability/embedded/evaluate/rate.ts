import type { Samples } from './samples.ts';

/** A sample may be so much later than the others are apart, and still count up to the edge. */
const tolerance = 1.1;

/**
 * How much a series has grown or changed within a time. What lies between its samples and the edges of
 * that time is made up for as Prometheus does (extrapolatedRate); of counters, resets too.
 */
export function rateOf(
  { times, values }: Samples,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  wanted: 'rate' | 'increase' | 'delta',
): number | undefined {
  const [first] = values;
  const [firstAt] = times;
  const last = values.at(-1);
  const lastAt = times.at(-1);
  if (values.length < 2 || first === undefined || last === undefined) return undefined;
  if (firstAt === undefined || lastAt === undefined) return undefined;
  const isCounter = wanted !== 'delta';
  let grown = last - first;
  if (isCounter) {
    for (let place = 1; place < values.length; place += 1) {
      const before = values[place - 1] ?? 0;
      if ((values[place] ?? 0) < before) grown += before;
    }
  }
  const sampled = (lastAt - firstAt) / 1000;
  const apart = sampled / (values.length - 1);
  let toStart = (firstAt - fromMs) / 1000;
  let toEnd = (toMs - lastAt) / 1000;
  if (toStart >= apart * tolerance) toStart = apart / 2;
  // A counter was never below zero.
  if (isCounter && grown > 0 && first >= 0) toStart = Math.min(toStart, sampled * (first / grown));
  if (toEnd >= apart * tolerance) toEnd = apart / 2;
  const whole = grown * ((sampled + toStart + toEnd) / sampled);
  return wanted === 'rate' ? whole / ((toMs - fromMs) / 1000) : whole;
}
