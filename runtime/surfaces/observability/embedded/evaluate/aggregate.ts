import type { Aggregation } from '../language/expression.ts';
import { quantile, sum, variance } from './functions.ts';
import { keyOf, type Labels, picker, type Sample } from './samples.ts';

const makers: Readonly<Record<string, (values: readonly number[], parameter: number) => number>> = {
  sum,
  avg: (values) => sum(values) / values.length,
  min: (values) => values.reduce((a, b) => (b < a || Number.isNaN(a) ? b : a)),
  max: (values) => values.reduce((a, b) => (b > a || Number.isNaN(a) ? b : a)),
  count: (values) => values.length,
  group: () => 1,
  stddev: (values) => Math.sqrt(variance(values)),
  stdvar: variance,
  quantile: (values, parameter) => quantile(parameter, values),
};

type Rule = Pick<Aggregation, 'name' | 'labels' | 'isWithout'>;

/** Make one value of those whose labels are equal, or keep the largest or smallest of them. */
export function aggregate(rule: Rule, samples: readonly Sample[], parameter: number): Sample[] {
  const groups = new Map<string, { labels: Labels; samples: Sample[] }>();
  const groupOf = picker(rule.labels, rule.isWithout);
  for (const sample of samples) {
    const labels = groupOf(sample.labels);
    const key = keyOf(labels);
    const group = groups.get(key);
    if (group) group.samples.push(sample);
    else groups.set(key, { labels, samples: [sample] });
  }
  const { name } = rule;
  if (name === 'topk' || name === 'bottomk') {
    const most = Math.max(0, Math.trunc(parameter) || 0);
    return [...groups.values()].flatMap((group) => extremes(group.samples, most, name === 'topk'));
  }
  const make = makers[name];
  if (make === undefined) throw new Error(`nothing computes ${name}`);
  return [...groups.values()].map((group) => ({
    labels: group.labels,
    value: make(
      group.samples.map(({ value }) => value),
      parameter,
    ),
  }));
}

function extremes(samples: readonly Sample[], most: number, isLargest: boolean): Sample[] {
  const worth = ({ value }: Sample) => {
    if (Number.isNaN(value)) return Number.NEGATIVE_INFINITY;
    return isLargest ? value : -value;
  };
  return [...samples].sort((a, b) => worth(b) - worth(a)).slice(0, most);
}
