import { isObject, type JsonSchema } from '#contract/json';
import { keywords } from '#contract/schema/keywords';
import { subschemas, withSubschemas } from '#contract/schema/subschemas';
import type { Position, References } from './references.ts';
import type { StrictNode } from './strict-node.ts';
import { decodeText } from './written-arguments.ts';

/** A longer schema than this is not shown in words. */
const longestShape = 1200;

/** A value that is written as JSON text, with its schema in words. */
export function textNode(schema: JsonSchema, what: string): StrictNode {
  const { description, type, ...form } = schema;
  const hasForm = Object.keys(form).length > 0;
  const named =
    typeof type === 'string' ? `${type === 'object' ? 'an object' : `one ${type}`}` : what;
  const shape = hasForm ? ` that fits ${clipped(JSON.stringify({ type, ...form }))}` : '';
  const own = typeof description === 'string' ? `${description} ` : '';
  return {
    schema: { type: 'string' },
    description: `${own}JSON text of ${named}${shape}`,
    kinds: new Set(['string']),
    decode: decodeText,
    isText: true,
  };
}

function clipped(text: string): string {
  return text.length > longestShape ? `${text.slice(0, longestShape)}...` : text;
}

/** A schema with what it refers to in its place, as far as it will be shown. */
export function wholeShape(schema: JsonSchema, at: Position, references: References): JsonSchema {
  const { description, ...shape } = schema;
  let left = longestShape;
  const whole = (part: unknown, position: Position): unknown => {
    if (!isObject(part)) return part;
    const target =
      part['$ref'] === undefined ? undefined : references.follow(part['$ref'], position);
    if (target) return left > 0 ? whole(target.schema, target.at) : {};
    const entries = Object.entries(part).filter(([keyword]) => isShown(keyword));
    const names = subschemas(part).flatMap(({ key }) => (typeof key === 'string' ? key : []));
    for (const { length } of [...entries.map(([keyword]) => keyword), ...names]) left -= length + 6;
    const change = (inner: unknown) => whole(inner, position);
    return Object.fromEntries(
      entries.map(([keyword, value]) => [keyword, withSubschemas(keyword, value, change)]),
    );
  };
  return { ...(whole(shape, at) as JsonSchema), ...(description !== undefined && { description }) };
}

/** Words below the first level are not, nor definitions, which stand in their places. */
function isShown(keyword: string): boolean {
  const known = keywords.get(keyword);
  return keyword !== 'description' && !(known?.about === 'place' && known.schemas !== undefined);
}
