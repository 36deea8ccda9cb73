import { isObject, type JsonSchema } from '#contract/json';
import { mostTogether, nestedKeywords } from '#contract/schema/members-together';
import { subschemasAt } from '#contract/schema/subschemas';
import { oncePerObject } from './once/once-per-object.ts';

/**
 * How deep the code is nested that a check of a schema becomes: what is checked after something else stands
 * within it, so that each of some alternatives adds a level, and the last one has those of all before it; where
 * there are many, each group of them is compiled by itself.
 *
 * @param root the schema whose definitions local references lead to
 */
export function compiledDepth({ $defs, ...root }: JsonSchema): number {
  const definitions = Object.values(isObject($defs) ? $defs : {});
  return definitions.reduce(
    (most: number, schema) => Math.max(most, isObject(schema) ? definitionDepth(schema) : 0),
    depthOf(root),
  );
}

/** The definitions of a tool are those of others, too; each is a function of its own. */
const definitionDepth = oncePerObject(depthOf);

function depthOf(schema: JsonSchema): number {
  let deepest = 0;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$defs') continue;
    const parts = subschemasAt(keyword, value);
    const isApart = keyword === 'properties' && parts.length > mostTogether;
    const together = nestedKeywords.has(keyword) ? mostTogether : Infinity;
    for (const [index, { schema: part }] of parts.entries()) {
      const before = isApart ? 0 : 1 + (parts.length > together ? index % together : index);
      deepest = Math.max(deepest, before + (isObject(part) ? depthOf(part) : 0));
    }
  }
  return deepest;
}
