import { isObject, type JsonSchema } from '#contract/json';
import { withSubschemas } from '#contract/schema/subschemas';

type Node = Readonly<Record<string, unknown>>;

/** Of which digits the text of a long whole number consists; its types say that it may be a text. */
const digits = /^\^(?:-\?)?\[1-9\]\\d\{15,\d*\}\$$/;

/** What a point in time may be, which its words say too. */
const moments = JSON.stringify([{ format: 'date-time' }, { format: 'date' }]);
const momentsInWords = /\bA date-time or a date\.$/;

/** How a program keeps a number, which says nothing of the numbers that a model writes. */
const storages: ReadonlySet<unknown> = new Set(['int32', 'float', 'double']);

/**
 * The same schema without rules that cost who reads it more than they tell. It takes no less; what
 * comes is held to the exact one.
 */
export function brieferRules(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !isLong(keyword, schema));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, briefer(keyword, value)] as const),
  );
}

function briefer(keyword: string, value: unknown): unknown {
  if (keyword === 'dependentRequired') return aroundOne(value);
  return withSubschemas(keyword, value, (part) => (isObject(part) ? brieferRules(part) : part));
}

function isLong(keyword: string, { [keyword]: value, type, description }: Node): boolean {
  switch (keyword) {
    case 'pattern':
      return digits.test(String(value)) && [type].flat().includes('integer');
    case 'format':
      return (
        storages.has(value) && ['integer', 'number'].some((each) => [type].flat().includes(each))
      );
    case 'anyOf':
      return momentsInWords.test(String(description)) && JSON.stringify(value) === moments;
    default:
      return false;
  }
}

/**
 * Where each of many names needs all of the same, it is enough that each needs the first of them, and
 * the first all others: the square of their number would be read otherwise.
 */
function aroundOne(needs: unknown): unknown {
  if (!isObject(needs)) return needs;
  const all = new Set(Object.values(needs).flatMap((names) => (Array.isArray(names) ? names : [])));
  const [first] = all;
  const isSame = Object.entries(needs).every(
    ([name, names]) =>
      Array.isArray(names) &&
      names.length === all.size - Number(all.has(name)) &&
      !names.includes(name),
  );
  if (!isSame || all.size < 3 || typeof first !== 'string' || needs[first] === undefined)
    return needs;
  return Object.fromEntries(
    Object.entries(needs).map(([name, names]) => [name, name === first ? names : [first]]),
  );
}
