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
