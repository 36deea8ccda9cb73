import { spanIdOf, type TraceContext, traceIdOf } from '#contract/trace';
import type { Exemplar, Labels, Metric, Sample } from './metric.ts';

export interface HistogramOptions extends Pick<Metric, 'name' | 'help'> {
  /** Upper bounds, the smallest first. */
  readonly buckets: readonly number[];
  /** Told of each new series. */
  readonly onOpen?: () => void;
}

interface Series {
  readonly labels: Labels;
  /** Values up to each bound and above the one before; the last ones are above all bounds. */
  readonly counts: number[];
  /** Of each bucket, the last value of a call that is traced. */
  readonly exemplars: (Exemplar | undefined)[];
  sum: number;
}

/**
 * Counts values by their size, apart for each set of labels. The histogram of prom-client checks and
 * hashes the labels at every observation, which takes a tenth of the time of a whole call.
 */
export class Histogram implements Metric {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #buckets: readonly number[];
  readonly #onOpen: (() => void) | undefined;
  readonly #series: Series[] = [];

  constructor({ name, help, buckets, onOpen }: HistogramOptions) {
    this.name = name;
    this.help = help;
    this.#buckets = buckets;
    this.#onOpen = onOpen;
  }

  /** Begin a series, at zero; the result adds a value to it. Ask for each set of labels once. */
  open(labels: Labels): (value: number, trace?: TraceContext) => void {
    const buckets = this.#buckets;
    const counts = Array.from({ length: buckets.length + 1 }, () => 0);
    const series: Series = { labels, counts, exemplars: [], sum: 0 };
    this.#series.push(series);
    this.#onOpen?.();
    return (value, trace) => {
      let place = 0;
      while (place < buckets.length && value > (buckets[place] ?? 0)) place += 1;
      counts[place] = (counts[place] ?? 0) + 1;
      series.sum += value;
      if (trace !== undefined) series.exemplars[place] = exemplarOf(value, trace);
    };
  }

  samples(): readonly Sample[] {
    return this.#series.flatMap((series) => this.#samplesOf(series));
  }

  /** Buckets count all values up to their bound, those of the buckets before included. */
  #samplesOf({ labels, counts, exemplars, sum }: Series): readonly Sample[] {
    let count = 0;
    const buckets = counts.map((more, place) => {
      count += more;
      const le = this.#buckets[place] ?? '+Inf';
      const exemplar = exemplars[place];
      return {
        ...{ metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count },
        ...(exemplar && { exemplar }),
      };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}

function exemplarOf(value: number, trace: TraceContext): Exemplar {
  const labelSet = { trace_id: traceIdOf(trace), span_id: spanIdOf(trace) };
  return { labelSet, value, timestamp: Date.now() / 1000 };
}
