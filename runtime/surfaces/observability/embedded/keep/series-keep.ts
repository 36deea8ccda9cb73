import type { OwnSample } from '#contract/telemetry/own-telemetry';
import { firstAfter } from '../evaluate/evaluate.ts';
import type { Labels, SampleSeries, Samples } from '../evaluate/samples.ts';
import type { Matcher } from '../language/matchers.ts';
import { meets } from '../language/matchers.ts';
import { limits } from '../numbers.ts';

/** Where a series had no sample; a metric that is no number is none either. */
const absent = Number.NaN;

/** Samples of metrics, all of which were taken at the same times. The oldest make room. */
export class SeriesKeep {
  readonly #capacity: number;
  readonly #times: number[] = [];
  readonly #series = new Map<string, KeptSeries>();
  /** Number of the look at the metrics that is the first one kept. */
  #first = 0;
  /** Series that had no room. */
  left = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get times(): readonly number[] {
    return this.#times;
  }

  get size(): number {
    return this.#series.size;
  }

  /** Keep one look at the metrics; it must be later than the one before. */
  add(ms: number, samples: readonly OwnSample[]): void {
    const last = this.#times.at(-1);
    if (last !== undefined && ms <= last) return;
    this.#times.push(ms);
    if (this.#times.length > this.#capacity) {
      this.#times.shift();
      this.#first += 1;
    }
    const number = this.#first + this.#times.length - 1;
    for (const sample of samples) this.#seriesOf(sample)?.put(number, sample.value);
    for (const [key, series] of this.#series) {
      if (series.last < this.#first) this.#series.delete(key);
    }
  }

  select(matchers: readonly Matcher[]): readonly SampleSeries[] {
    return [...this.#series.values()].filter(({ labels }) => meets(labels, matchers));
  }

  #seriesOf({ name, labels }: OwnSample): KeptSeries | undefined {
    const key = `${name} ${JSON.stringify(labels)}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (this.#series.size >= limits.series) {
      this.left += 1;
      return undefined;
    }
    const texts = Object.entries(labels)
      .filter(([, value]) => value !== '')
      .map(([label, value]) => [label, String(value)]);
    const made = new KeptSeries(
      { ...Object.fromEntries(texts), __name__: name, job: ownService },
      { capacity: this.#capacity, times: this.#times, first: () => this.#first },
    );
    this.#series.set(key, made);
    return made;
  }
}

/** What this server is called in its own telemetry. */
export const ownService = 'agent-tool-server';

class KeptSeries implements SampleSeries {
  readonly labels: Labels;
  readonly #values: Float64Array;
  readonly #times: readonly number[];
  readonly #first: () => number;
  #begun: number | undefined;
  last = -1;

  constructor(
    labels: Labels,
    {
      capacity,
      times,
      first,
    }: {
      readonly capacity: number;
      readonly times: readonly number[];
      readonly first: () => number;
    },
  ) {
    this.labels = labels;
    this.#values = new Float64Array(capacity).fill(absent);
    this.#times = times;
    this.#first = first;
  }

  put(number: number, value: number): void {
    const { length } = this.#values;
    const from = Math.max(this.last + 1, number - length + 1);
    // What was not there in between is not what stood in these places before.
    for (let gap = from; gap < number; gap += 1) this.#values[gap % length] = absent;
    this.#values[number % length] = value;
    this.#begun ??= number;
    this.last = number;
  }

  at(ms: number): number | undefined {
    const place = firstAfter(this.#times, ms) - 1;
    const time = this.#times[place];
    if (time === undefined || time <= ms - limits.lookbackMs) return undefined;
    return this.#valueAt(place);
  }

  between(afterMs: number, toMs: number): Samples {
    const times: number[] = [];
    const values: number[] = [];
    const end = firstAfter(this.#times, toMs);
    for (let place = firstAfter(this.#times, afterMs); place < end; place += 1) {
      const value = this.#valueAt(place);
      if (value === undefined) continue;
      times.push(this.#times[place] ?? 0);
      values.push(value);
    }
    return { times, values };
  }

  #valueAt(place: number): number | undefined {
    const number = this.#first() + place;
    if (number > this.last || number < (this.#begun ?? number)) return undefined;
    const value = this.#values[number % this.#values.length];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }
}
