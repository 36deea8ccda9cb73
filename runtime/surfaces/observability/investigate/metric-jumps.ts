import type { Series } from '../query/answers/rows.ts';

/** A counter that grows much faster or slower than before. */
export interface MetricJump {
  readonly metric: string;
  /** By how much it grew in a second, before the time that is asked about and in it. */
  readonly before: number;
  readonly after: number;
  readonly providerId: string;
}

/** Twice as fast, or half as fast, is a jump. */
const leastFactor = 2;
/** What grows slower than once in a hundred seconds, before and after, says little. */
const leastRate = 0.01;

/** Find the counters whose growth has changed at a time, those that have changed most first. */
export function metricJumps(series: readonly Series[], atSeconds: number): MetricJump[] {
  return series
    .flatMap(({ metric: { provider_id: providerId = '', ...labels }, values }) => {
      const before = growth(values.filter(([time]) => time <= atSeconds));
      const after = growth(values.filter(([time]) => time >= atSeconds));
      if (after === undefined || Math.max(before ?? 0, after) < leastRate) return [];
      const factor = (after + leastRate) / ((before ?? 0) + leastRate);
      if (factor < leastFactor && factor > 1 / leastFactor) return [];
      const jump = {
        metric: named(labels),
        before: rounded(before ?? 0),
        after: rounded(after),
        providerId,
      };
      return [{ jump, weight: Math.abs(Math.log(factor)) }];
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ jump }) => jump);
}

/** How much a counter grows in a second; it may begin anew. */
function growth(values: Series['values']): number | undefined {
  const [first] = values;
  const last = values.at(-1);
  if (first === undefined || last === undefined || last[0] <= first[0]) return undefined;
  let grown = 0;
  for (let place = 1; place < values.length; place += 1) {
    const value = Number(values[place]?.[1]);
    const former = Number(values[place - 1]?.[1]);
    if (Number.isNaN(value) || Number.isNaN(former)) continue;
    grown += value < former ? value : value - former;
  }
  return grown / (last[0] - first[0]);
}

function named({ __name__: name = '', ...labels }: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${pairs.join(', ')}}`.slice(0, 300);
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
