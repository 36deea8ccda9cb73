import { isObject } from '#contract/json';
import { mostTogether } from '#contract/schema/members-together';
import { subschemasAt } from '#contract/schema/subschemas';

/**
 * How deep the code is nested that a check of a schema becomes: what is checked after something else stands
 * within it, so that each of many alternatives adds a level, and the last one has those of all before it.
 *
 * @param root the schema whose definitions local references lead to
 */
export function compiledDepth(root: Readonly<Record<string, unknown>>): number {
  const known = new Map<unknown, number>();
  const depthOf = (schema: unknown): number => {
    if (!isObject(schema)) return 0;
    const found = known.get(schema);
    if (found !== undefined) return found;
    // A definition within itself is a function of its own.
    known.set(schema, 0);
    let deepest = 0;
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === '$defs') continue;
      const parts = subschemasAt(keyword, value);
      const isApart = keyword === 'properties' && parts.length > mostTogether;
      parts.forEach((part, index) => {
        deepest = Math.max(deepest, (isApart ? 0 : index + 1) + depthOf(part.schema));
      });
      if (keyword === 'dependentRequired' && isObject(value))
        deepest = Math.max(deepest, Object.keys(value).length);
    }
    known.set(schema, deepest);
    return deepest;
  };
  const definitions = isObject(root['$defs']) ? Object.values(root['$defs']) : [];
  return [root, ...definitions].reduce(
    (most: number, schema) => Math.max(most, depthOf(schema)),
    0,
  );
}
