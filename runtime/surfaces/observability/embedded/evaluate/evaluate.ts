import type {
  Call,
  Expression,
  LogRange,
  RangeSelector,
  Selector,
} from '../language/expression.ts';
import { aggregate } from './aggregate.ts';
import { computeBinary } from './binary.ts';
import { functions } from './functions.ts';
import { histogramQuantile } from './histogram-quantile.ts';
import {
  type CountedLines,
  type Sample,
  type SampleSeries,
  type Sources,
  type Value,
  withoutName,
} from './samples.ts';

/** Computes an expression at one time after the other; what it is about is looked up once. */
export class Evaluator {
  readonly #sources: Sources;
  readonly #series = new Map<Selector, readonly SampleSeries[]>();
  readonly #lines = new Map<LogRange, readonly CountedLines[]>();
  /** Samples and lines that were looked at: whoever bounds that reads it. */
  looked = 0;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  at(expression: Expression, ms: number): Value {
    switch (expression.type) {
      case 'number':
        return expression.value;
      case 'selector':
        return this.#instant(expression, ms);
      case 'logs':
        return this.#counted(expression, ms);
      case 'range':
        throw new Error('samples of a time are for a function alone');
      case 'negate': {
        const value = this.at(expression.of, ms);
        if (typeof value === 'number') return -value;
        return value.map((each) => ({ labels: withoutName(each.labels), value: -each.value }));
      }
      case 'call':
        return this.#call(expression, ms);
      case 'aggregation': {
        const { of, parameter } = expression;
        const number = parameter === undefined ? Number.NaN : numberOf(this.at(parameter, ms));
        return aggregate(expression, samplesOf(this.at(of, ms)), number);
      }
      case 'binary':
        return computeBinary(
          expression,
          this.at(expression.left, ms),
          this.at(expression.right, ms),
        );
    }
  }

  #seriesOf(selector: Selector): readonly SampleSeries[] {
    const found = this.#series.get(selector) ?? this.#sources.series(selector);
    this.#series.set(selector, found);
    return found;
  }

  #instant(selector: Selector, ms: number): readonly Sample[] {
    const series = this.#seriesOf(selector);
    this.looked += series.length;
    return series.flatMap((each) => {
      const value = each.at(ms - selector.offsetMs);
      return value === undefined ? [] : [{ labels: each.labels, value }];
    });
  }

  #counted(range: LogRange, ms: number): readonly Sample[] {
    const known = this.#lines.get(range) ?? this.#sources.lines(range);
    this.#lines.set(range, known);
    const to = ms - range.offsetMs;
    this.looked += known.length;
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

  #call({ name, args }: Call, ms: number): Value {
    const rule = functions[name];
    if (rule === undefined) throw new Error(`nothing computes ${name}`);
    if ('over' in rule) {
      const range = args.find((each) => each.type === 'range');
      const [first] = args;
      if (range === undefined) throw new Error(`${name} has no samples`);
      const parameter = first === range || !first ? Number.NaN : numberOf(this.at(first, ms));
      return this.#over(range, ms, (samples, window) => rule.over(samples, window, parameter)).map(
        ({ labels, value }) => ({ labels: rule.keepsName ? labels : withoutName(labels), value }),
      );
    }
    if ('each' in rule) {
      const [series, ...rest] = args.map((arg) => this.at(arg, ms));
      const parameters = rest.map(numberOf);
      return samplesOf(series ?? []).map(({ labels, value }) => ({
        labels: withoutName(labels),
        value: rule.each(value, parameters),
      }));
    }
    return this.#special(name, args, ms);
  }

  #over(
    { of, rangeMs }: RangeSelector,
    ms: number,
    make: (
      samples: ReturnType<SampleSeries['between']>,
      window: { readonly fromMs: number; readonly toMs: number },
    ) => number | undefined,
  ): Sample[] {
    const toMs = ms - of.offsetMs;
    const window = { fromMs: toMs - rangeMs, toMs };
    return this.#seriesOf(of).flatMap((each) => {
      const samples = each.between(window.fromMs, toMs);
      this.looked += samples.times.length + 1;
      const value = make(samples, window);
      return value === undefined ? [] : [{ labels: each.labels, value }];
    });
  }

  #special(name: string, args: readonly Expression[], ms: number): Value {
    const [first, second] = args;
    switch (name) {
      case 'time':
        return ms / 1000;
      case 'vector':
        return [{ labels: {}, value: first ? numberOf(this.at(first, ms)) : Number.NaN }];
      case 'scalar': {
        const found = first ? samplesOf(this.at(first, ms)) : [];
        return found.length === 1 ? (found[0]?.value ?? Number.NaN) : Number.NaN;
      }
      case 'sort':
      case 'sort_desc':
        // A range has no order of its own (Prometheus, sort).
        return first ? this.at(first, ms) : [];
      case 'histogram_quantile':
        return histogramQuantile(
          first ? numberOf(this.at(first, ms)) : Number.NaN,
          second ? samplesOf(this.at(second, ms)) : [],
        );
      case 'absent_over_time':
      case 'absent': {
        const found =
          first?.type === 'range'
            ? this.#over(first, ms, ({ values }) => (values.length > 0 ? 1 : undefined))
            : samplesOf(first ? this.at(first, ms) : []);
        return found.length > 0 ? [] : [{ labels: labelsNamed(first), value: 1 }];
      }
      default:
        throw new Error(`nothing computes ${name}`);
    }
  }
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
