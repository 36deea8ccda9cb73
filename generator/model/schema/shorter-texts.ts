import { isObject, type JsonSchema } from '#contract/json';
import { withSubschemas } from '#contract/schema/subschemas';
import { shorten } from '../texts/clean-text.ts';

/** Characters that the texts of arguments may have, and those of what stands in them. */
interface TextLengths {
  readonly outer: number;
  readonly inner: number;
}

/** They are cut step by step. */
const steps: readonly TextLengths[] = [
  { outer: 1000, inner: 300 },
  { outer: 700, inner: 220 },
  { outer: 500, inner: 160 },
  { outer: 350, inner: 110 },
  { outer: 250, inner: 80 },
  { outer: 180, inner: 50 },
  { outer: 120, inner: 0 },
  { outer: 0, inner: 0 },
];

/**
 * The schema of a tool's arguments with descriptions that are only as long as it can have them; what
 * limits values stays whole. Without any where even that is too much.
 */
export function withShorterTexts(schema: JsonSchema, mostBytes: number): JsonSchema {
  let shorter = schema;
  for (const { outer, inner } of steps) {
    if (bytesOf(shorter) <= mostBytes) return shorter;
    shorter = withTexts(schema, { outer, inner });
  }
  return shorter;
}

/** A schema whose texts, those of arguments and those inside of them, have so many characters at most. */
export function withTexts(schema: JsonSchema, most: TextLengths): JsonSchema {
  return shortened(schema, 0, most);
}

/** What a schema takes as JSON, in bytes. */
export function bytesOf(schema: JsonSchema): number {
  return Buffer.byteLength(JSON.stringify(schema));
}

function shortened(schema: JsonSchema, depth: number, most: TextLengths): JsonSchema {
  const length = depth <= 1 ? most.outer : most.inner;
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === 'description' && typeof value === 'string') {
      return length === 0 ? [] : [[keyword, shorten(value, length)]];
    }
    // What stands in $defs is never an argument itself.
    const next = keyword === '$defs' ? 2 : depth + 1;
    const change = (inner: unknown) => (isObject(inner) ? shortened(inner, next, most) : inner);
    return [[keyword, withSubschemas(keyword, value, change)]];
  });
  return Object.fromEntries(entries);
}
