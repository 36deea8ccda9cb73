import { hash } from 'node:crypto';
import { isObject, type JsonSchema } from '#contract/json';
import { keywords, keywordsWhere } from '#contract/schema/keywords';
import { withSubschemas } from '#contract/schema/subschemas';
import { oncePerClosure } from './once/once-per-closure.ts';

/** Keywords that only describe: no call is refused because of them. */
export const words = keywordsWhere(({ about }) => about === 'reader');

/** Keywords whose schemas count only where a reference leads to them. */
const definitions = keywordsWhere(({ about, schemas }) => about === 'place' && schemas === 'map');

/**
 * What a part of `root` allows, as a short hash. Words, order and the names of definitions do not
 * change it; what references lead to does, each of them once, so that it ends where they are
 * recursive.
 */
export function schemaHash(schema: unknown, root: JsonSchema): string {
  return isObject(schema) ? objectHash(schema, root) : hashOf(schema, () => undefined);
}

/** The same of one keyword alone. */
export function keywordHash(keyword: string, value: unknown, root: JsonSchema): string {
  if (typeof value !== 'object' || value === null) return schemaHash({ [keyword]: value }, root);
  let hashOfValue = keywordHashes.get(keyword);
  if (hashOfValue === undefined) {
    hashOfValue = oncePerClosure((given, targetOf) => hashOf({ [keyword]: given }, targetOf));
    keywordHashes.set(keyword, hashOfValue);
  }
  return hashOfValue(value, root);
}

const objectHash = oncePerClosure<JsonSchema, string>(hashOf);

const keywordHashes = new Map<string, (value: object, root: JsonSchema) => string>();

function hashOf(schema: unknown, targetOf: (reference: unknown) => unknown): string {
  const numbers = new Map<unknown, number>();
  const number = (reference: unknown) => {
    if (!numbers.has(reference)) numbers.set(reference, numbers.size);
    return numbers.get(reference);
  };
  const all = [reduced(schema, number)];
  // A map also visits what is added while it is walked.
  for (const reference of numbers.keys()) all.push(reduced(targetOf(reference), number));
  return hash('sha256', JSON.stringify(all)).slice(0, 8);
}

type NumberOf = (reference: unknown) => number | undefined;

/** The same schema in one order, without words, its references numbered. */
function reduced(schema: unknown, number: NumberOf): unknown {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema)
    .filter(([keyword]) => !words.has(keyword) && !definitions.has(keyword))
    .map(([keyword, value]) => [keyword, reducedKeyword(keyword, value, number)] as const);
  return sorted(entries);
}

function reducedKeyword(keyword: string, value: unknown, number: NumberOf): unknown {
  switch (keyword) {
    case '$ref':
      return number(value);
    case 'const':
      return value;
    case 'enum':
    case 'required':
    case 'type':
      return Array.isArray(value) ? value.map((member) => JSON.stringify(member)).sort() : value;
  }
  const holds = keywords.get(keyword)?.schemas;
  if (holds === undefined) return ordered(value);
  const inner = withSubschemas(keyword, value, (schema) => reduced(schema, number));
  return isObject(inner) ? sorted(Object.entries(inner)) : inner;
}

/** Data in one order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  return sorted(Object.entries(value).map(([name, member]) => [name, ordered(member)]));
}

function sorted(entries: readonly (readonly [string, unknown])[]): (readonly [string, unknown])[] {
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
