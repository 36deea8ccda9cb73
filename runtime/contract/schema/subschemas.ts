import { isObject } from '../json.ts';
import { keywords } from './keywords.ts';

/** A schema that stands directly in another one. */
export interface Subschema {
  readonly keyword: string;
  /** Its name or its position, where the keyword has several. */
  readonly key?: string | number;
  /** A map of keywords, true or false; anything else where the schema around it is broken. */
  readonly schema: unknown;
}

/** The schemas that stand in the value of a keyword; none where the keyword holds none. */
export function subschemasAt(keyword: string, value: unknown): Subschema[] {
  const holds = keywords.get(keyword)?.schemas;
  if (holds === undefined || value === undefined) return [];
  if (Array.isArray(value)) {
    if (holds === 'map') return [];
    return value.map((schema, key) => ({ keyword, key, schema }));
  }
  if (holds !== 'map') return [{ keyword, schema: value }];
  const named = isObject(value) ? Object.entries(value) : [];
  // A list stands for names that a property needs beside it (draft-07, dependencies).
  return named.flatMap(([key, schema]) => (Array.isArray(schema) ? [] : { keyword, key, schema }));
}

/** The schemas that stand directly in a schema, in its own order. */
export function subschemas(schema: unknown): Subschema[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => subschemasAt(keyword, value));
}

/**
 * Whether something holds for each schema that stands directly in a schema; `key` is its name or its
 * position, where its keyword has several. It makes nothing, for what every start asks of all.
 */
export function everySubschema(
  schema: Readonly<Record<string, unknown>>,
  holds: (inner: unknown, key?: string | number) => boolean,
): boolean {
  for (const keyword in schema) {
    const kind = keywords.get(keyword)?.schemas;
    const value = schema[keyword];
    if (kind === undefined || value === undefined) continue;
    if (Array.isArray(value)) {
      if (kind !== 'map' && !value.every((inner, index) => holds(inner, index))) return false;
    } else if (kind !== 'map') {
      if (!holds(value)) return false;
    } else if (isObject(value) && !everyNamed(value, holds)) return false;
  }
  return true;
}

function everyNamed(
  map: Readonly<Record<string, unknown>>,
  holds: (inner: unknown, key: string) => boolean,
): boolean {
  for (const name in map) {
    // A list stands for names that a property needs beside it (draft-07, dependencies).
    if (!Array.isArray(map[name]) && !holds(map[name], name)) return false;
  }
  return true;
}

/** The value of a keyword with each schema in it changed; the same value where it holds none. */
export function withSubschemas(
  keyword: string,
  value: unknown,
  change: (schema: unknown) => unknown,
): unknown {
  const holds = keywords.get(keyword)?.schemas;
  if (holds === undefined) return value;
  if (holds !== 'map') return Array.isArray(value) ? value.map(change) : change(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [
      name,
      Array.isArray(schema) ? schema : change(schema),
    ]),
  );
}
