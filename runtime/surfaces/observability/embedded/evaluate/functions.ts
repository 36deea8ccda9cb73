import { rateOf } from './rate.ts';
import type { Samples } from './samples.ts';

/** What a function is given, and what it makes of it. */
export type FunctionRule = {
  readonly takes: readonly ('number' | 'samples' | 'series')[];
  /** How many of them there have to be. */
  readonly least?: number;
} & (
  | {
      /** Makes one number of the samples of a time; nothing where they are too few. */
      readonly over: (samples: Samples, window: Window, parameter: number) => number | undefined;
      /** Its result is still the same metric. */
      readonly keepsName?: true;
    }
  | { readonly each: (value: number, parameters: readonly number[]) => number }
  /** Told apart by its name where expressions are computed. */
  | { readonly isSpecial: true }
);

/** From when to when samples were asked for, in milliseconds. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

function over(
  make: (values: readonly number[], parameter: number) => number,
  more: { readonly keepsName?: true } = {},
): FunctionRule {
  return {
    takes: ['samples'],
    over: ({ values }) => (values.length === 0 ? undefined : make(values, Number.NaN)),
    ...more,
  };
}

function each(make: (value: number) => number): FunctionRule {
  return { takes: ['series'], each: make };
}

const special = { isSpecial: true } as const;

/** Prometheus, query functions: those that are supported here. */
export const functions: Readonly<Record<string, FunctionRule>> = {
  rate: { takes: ['samples'], over: (samples, window) => rateOf(samples, window, 'rate') },
  increase: { takes: ['samples'], over: (samples, window) => rateOf(samples, window, 'increase') },
  delta: { takes: ['samples'], over: (samples, window) => rateOf(samples, window, 'delta') },
  irate: { takes: ['samples'], over: (samples) => lastTwo(samples, true) },
  idelta: { takes: ['samples'], over: (samples) => lastTwo(samples, false) },
  changes: over((values) => count(values, (value, before) => value !== before)),
  resets: over((values) => count(values, (value, before) => value < before)),
  avg_over_time: over((values) => sum(values) / values.length),
  min_over_time: over((values) => Math.min(...values)),
  max_over_time: over((values) => Math.max(...values)),
  sum_over_time: over(sum),
  count_over_time: over((values) => values.length),
  last_over_time: over((values) => values.at(-1) ?? Number.NaN, { keepsName: true }),
  present_over_time: over(() => 1),
  stddev_over_time: over((values) => Math.sqrt(variance(values))),
  stdvar_over_time: over(variance),
  quantile_over_time: {
    takes: ['number', 'samples'],
    over: ({ values }, _, parameter) =>
      values.length === 0 ? undefined : quantile(parameter, values),
  },
  abs: each(Math.abs),
  ceil: each(Math.ceil),
  floor: each(Math.floor),
  exp: each(Math.exp),
  ln: each(Math.log),
  log2: each(Math.log2),
  log10: each(Math.log10),
  sqrt: each(Math.sqrt),
  sgn: each(Math.sign),
  round: {
    takes: ['series', 'number'],
    least: 1,
    each: (value, [to = 1]) => Math.floor(value * (1 / to) + 0.5) / (1 / to),
  },
  clamp: {
    takes: ['series', 'number', 'number'],
    each: (value, [least = 0, most = 0]) => Math.max(least, Math.min(most, value)),
  },
  clamp_min: {
    takes: ['series', 'number'],
    each: (value, [least = 0]) => Math.max(least, value),
  },
  clamp_max: { takes: ['series', 'number'], each: (value, [most = 0]) => Math.min(most, value) },
  histogram_quantile: { takes: ['number', 'series'], ...special },
  absent: { takes: ['series'], ...special },
  absent_over_time: { takes: ['samples'], ...special },
  scalar: { takes: ['series'], ...special },
  vector: { takes: ['number'], ...special },
  time: { takes: [], ...special },
  sort: { takes: ['series'], ...special },
  sort_desc: { takes: ['series'], ...special },
};

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function variance(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return sum(values.map((value) => (value - mean) ** 2)) / values.length;
}

/** Between the two values next to it (Prometheus, quantile). */
export function quantile(share: number, values: readonly number[]): number {
  if (values.length === 0 || Number.isNaN(share)) return Number.NaN;
  if (share < 0) return Number.NEGATIVE_INFINITY;
  if (share > 1) return Number.POSITIVE_INFINITY;
  const sorted = [...values].sort((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const below = Math.floor(rank);
  const above = Math.min(sorted.length - 1, below + 1);
  const weight = rank - below;
  return (sorted[below] ?? 0) * (1 - weight) + (sorted[above] ?? 0) * weight;
}

function count(
  values: readonly number[],
  differs: (value: number, before: number) => boolean,
): number {
  return values.filter((value, place) => place > 0 && differs(value, values[place - 1] ?? value))
    .length;
}

function lastTwo({ times, values }: Samples, isRate: boolean): number | undefined {
  const [before, last] = values.slice(-2);
  const [from, to] = times.slice(-2);
  if (before === undefined || last === undefined || from === undefined || to === undefined) {
    return undefined;
  }
  if (!isRate) return last - before;
  return ((last < before ? last : last - before) * 1000) / (to - from);
}
