import { isObject, type JsonSchema } from '#contract/json';
import { subschemas, withSubschemas } from '#contract/schema/subschemas';
import { oncePerObject } from './once/once-per-object.ts';
import { cutMark, loosened, namesIn } from './open-definitions.ts';

/** A longer list of values, as JSON, may be left out where a schema is too large without any text. */
export const mostListBytes = 4096;

/** The longest lists go first, step by step until it fits. */
export const listBounds: readonly number[] = [4 * mostListBytes, 2 * mostListBytes, mostListBytes];

/** A schema, and how many of its lists of values are left out. */
interface FewerValues {
  readonly schema: JsonSchema;
  readonly lists: number;
}

/** Single words: what others wrote can say nothing with them where a reader takes it for a text. */
const plainValue = /^[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,39}$/u;

/**
 * A schema without its longest lists of values. What stands in their place says how many there were,
 * names some and keeps what else limits the value: its type, its length, its pattern. Nothing that
 * the whole schema takes is refused by this one.
 *
 * @returns nothing where no list is so long
 */
export function withFewerValues(schema: JsonSchema, mostBytes: number): FewerValues | undefined {
  if (longestList(schema) <= mostBytes) return undefined;
  const cut = new WeakSet<object>();
  let lists = 0;
  const change = (inner: unknown): unknown => {
    if (!isObject(inner)) return inner;
    const isLong = hasLongList(inner, mostBytes);
    const entries = Object.entries(isLong ? withoutValues(inner) : inner);
    const next = entries.map(([keyword, value]) => [
      keyword,
      withSubschemas(keyword, value, change),
    ]);
    const changed: JsonSchema = Object.fromEntries(next);
    if (isLong) {
      cut.add(changed);
      lists++;
    }
    return changed;
  };
  const changed = change(schema);
  if (lists === 0 || !isObject(changed)) return undefined;
  return { schema: loosened(changed, looseIn(changed, cut)), lists };
}

function hasLongList({ enum: values }: JsonSchema, mostBytes: number): boolean {
  return listBytes(values) > mostBytes;
}

/** Bytes of the longest list of values in a schema. */
const longestList = oncePerObject((schema: JsonSchema): number =>
  subschemas(schema).reduce(
    (most, { schema: inner }) => (isObject(inner) ? Math.max(most, longestList(inner)) : most),
    listBytes(schema['enum']),
  ),
);

function listBytes(values: unknown): number {
  return Array.isArray(values) ? Buffer.byteLength(JSON.stringify(values)) : 0;
}

/** Tells schemas that hold what takes more than before, or lead to a definition that does. */
function looseIn(root: JsonSchema, cut: WeakSet<object>): (schema: JsonSchema) => boolean {
  const definitions = Object.entries(isObject(root['$defs']) ? root['$defs'] : {});
  const leads = definitions.map(([name, schema]) => ({ name, schema, names: namesIn(schema) }));
  const holds = (schema: unknown): boolean =>
    isObject(schema) &&
    (cut.has(schema) || subschemas(inPlace(schema)).some(({ schema: inner }) => holds(inner)));
  const loose = new Set(leads.filter(({ schema }) => holds(schema)).map(({ name }) => name));
  for (let known = -1; known < loose.size; ) {
    known = loose.size;
    for (const { name, names } of leads) if (!names.isDisjointFrom(loose)) loose.add(name);
  }
  return (schema) => holds(schema) || !namesIn(inPlace(schema)).isDisjointFrom(loose);
}

/** Definitions limit nothing where they stand. */
function inPlace(schema: JsonSchema): JsonSchema {
  return schema['$defs'] === undefined ? schema : { ...schema, $defs: {} };
}

function withoutValues({ enum: listed, description, ...rest }: JsonSchema): JsonSchema {
  const values: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const types = [...new Set(values.map(typeOf))];
  const count = `One of ${values.length.toLocaleString('en-US')} values`;
  const some = examplesOf(values);
  const told = some.length === 0 ? count : `${count}, such as ${some.join(', ')}`;
  const note = `${told}. ${cutMark}.`;
  return {
    type: types.length === 1 ? types[0] : types,
    ...lengthsOf(values),
    ...rest,
    description: typeof description === 'string' ? `${note} ${description}` : note,
  };
}

/** The first, the middle and the last of those that can be told. */
function examplesOf(values: readonly unknown[]): string[] {
  // Objects and lists are no examples, and some have no text at all.
  const scalars = values.filter((value) => typeof value !== 'object' || value === null);
  const plain = scalars.map(String).filter((value) => plainValue.test(value));
  const places = [0, Math.floor(plain.length / 2), plain.length - 1];
  return [...new Set(places.flatMap((place) => plain[place] ?? []))];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'number') return typeof value;
  return Number.isInteger(value) ? 'integer' : 'number';
}

/** How long the texts among the values are, in the characters that a schema counts. */
function lengthsOf(values: readonly unknown[]): JsonSchema {
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length === 0) return {};
  const lengths = texts.map((text) => [...text].length);
  return {
    minLength: lengths.reduce((a, b) => Math.min(a, b)),
    maxLength: lengths.reduce((a, b) => Math.max(a, b)),
  };
}
