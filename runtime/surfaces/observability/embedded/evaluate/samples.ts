import type { LogRange, Selector } from '../language/expression.ts';

export type Labels = Readonly<Record<string, string>>;

/** Samples of one series, the oldest first; times in milliseconds since the epoch. */
export interface Samples {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/** A series that can be looked at at any time. */
export interface SampleSeries {
  readonly labels: Labels;
  /** The value that counts at a time; nothing where the series is not there then. */
  at(ms: number): number | undefined;
  /** All samples after a time, up to another one. */
  between(afterMs: number, toMs: number): Samples;
}

/** Lines of one stream: when each came, and how many bytes they have together up to it. */
export interface CountedLines {
  readonly labels: Labels;
  readonly times: readonly number[];
  readonly bytes: readonly number[];
}

/** Where an expression takes its values from. */
export interface Sources {
  series(selector: Selector): readonly SampleSeries[];
  /** It yields wherever it is the turn of others. */
  lines(range: LogRange): Generator<void, readonly CountedLines[]>;
}

/** A value of a series at one time. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** What an expression gives at one time: a number, or one for each series. */
export type Value = number | readonly Sample[];

const bare = new WeakMap<Labels, Labels>();

/** The labels without the name of the metric: what was computed is that metric no more. */
export function withoutName(labels: Labels): Labels {
  if (labels['__name__'] === undefined) return labels;
  const known = bare.get(labels);
  if (known !== undefined) return known;
  const { __name__: _, ...rest } = labels;
  bare.set(labels, rest);
  return rest;
}

const keys = new WeakMap<Labels, string>();

/** The same text for equal labels. */
export function keyOf(labels: Labels): string {
  const known = keys.get(labels);
  if (known !== undefined) return known;
  const names = Object.keys(labels).sort();
  const key = JSON.stringify(names.map((name) => [name, labels[name]]));
  keys.set(labels, key);
  return key;
}

/** Those of the labels that are named, or with `isWithout` all others but the name of the metric. */
export function pick(labels: Labels, names: readonly string[], isWithout: boolean): Labels {
  const kept = Object.entries(labels).filter(([name]) =>
    isWithout ? name !== '__name__' && !names.includes(name) : names.includes(name),
  );
  return Object.fromEntries(kept);
}

const picked = new WeakMap<Labels, Map<string, Labels>>();

/** Does what `pick` does, and remembers it: each step of a query asks for the same ones again. */
export function picker(names: readonly string[], isWithout: boolean): (labels: Labels) => Labels {
  const rule = JSON.stringify([names, isWithout]);
  return (labels) => {
    let known = picked.get(labels);
    if (known === undefined) {
      known = new Map();
      picked.set(labels, known);
    }
    const found = known.get(rule) ?? pick(labels, names, isWithout);
    known.set(rule, found);
    return found;
  };
}
