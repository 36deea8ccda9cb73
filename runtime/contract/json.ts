/** A value that JSON can carry. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** A JSON Schema, dialect 2020-12. Opaque here: only the validator looks inside. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * A way into a JSON value: property names and array positions, negative positions counting from
 * the end, and `'*'` for every member of an array.
 */
export type JsonPath = readonly (string | number)[];

/** Whether `value` is an object in the sense of JSON: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Read the value at `path`; `undefined` where nothing stands. Inherited properties do not count. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  let current = value;
  for (const [index, step] of path.entries()) {
    if (step === '*') {
      if (!Array.isArray(current)) return undefined;
      const rest = path.slice(index + 1);
      return current.map((member) => valueAt(member, rest));
    }
    if (Array.isArray(current) && typeof step === 'number') current = current.at(step);
    else if (isObject(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}
