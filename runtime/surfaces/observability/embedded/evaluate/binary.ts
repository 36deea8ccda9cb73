import type { Binary } from '../language/expression.ts';
import { comparisons, setSigns } from '../language/read-expression.ts';
import { QueryRefusal } from '../refusal.ts';
import { keyOf, type Labels, picker, type Sample, type Value, withoutName } from './samples.ts';

const computes: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '^': (left, right) => left ** right,
};

const compares: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
  '<=': (left, right) => left <= right,
};

/** Compute an operator (Prometheus, operators). */
export function computeBinary(rule: Binary, left: Value, right: Value): Value {
  if (typeof left === 'number') {
    return typeof right === 'number'
      ? (onNumbers(rule, left, right) ?? Number.NaN)
      : withNumber(rule, right, (value) => onNumbers(rule, left, value));
  }
  if (typeof right === 'number')
    return withNumber(rule, left, (value) => onNumbers(rule, value, right));
  return setSigns.has(rule.sign) ? onSets(rule, left, right) : onPairs(rule, left, right);
}

/** Nothing where a comparison leaves the sample out. */
function onNumbers({ sign, isBool }: Binary, left: number, right: number): number | undefined {
  const compare = compares[sign];
  if (compare === undefined) return computes[sign]?.(left, right);
  const holds = compare(left, right);
  if (isBool) return holds ? 1 : 0;
  return holds ? left : undefined;
}

function withNumber(
  rule: Binary,
  samples: readonly Sample[],
  compute: (value: number) => number | undefined,
): Sample[] {
  const filters = comparisons.has(rule.sign) && !rule.isBool;
  return samples.flatMap(({ labels, value }) => {
    const found = compute(value);
    if (found === undefined) return [];
    // What passes a comparison stays as it is, on whichever side it stands.
    return [filters ? { labels, value } : { labels: withoutName(labels), value: found }];
  });
}

function partner({ matching }: Binary): (labels: Labels) => string {
  const { labels: names = [], isOn = false } = matching ?? {};
  const pickFrom = picker(names, !isOn);
  return (labels) => keyOf(pickFrom(labels));
}

function onSets(rule: Binary, left: readonly Sample[], right: readonly Sample[]): Sample[] {
  const key = partner(rule);
  if (rule.sign === 'or') {
    const known = new Set(left.map(({ labels }) => key(labels)));
    return [...left, ...right.filter(({ labels }) => !known.has(key(labels)))];
  }
  const known = new Set(right.map(({ labels }) => key(labels)));
  return left.filter(({ labels }) => known.has(key(labels)) === (rule.sign === 'and'));
}

/** One series of one side for each of the other one. */
function onPairs(rule: Binary, left: readonly Sample[], right: readonly Sample[]): Sample[] {
  const key = partner(rule);
  const others = new Map<string, Sample>();
  for (const sample of right) {
    const name = key(sample.labels);
    if (others.has(name)) throw ambiguous(rule, 'right');
    others.set(name, sample);
  }
  const used = new Set<string>();
  return left.flatMap((sample): Sample[] => {
    const name = key(sample.labels);
    const other = others.get(name);
    if (other === undefined) return [];
    if (used.has(name)) throw ambiguous(rule, 'left');
    used.add(name);
    const value = onNumbers(rule, sample.value, other.value);
    if (value === undefined) return [];
    return [{ labels: resultLabels(rule, sample.labels), value }];
  });
}

function resultLabels({ sign, isBool, matching }: Binary, labels: Labels): Labels {
  const keepsName = comparisons.has(sign) && !isBool;
  const named = keepsName ? labels : withoutName(labels);
  if (matching === undefined) return named;
  if (matching.isOn) return picker(matching.labels, false)(named);
  if (!keepsName) return picker(matching.labels, true)(labels);
  const kept = Object.entries(named).filter(([name]) => !matching.labels.includes(name));
  return Object.fromEntries(kept);
}

function ambiguous({ sign }: Binary, side: string): QueryRefusal {
  return new QueryRefusal(
    `several series of the ${side} side of ${sign} have the same labels: say with on or ignoring which ones count, or aggregate them`,
  );
}
