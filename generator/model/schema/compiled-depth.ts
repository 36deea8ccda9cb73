import { isObject } from '#contract/json';
import { mostTogether, nestedKeywords } from '#contract/schema/members-together';
import { subschemasAt } from '#contract/schema/subschemas';

/**
 * How deep the code is nested that a check of a schema becomes: what is checked after something else stands
 * within it, so that each of some alternatives adds a level, and the last one has those of all before it; where
 * there are many, each group of them is compiled by itself.
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
      const together = nestedKeywords.has(keyword) ? mostTogether : Infinity;
      parts.forEach((part, index) => {
        const before = parts.length > together ? index % together : index;
        deepest = Math.max(deepest, (isApart ? 0 : before + 1) + depthOf(part.schema));
      });
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
