import { isObject, type JsonSchema } from '#contract/json';
import { withSubschemas } from '#contract/schema/subschemas';
import { shorten } from '../texts/clean-text.ts';
import { oncePerText } from '../texts/once-per-text.ts';
import { oncePerObject } from './once/once-per-object.ts';

/** Characters that the texts of arguments may have, and those of what stands in them. */
export interface TextLengths {
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
];

/** What stands in $defs is never an argument itself. */
export const definitionDepth = 2;

const none: TextLengths = { outer: 0, inner: 0 };

/** A schema of a tool's arguments, and what it takes as JSON. */
export interface MeasuredSchema {
  readonly schema: JsonSchema;
  readonly bytes: number;
  /** Bytes that it has with all of its texts, where they had to be cut. */
  readonly wholeBytes?: number;
}

/**
 * The schema of a tool's arguments with descriptions that are only as long as it can have them; what
 * limits values stays whole. Without any where even that is too much.
 */
export function withShorterTexts(schema: JsonSchema, mostBytes: number): MeasuredSchema {
  const wholeBytes = bytesOf(schema);
  if (wholeBytes <= mostBytes) return { schema, bytes: wholeBytes };
  const cut = (lengths: TextLengths) => {
    const shorter = withTexts(schema, lengths);
    return { schema: shorter, bytes: bytesOf(shorter), wholeBytes };
  };
  const bare = cut(none);
  if (bare.bytes > mostBytes) return bare;
  for (const lengths of steps) {
    const shorter = cut(lengths);
    if (shorter.bytes <= mostBytes) return shorter;
  }
  return bare;
}

/**
 * A schema whose texts, those of arguments and those inside of them, have so many characters at most.
 *
 * @param depth 0 for the schema of all arguments, `definitionDepth` for one of its definitions
 */
export function withTexts(schema: JsonSchema, most: TextLengths, depth = 0): JsonSchema {
  const length = depth <= 1 ? most.outer : most.inner;
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === 'description' && typeof value === 'string') {
      return length === 0 ? [] : [[keyword, shorten(value, length)]];
    }
    const next = keyword === '$defs' ? definitionDepth : depth + 1;
    const change = (inner: unknown) => {
      if (!isObject(inner)) return inner;
      return keyword === '$defs' ? shorterDefinition(inner, most) : withTexts(inner, most, next);
    };
    return [[keyword, withSubschemas(keyword, value, change)]];
  });
  return Object.fromEntries(entries);
}

/** A definition with texts that are so long at most: many tools refer to the same one. */
export function shorterDefinition(definition: JsonSchema, most: TextLengths): JsonSchema {
  return definitionsWith(most)(definition);
}

const definitionsWith = oncePerObject((most: TextLengths) =>
  oncePerObject((definition: JsonSchema) => withTexts(definition, most, definitionDepth)),
);

/** Whether a schema may have room without any text; most of what is too large is so by its first definitions. */
export function mayFitBare({ $defs, ...root }: JsonSchema, mostBytes: number): boolean {
  let bytes = textBytes(withTexts(root, none));
  return Object.values(isObject($defs) ? $defs : {}).every((definition) => {
    bytes += isObject(definition) ? bareBytes(definition) : 0;
    return bytes <= mostBytes;
  });
}

const bareBytes = oncePerObject((definition: JsonSchema) =>
  textBytes(shorterDefinition(definition, none)),
);

/** What a schema takes as JSON, in bytes. */
export function bytesOf(schema: JsonSchema): number {
  const { $defs } = schema;
  if (!isObject($defs)) return textBytes(schema);
  const own = textBytes({ ...schema, $defs: {} });
  let inner = 0;
  for (const name in $defs) {
    // Each has a comma before it, but for the first one.
    if ($defs[name] !== undefined) inner += definitionBytes(name, $defs[name]) + 1;
  }
  return own + Math.max(0, inner - 1);
}

/** What a definition takes under its name: those of a tool are those of others, too. */
export function definitionBytes(name: string, definition: unknown): number {
  const value = isObject(definition) ? objectBytes(definition) : textBytes(definition);
  return nameBytes(name) + 1 + value;
}

const objectBytes = oncePerObject(textBytes);

const nameBytes = oncePerText(textBytes);

function textBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
