import { isObject } from '#contract/json';
import { type KeptLine, labelsOf } from '../keep/kept.ts';
import type { LabelCondition, LogQuery } from '../language/log-query.ts';
import { meets } from '../language/matchers.ts';
import { durationMs } from '../language/scanner.ts';

/** A line with what a query has made of its labels. */
export interface FoundLine {
  readonly line: KeptLine;
  readonly labels: Readonly<Record<string, string>>;
}

/** The line as a query gives it, or nothing where it is none of those that are asked for. */
export function runLogQuery({ matchers, stages }: LogQuery, line: KeptLine): FoundLine | undefined {
  const stream = streamOf(line);
  if (!meets(stream, matchers)) return undefined;
  let labels: Record<string, string> | undefined;
  for (const stage of stages) {
    if (stage.type === 'line') {
      if (!stage.holds(line.body)) return undefined;
      continue;
    }
    labels ??= labelsOf(line);
    if (stage.type === 'label') {
      if (!holds(stage.condition, labels)) return undefined;
    } else {
      parse(stage.type, line.body, labels);
    }
  }
  return { line, labels: labels ?? labelsOf(line) };
}

/** About how many looks at a line a query takes: a stage that reads it whole takes more of a long one. */
export function costOf({ stages }: LogQuery, { body }: KeptLine): number {
  return 1 + stages.length * (1 + (body.length >>> 7));
}

function streamOf({ service, level, source }: KeptLine): Record<string, string> {
  return { service_name: service, level, detected_level: level, source };
}

function holds(condition: LabelCondition, labels: Record<string, string>): boolean {
  switch (condition.type) {
    case 'text':
      return condition.matcher.holds(labels[condition.matcher.label] ?? '');
    case 'and':
      return holds(condition.left, labels) && holds(condition.right, labels);
    case 'or':
      return holds(condition.left, labels) || holds(condition.right, labels);
    case 'number': {
      const text = labels[condition.label];
      if (text === undefined) return false;
      const value = numberIn(text, condition.unit);
      if (value === undefined) {
        // A line stays whose label is no number, and says so (Loki, label filter expression).
        labels['__error__'] ??= 'LabelFilterErr';
        return true;
      }
      return compares(condition.sign, value, condition.value);
    }
  }
}

function compares(sign: string, left: number, right: number): boolean {
  switch (sign) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '>=':
      return left >= right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left < right;
  }
}

const byteUnits: Readonly<Record<string, number>> = {
  ...{ b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 },
};

function numberIn(text: string, unit: 'number' | 'duration' | 'bytes'): number | undefined {
  if (unit === 'number') {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isNaN(value) ? undefined : value;
  }
  if (unit === 'duration') {
    return /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|[smhdwy]))+$/.test(text) ? durationMs(text) : undefined;
  }
  const [, count, name = 'b'] = /^(\d+(?:\.\d+)?) ?([kmg]?i?b)?$/i.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (byteUnits[name.toLowerCase()] ?? 1);
}

/** What a line says itself comes under a name of its own where that is taken. */
function extracted(labels: Record<string, string>, name: string, value: string): void {
  const label = name.replace(/\W/g, '_').replace(/^(?=\d)/, '_');
  if (label !== '') labels[label in labels ? `${label}_extracted` : label] = value;
}

function parse(type: 'json' | 'logfmt', body: string, labels: Record<string, string>): void {
  if (type === 'logfmt') {
    for (const [, name = '', quoted, bare = ''] of body.matchAll(
      /([^\s="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))/g,
    )) {
      extracted(labels, name, quoted?.replace(/\\(.)/g, '$1') ?? bare);
    }
    return;
  }
  try {
    const value: unknown = JSON.parse(body);
    if (!isObject(value)) throw new SyntaxError('it is no object');
    flatten(value, '', labels, 0);
  } catch {
    labels['__error__'] = 'JSONParserErr';
  }
}

function flatten(
  value: Readonly<Record<string, unknown>>,
  prefix: string,
  labels: Record<string, string>,
  depth: number,
): void {
  for (const [name, member] of Object.entries(value)) {
    const path = prefix === '' ? name : `${prefix}_${name}`;
    if (isObject(member)) {
      if (depth < 8) flatten(member, path, labels, depth + 1);
    } else if (!Array.isArray(member) && member !== null) {
      extracted(labels, path, String(member));
    }
  }
}
