import { isObject, type JsonSchema } from '#contract/json';

/** Of a hundred characters that a tool says of itself and its arguments, as many may tell of its result. */
const outputShare = 20;

/** So many may in any case: names of a few members. */
const fewCharacters = 100;

/** Levels of members whose names are told where their types would be too long. */
const namedLevels = [3, 2, 1];

/** What a schema consists of that only says which members a result may have, and of which types. */
const shapeKeywords = new Set(['type', 'properties', 'items']);

/**
 * The output schema of a tool for clients that read lists before they call: whole while it is short
 * beside the rest of the entry, else the names of members, as deep as there is room for, or that the
 * result is an object. It takes what the whole one takes. A schema that says more than a shape stays.
 *
 * @param told characters of what the entry says besides
 */
export function shownShape(output: JsonSchema, told: number): JsonSchema {
  const room = Math.max(fewCharacters, (told * outputShare) / 100);
  if (lengthOf(output) <= room || !isShape(output)) return output;
  for (const levels of namedLevels) {
    const named = { type: 'object', ...namesIn(output, levels) };
    if (lengthOf(named) <= room) return named;
  }
  return { type: 'object' };
}

/** Characters of a schema as JSON. */
export function lengthOf(schema: JsonSchema): number {
  return JSON.stringify(schema).length;
}

function isShape(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { properties, items } = schema;
  return (
    Object.keys(schema).every((keyword) => shapeKeywords.has(keyword)) &&
    (properties === undefined ||
      (isObject(properties) && Object.values(properties).every(isShape))) &&
    (items === undefined || isShape(items))
  );
}

/** The names of members and of what lies in them, of lists those of their items. */
function namesIn({ properties, items }: JsonSchema, levels: number): JsonSchema {
  const members = isObject(properties) ? Object.entries(properties) : [];
  const item = isObject(items) ? namesIn(items, levels) : {};
  return {
    ...(levels > 0 &&
      members.length > 0 && {
        properties: Object.fromEntries(
          members.map(([name, member]) => [
            name,
            isObject(member) ? namesIn(member, levels - 1) : {},
          ]),
        ),
      }),
    ...(Object.keys(item).length > 0 && { items: item }),
  };
}
