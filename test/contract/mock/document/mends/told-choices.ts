import { isObject } from '#contract/json';

/**
 * Read the parts of an `allOf` beside `x-one-of: true` as alternatives, which Swagger 2.0 has no word for: a
 * mock would ask for all of them at once.
 *
 * @returns whether one had to be read so
 */
export function takeToldChoices(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  let isTaken = false;
  for (const member of Object.values(node)) isTaken = takeToldChoices(member) || isTaken;
  if (!isObject(node) || node['x-one-of'] !== true || !Array.isArray(node['allOf'])) return isTaken;
  const schema: Record<string, unknown> = node;
  schema['oneOf'] = schema['allOf'];
  delete schema['allOf'];
  return true;
}
