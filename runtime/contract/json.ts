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

/** How many levels a message may have: no honest one has more, and what walks a value may recurse. */
export const mostLevels = 128;

/**
 * Whether arrays and objects lie more than `limit` levels deep in a value that JSON carried. Takes
 * linear time and does not recurse, so it may be asked of anything.
 */
export function nestedDeeperThan(value: unknown, limit: number): boolean {
  if (!hasMembers(value)) return false;
  // Level by level in one list: every message is asked this, and a list for each level costs more.
  const parents = [value];
  let level = 0;
  let end = 0;
  for (let index = 0; index < parents.length; index += 1) {
    if (index === end) {
      if (level === limit) return true;
      level += 1;
      end = parents.length;
    }
    addParents(parents, parents[index]);
  }
  return false;
}

/** Without a list of the members, which would cost more than the rest. */
function addParents(found: object[], parent: object | undefined): void {
  if (Array.isArray(parent)) {
    for (const member of parent) if (hasMembers(member)) found.push(member);
    return;
  }
  for (const name in parent) {
    const member: unknown = parent[name as keyof typeof parent];
    if (hasMembers(member)) found.push(member);
  }
}

function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * JSON text that is equal exactly where two values are, in whatever order their members came (JSON
 * Schema 2020-12 core, 4.2.2). Takes all that JSON text can bring: RFC 8785 has no form for lone
 * surrogates and for numbers beyond the largest one.
 */
export function comparableText(value: unknown): string {
  return JSON.stringify(value, (_, member) => {
    if (typeof member === 'number')
      return Number.isFinite(member) ? member : { number: `${member}` };
    // What stands for an object has another shape than what stands for a number.
    return isObject(member) ? { members: Object.entries(member).sort(byName) } : member;
  });
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
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
