import { isObject, valueAt } from '#contract/json';
import type { FieldPaths, RowFields } from '#contract/telemetry/kind';
import { visibleText } from './visible-text.ts';

const mostAttributes = 128;
const deepest = 4;

/** The text at the first of these paths that leads to one. */
export function textAt(row: unknown, paths: FieldPaths | undefined): string | undefined {
  for (const path of paths ?? []) {
    const value = valueAt(row, path);
    if (typeof value === 'string' && value !== '') return visibleText(value);
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  }
  return undefined;
}

/** The value at the first of these paths that leads to one. */
export function firstAt(row: unknown, paths: FieldPaths): unknown {
  for (const path of paths) {
    const value = valueAt(row, path);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** What of a row has no field of its own, flat, as texts. */
export function attributesOf(row: unknown, fields: RowFields): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of fields.attributes ?? []) collect(valueAt(row, path), '', found, 0);
  if (isObject(row)) {
    const taken = takenBy(fields);
    for (const [name, value] of Object.entries(row)) {
      if (!taken.has(name)) collect(value, name, found, 0);
    }
  }
  return found;
}

const known = new WeakMap<RowFields, ReadonlySet<string>>();

/** Names of members that stand elsewhere, or nowhere. */
function takenBy(fields: RowFields): ReadonlySet<string> {
  const taken = known.get(fields) ?? new Set([...(fields.drop ?? []), ...ownNames(fields)]);
  known.set(fields, taken);
  return taken;
}

function ownNames(fields: RowFields): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (name === 'drop') return [];
    const paths: FieldPaths = Array.isArray(value) ? value : value.paths;
    return paths.flatMap((path) =>
      path.length === 1 || name === 'attributes' ? [String(path[0])] : [],
    );
  });
}

function collect(value: unknown, name: string, into: Record<string, string>, depth: number): void {
  if (Object.keys(into).length >= mostAttributes) return;
  if (isObject(value) && depth < deepest) {
    for (const [key, member] of Object.entries(value)) {
      collect(member, name === '' ? key : `${name}.${key}`, into, depth + 1);
    }
    return;
  }
  if (value === undefined || value === null || value === '' || name === '') return;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  Object.defineProperty(into, visibleText(name), {
    value: visibleText(text),
    ...{ enumerable: true, configurable: true, writable: true },
  });
}

/** The id of a trace or a span as W3C Trace Context writes it: zeros that were left out come back. */
export function hexId(text: string | undefined, digits: 16 | 32): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^[0-9a-fA-F]+$/.test(text) && text.length <= digits) {
    return text.toLowerCase().padStart(digits, '0');
  }
  return text;
}
