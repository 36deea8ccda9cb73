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
  /** Series of the last look that had no room. */
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
    const fresh = samples.filter((sample) => !this.#put(sample, number));
    for (const [key, series] of this.#series) {
      if (series.last < this.#first) this.#series.delete(key);
      else series.forget(this.#first);
    }
    this.#begin(fresh, number);
  }

  select(matchers: readonly Matcher[]): readonly SampleSeries[] {
    return [...this.#series.values()].filter(({ labels }) => meets(labels, matchers));
  }

  /** Whether its series is known. */
  #put(sample: OwnSample, number: number): boolean {
    const known = this.#series.get(keyOfSample(sample));
    known?.put(number, sample.value);
    return known !== undefined;
  }

  /**
   * Keep series that are new. Those that have ended, such as those of a process before, make room for
   * them; where all are there still, parts of histograms are left out first.
   */
  #begin(samples: readonly OwnSample[], number: number): void {
    this.left = 0;
    if (samples.length === 0) return;
    const over = this.#series.size + samples.length - limits.series;
    if (over > 0) {
      const ended = [...this.#series]
        .filter(([, { last }]) => last < number)
        .sort(([, a], [, b]) => a.last - b.last);
      for (const [key] of ended.slice(0, over)) this.#series.delete(key);
    }
    const room = limits.series - this.#series.size;
    const ordered = inOrderOfWorth(samples);
    for (const sample of ordered.slice(0, room)) this.#make(sample).put(number, sample.value);
    this.left = Math.max(0, ordered.length - room);
  }

  #make(sample: OwnSample): KeptSeries {
    const { name, labels } = sample;
    const texts = Object.entries(labels)
      .filter(([, value]) => value !== '')
      .map(([label, value]) => [label, String(value)]);
    const made = new KeptSeries(
      { ...Object.fromEntries(texts), __name__: name, job: ownService },
      { times: this.#times, first: () => this.#first },
    );
    this.#series.set(keyOfSample(sample), made);
    return made;
  }
}

function keyOfSample({ name, labels }: OwnSample): string {
  return `${name} ${JSON.stringify(labels)}`;
}

/** What a histogram counts in all says more than one of its buckets. */
export function inOrderOfWorth(samples: readonly OwnSample[]): readonly OwnSample[] {
  const isBucket = ({ name }: OwnSample) => name.endsWith('_bucket');
  return [...samples.filter((each) => !isBucket(each)), ...samples.filter(isBucket)];
}

/** What this server is called in its own telemetry. */
export const ownService = 'agent-tool-server';

/** Samples that are kept together: a series that is there for a short time takes little room. */
const ofChunk = 64;

class KeptSeries implements SampleSeries {
  readonly labels: Labels;
  readonly #chunks = new Map<number, Float64Array>();
  readonly #times: readonly number[];
  readonly #first: () => number;
  last = -1;

  constructor(
    labels: Labels,
    { times, first }: { readonly times: readonly number[]; readonly first: () => number },
  ) {
    this.labels = labels;
    this.#times = times;
    this.#first = first;
  }

  put(number: number, value: number): void {
    const place = Math.floor(number / ofChunk);
    let chunk = this.#chunks.get(place);
    if (chunk === undefined) {
      chunk = new Float64Array(ofChunk).fill(absent);
      this.#chunks.set(place, chunk);
    }
    chunk[number % ofChunk] = value;
    this.last = number;
  }

  /** Let go of what lies before a number. */
  forget(number: number): void {
    const before = Math.floor(number / ofChunk);
    for (const place of this.#chunks.keys()) {
      if (place >= before) return;
      this.#chunks.delete(place);
    }
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
    const value = this.#chunks.get(Math.floor(number / ofChunk))?.[number % ofChunk];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }
}
