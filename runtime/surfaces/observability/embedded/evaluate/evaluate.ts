import type {
  Call,
  Expression,
  LogRange,
  RangeSelector,
  Selector,
} from '../language/expression.ts';
import { QueryRefusal } from '../refusal.ts';
import { aggregate } from './aggregate.ts';
import { computeBinary } from './binary.ts';
import { functions } from './functions.ts';
import { histogramQuantile } from './histogram-quantile.ts';
import type { Pace } from './pace.ts';
import {
  type CountedLines,
  type Sample,
  type SampleSeries,
  type Sources,
  type Value,
  withoutName,
} from './samples.ts';

/** Samples of one value; more are made by nothing but a query that means to. */
const mostSamples = 20_000;
/** What an operator or an aggregation does with a sample costs so many looks at one. */
const perSample = 4;

/** What a part of a query comes to; it yields wherever it is the turn of others. */
type Steps<Result> = Generator<void, Result>;

/** Computes an expression at one time after the other; what it is about is looked up once. */
export class Evaluator {
  readonly #sources: Sources;
  readonly #pace: Pace;
  readonly #series = new Map<Selector, readonly SampleSeries[]>();
  readonly #lines = new Map<LogRange, readonly CountedLines[]>();

  constructor(sources: Sources, pace: Pace) {
    this.#sources = sources;
    this.#pace = pace;
  }

  *at(expression: Expression, ms: number): Steps<Value> {
    this.#pace.spend(1);
    if (this.#pace.isDue) yield;
    switch (expression.type) {
      case 'number':
        return expression.value;
      case 'selector':
        return this.#instant(expression, ms);
      case 'logs':
        return yield* this.#counted(expression, ms);
      case 'range':
        throw new Error('samples of a time are for a function alone');
      case 'negate': {
        const value = yield* this.at(expression.of, ms);
        if (typeof value === 'number') return -value;
        return value.map((each) => ({ labels: withoutName(each.labels), value: -each.value }));
      }
      case 'call':
        return yield* this.#call(expression, ms);
      case 'aggregation': {
        const { of, parameter } = expression;
        const number =
          parameter === undefined ? Number.NaN : numberOf(yield* this.at(parameter, ms));
        const samples = samplesOf(yield* this.at(of, ms));
        this.#pace.spend(samples.length * perSample);
        return aggregate(expression, samples, number);
      }
      case 'binary': {
        const left = yield* this.at(expression.left, ms);
        const right = yield* this.at(expression.right, ms);
        this.#pace.spend((countOf(left) + countOf(right)) * perSample);
        return bounded(computeBinary(expression, left, right));
      }
    }
  }

  #seriesOf(selector: Selector): readonly SampleSeries[] {
    const found = this.#series.get(selector) ?? this.#sources.series(selector);
    this.#series.set(selector, found);
    return found;
  }

