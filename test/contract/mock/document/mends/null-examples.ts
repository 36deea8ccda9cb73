import { isObject } from '#contract/json';

type Node = Record<string, unknown>;

/**
 * Take out examples of null where a schema allows none: a mock would answer them, and hold them
 * against nothing.
 */
export function dropNullExamples(node: unknown, seen = new Set<unknown>()): boolean {
  if (typeof node !== 'object' || node === null || seen.has(node)) return false;
  seen.add(node);
  const isDropped = isObject(node) && hasNullExample(node);
  if (isDropped) delete (node as Node)['example'];
  const below = Object.values(node).map((member) => dropNullExamples(member, seen));
  return isDropped || below.includes(true);
}

/** Whether a schema of one type has the example null (OpenAPI 3.0, schema object; JSON Schema 2020-12). */
function hasNullExample({ type, example, nullable, ...more }: Node): boolean {
  const isNullable = type === 'null' || nullable === true || more['x-nullable'] === true;
  return example === null && typeof type === 'string' && !isNullable;
}
