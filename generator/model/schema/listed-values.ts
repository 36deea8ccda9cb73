import { isObject } from '#contract/json';

/** The values that a schema lists by itself, where it lists any. */
export function listedValues(schema: unknown): unknown[] | undefined {
  if (!isObject(schema)) return undefined;
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}
