import type { Histogram } from 'prom-client';

type Labels = Readonly<Record<string, string | number>>;

/** What prom-client keeps of one series. */
interface Series {
  readonly labels: object;
  readonly bucketValues: Record<string, number>;
  sum: number;
  count: number;
}

interface Internals {
  readonly hashMap: Readonly<Record<string, Series>>;
  readonly upperBounds: readonly number[];
}

/**
 * Open one series of a histogram. The package checks and hashes the labels at every observation,
 * which takes a tenth of the time of a whole call; here that is done once, and an observation
 * only adds. Should the package keep its series in another way one day, it observes as usual.
 */
export function openSeries(histogram: Histogram, labels: Labels): (value: number) => void {
  histogram.zero(labels);
  const { hashMap = {}, upperBounds = [] } = histogram as unknown as Partial<Internals>;
  const series = Object.values(hashMap).find((each) => each.labels === labels);
  const keys = upperBounds.map(String);
  if (!series || keys.some((key) => series.bucketValues[key] !== 0)) {
    return (value) => histogram.observe(labels, value);
  }
  return (value) => {
    let place = 0;
    while (place < keys.length && value > (upperBounds[place] ?? 0)) place += 1;
    const key = keys[place];
    series.sum += value;
    series.count += 1;
    if (key !== undefined) series.bucketValues[key] = (series.bucketValues[key] ?? 0) + 1;
  };
}
