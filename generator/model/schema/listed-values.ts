import { comparableText, isObject } from '#contract/json';

/** The values that a schema lists by itself, where it lists any. */
export function listedValues(schema: unknown): unknown[] | undefined {
  if (!isObject(schema)) return undefined;
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}

/** Tells whether a value is among some, of which there may be tens of thousands. */
export function among(values: readonly unknown[]): (value: unknown) => boolean {
  const known = new Set(values.map(comparableText));
  return (value) => known.has(comparableText(value));
}