  #instant(selector: Selector, ms: number): readonly Sample[] {
    const series = this.#seriesOf(selector);
    this.#pace.spend(series.length);
    return series.flatMap((each) => {
      const value = each.at(ms - selector.offsetMs);
      return value === undefined ? [] : [{ labels: each.labels, value }];
    });
  }

  *#counted(range: LogRange, ms: number): Steps<readonly Sample[]> {
    const known = this.#lines.get(range) ?? (yield* this.#sources.lines(range));
    this.#lines.set(range, known);
    const to = ms - range.offsetMs;
    this.#pace.spend(known.length);
    return known.flatMap(({ labels, times, bytes }) => {
      const end = firstAfter(times, to);
      const begin = firstAfter(times, to - range.rangeMs);
      if (end === begin) return [];
      const isBytes = range.function.startsWith('bytes');
      const amount = isBytes ? (bytes[end - 1] ?? 0) - (bytes[begin - 1] ?? 0) : end - begin;
      const isRate = range.function.endsWith('rate');
      return [{ labels, value: isRate ? amount / (range.rangeMs / 1000) : amount }];
    });
  }

  *#call({ name, args }: Call, ms: number): Steps<Value> {
    const rule = functions[name];
    if (rule === undefined) throw new Error(`nothing computes ${name}`);
    if ('over' in rule) {
      const range = args.find((each) => each.type === 'range');
      const [first] = args;
      if (range === undefined) throw new Error(`${name} has no samples`);
      const parameter =
        first === range || !first ? Number.NaN : numberOf(yield* this.at(first, ms));
      const found = yield* this.#over(range, ms, (samples, window) =>
        rule.over(samples, window, parameter),
      );
      return found.map(({ labels, value }) => ({
        labels: rule.keepsName ? labels : withoutName(labels),
        value,
      }));
    }
    if ('each' in rule) {
      const values: Value[] = [];
      for (const arg of args) values.push(yield* this.at(arg, ms));
      const [series = [], ...rest] = values;
      const parameters = rest.map(numberOf);
      return samplesOf(series).map(({ labels, value }) => ({
        labels: withoutName(labels),
        value: rule.each(value, parameters),
      }));
    }
    return yield* this.#special(name, args, ms);
  }

  *#over(
    { of, rangeMs }: RangeSelector,
    ms: number,
    make: (
      samples: ReturnType<SampleSeries['between']>,
      window: { readonly fromMs: number; readonly toMs: number },
    ) => number | undefined,
  ): Steps<Sample[]> {
    const toMs = ms - of.offsetMs;
    const window = { fromMs: toMs - rangeMs, toMs };
    const found: Sample[] = [];
    for (const each of this.#seriesOf(of)) {
      const samples = each.between(window.fromMs, toMs);
      this.#pace.spend(samples.times.length + 1);
      const value = make(samples, window);
      if (value !== undefined) found.push({ labels: each.labels, value });
      if (this.#pace.isDue) yield;
    }
    return found;
  }

  *#special(name: string, args: readonly Expression[], ms: number): Steps<Value> {
    const [first, second] = args;
    switch (name) {
      case 'time':
        return ms / 1000;
      case 'vector': {
        const value = first ? numberOf(yield* this.at(first, ms)) : Number.NaN;
        return [{ labels: {}, value }];
      }
      case 'scalar': {
        const found = first ? samplesOf(yield* this.at(first, ms)) : [];
        return found.length === 1 ? (found[0]?.value ?? Number.NaN) : Number.NaN;
      }
      case 'sort':
      case 'sort_desc':
        // A range has no order of its own (Prometheus, sort).
        return first ? yield* this.at(first, ms) : [];
      case 'histogram_quantile': {
        const share = first ? numberOf(yield* this.at(first, ms)) : Number.NaN;
        const buckets = second ? samplesOf(yield* this.at(second, ms)) : [];
        this.#pace.spend(buckets.length * perSample);
        return histogramQuantile(share, buckets);
      }
      case 'absent_over_time':
      case 'absent': {
        const found =
          first?.type === 'range'
            ? yield* this.#over(first, ms, ({ values }) => (values.length > 0 ? 1 : undefined))
            : samplesOf(first ? yield* this.at(first, ms) : []);
        return found.length > 0 ? [] : [{ labels: labelsNamed(first), value: 1 }];
      }
      default:
        throw new Error(`nothing computes ${name}`);
    }
  }
}

function countOf(value: Value): number {
  return typeof value === 'number' ? 1 : value.length;
}

/** @throws QueryRefusal */
function bounded(value: Value): Value {
  if (countOf(value) <= mostSamples) return value;
  throw new QueryRefusal(`a part of the query has more than ${mostSamples} series`);
}

/** What is absent has the labels that it was asked for by. */
function labelsNamed(expression: Expression | undefined): Record<string, string> {
  const selector = expression?.type === 'range' ? expression.of : expression;
  if (selector?.type !== 'selector') return {};
  const equal = selector.matchers.filter(
    ({ label, sign, value }) => sign === '=' && label !== '__name__' && value !== '',
  );
  return Object.fromEntries(equal.map(({ label, value }) => [label, value]));
}

function samplesOf(value: Value): readonly Sample[] {
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

function numberOf(value: Value): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** The place of the first time after `ms`, in times that grow. */
export function firstAfter(times: ArrayLike<number>, ms: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
