import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#contract/json';
import { resolve } from '../../model/schema/api-operations.ts';
import { among } from '../../model/schema/listed-values.ts';
import { joinHalves } from '../../model/vendor/answer/join-halves.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';

const deepest = 8;
/** Alternatives of alternatives multiply; the first ones of so many are enough for an example. */
const mostChoices = 16;

/** The schemas of each document that were put together: the same ones are asked for again and again. */
const merged = new WeakMap<ApiDocument, WeakMap<object, Record<string, unknown>>>();

/** A schema behind its references, with the members of its `allOf` in it; `{}` where there is none. */
export function mergedSchema(
  document: ApiDocument,
  schema: unknown,
  depth = 0,
): Record<string, unknown> {
  if (schema === false) return { not: {} };
  if (!isObject(schema) || depth > deepest) return {};
  const { node } = resolve(document, { node: schema, pointer: '' });
  if (!Array.isArray(node['allOf'])) return node;
  if (depth > 0) return mergedParts(document, node, depth);
  const known = merged.get(document) ?? new WeakMap<object, Record<string, unknown>>();
  merged.set(document, known);
  const found = known.get(node) ?? mergedParts(document, node, depth);
  known.set(node, found);
  return found;
}

function mergedParts(
  document: ApiDocument,
  { allOf: parts, ...own }: Readonly<Record<string, unknown>>,
  depth: number,
): Record<string, unknown> {
  const read = listOf(parts).map((one) => mergedSchema(document, one, depth + 1));
  return joinHalves([{}, ...read, own], mergeSchemas);
}

function mergeSchemas(
  before: Record<string, unknown>,
  part: Record<string, unknown>,
): Record<string, unknown> {
  const joined = { ...before };
  for (const [keyword, value] of Object.entries(part)) {
    joined[keyword] = mergeKeyword(keyword, joined[keyword], value);
  }
  return joined;
}

/** Whether a merged schema takes no value: what it says of itself rules all of them out. */
export function takesNothing({ not, type, enum: values }: Readonly<Record<string, unknown>>) {
  const isTurned = not === true || (isObject(not) && Object.keys(not).length === 0);
  return isTurned || [type, values].some((list) => Array.isArray(list) && list.length === 0);
}

/** What two schemas say with one keyword, where a value has to satisfy both. */
function mergeKeyword(keyword: string, before: unknown, value: unknown): unknown {
  if (before === undefined || isDeepStrictEqual(before, value)) return value;
  const join = joins[keyword];
  if (join) return join(before, value);
  if (isObject(before) && isObject(value)) return { ...before, ...value };
  return value;
}

type Join = (before: unknown, value: unknown) => unknown;

const joins: Readonly<Record<string, Join>> = {
  required: (before, value) => [...new Set([...listOf(before), ...listOf(value)])],
  properties: joinProperties,
  items: joinSchemas,
  type: joinTypes,
  enum: (before, value) => listOf(before).filter(among(listOf(value))),
  minimum: greater,
  exclusiveMinimum: greater,
  minLength: greater,
  minItems: greater,
  minProperties: greater,
  maximum: less,
  exclusiveMaximum: less,
  maxLength: less,
  maxItems: less,
  maxProperties: less,
  anyOf: joinChoices,
  oneOf: joinChoices,
  not: (before, value) => ({ anyOf: [before, value] }),
};

function joinProperties(before: unknown, value: unknown): unknown {
  if (!isObject(before) || !isObject(value)) return value;
  const joined = new Map(Object.entries(before));
  for (const [name, schema] of Object.entries(value)) {
    joined.set(name, joined.has(name) ? joinSchemas(joined.get(name), schema) : schema);
  }
  return Object.fromEntries(joined);
}

/** One schema for what satisfies both; `allOf` is put together once somebody looks at it. */
function joinSchemas(before: unknown, value: unknown): unknown {
  if (before === false || value === false) return false;
  if (isFree(before) || isDeepStrictEqual(before, value)) return value;
  return isFree(value) ? before : { allOf: [before, value] };
}

function isFree(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

function joinTypes(before: unknown, value: unknown): unknown {
  const [left, right] = [[before].flat(), [value].flat()];
  const both = left.filter((type) => right.includes(type));
  // Integers are numbers too (JSON Schema 2020-12 validation, 6.1.1).
  const isWhole = [left, right].some((types) => types.includes('integer'));
  const isNumeric = [left, right].every((types) =>
    types.some((type) => type === 'integer' || type === 'number'),
  );
  if (isWhole && isNumeric && !both.includes('integer')) both.push('integer');
  return both.length === 1 ? both[0] : both;
}

function greater(before: unknown, value: unknown): unknown {
  return typeof before === 'number' && typeof value === 'number' ? Math.max(before, value) : value;
}

function less(before: unknown, value: unknown): unknown {
  return typeof before === 'number' && typeof value === 'number' ? Math.min(before, value) : value;
}

/** One of these and one of those. */
function joinChoices(before: unknown, value: unknown): unknown {
  const pairs = listOf(before).flatMap((one) =>
    listOf(value).map((other) => ({ allOf: [one, other] })),
  );
  return pairs.slice(0, mostChoices);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
