import { hash } from 'node:crypto';
import { isObject } from '#contract/json';

export type Definitions = Readonly<Record<string, unknown>>;

/** Keywords that only describe: no call is refused because of them. */
export const words = ['description', 'title', 'default', 'examples', 'deprecated', '$comment'];

/** The name of the definition that a reference leads to. */
export function definitionName(reference: unknown): string {
  return String(reference).replace('#/$defs/', '');
}

/**
 * What a schema allows, as a short hash. Words, order and the names of definitions do not change
 * it; what the definitions hold does, each of them once, so that it ends where they are recursive.
 */
export function schemaHash(schema: unknown, definitions: Definitions): string {
  const numbers = new Map<string, number>();
  const number = (reference: unknown) => {
    const name = definitionName(reference);
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name);
  };
  const all = [reduced(schema, number)];
  // A map also visits what is added while it is walked.
  for (const name of numbers.keys()) all.push(reduced(definitions[name], number));
  return hash('sha256', JSON.stringify(all)).slice(0, 8);
}

type NumberOf = (reference: unknown) => number | undefined;

/** The same schema in one order, without words, its references numbered. */
function reduced(value: unknown, number: NumberOf): unknown {
  if (Array.isArray(value)) return value.map((member) => reduced(member, number));
  if (!isObject(value)) return value;
  const entries = Object.entries(value)
    .filter(([keyword]) => !words.includes(keyword))
    .map(([keyword, member]) => [keyword, reducedKeyword(keyword, member, number)] as const);
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
    case 'properties':
    case 'patternProperties':
    case 'dependentSchemas':
      // Their keys are names, which may read like keywords.
      if (!isObject(value)) return value;
      return sorted(Object.entries(value).map(([name, member]) => [name, reduced(member, number)]));
    default:
      return reduced(value, number);
  }
}

function sorted(entries: readonly (readonly [string, unknown])[]): (readonly [string, unknown])[] {
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
