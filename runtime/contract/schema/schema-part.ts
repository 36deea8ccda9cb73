import { isObject, type JsonSchema } from '../json.ts';
import { didYouMean } from '../nearest-name.ts';
import { shortList } from '../text/short-list.ts';
import { keywords } from './keywords.ts';
import { encodedStep, fragmentSteps } from './pointer-steps.ts';
import { below, type PlacedSchema, schemasAtPlace } from './schema-place.ts';
import { subschemas, withSubschemas } from './subschemas.ts';

/** What one part may have, its definitions among it. */
export const mostPartCharacters = 32_000;

/** Each step of a path looks at all that may stand there. */
const longestPath = 1000;

/** A schema that is larger is cut so many levels below itself, or at fewer. */
const mostLevels = 6;

const definitions = '#/$defs/';

/** Not even every mark may have room. */
const missing: JsonSchema = { $comment: 'What $defs lacks is read with its $ref as the path' };

/**
 * A part of a schema, for somebody who has seen it cut, with the definitions that it refers to, the
 * nearest first. What has no room says by which path it is read.
 *
 * @param given a place inside of the value, such as `/filter/0` (RFC 6901), or `#` and a pointer into
 *   the schema itself, such as `#/$defs/Filter` (RFC 6901, 6); the address of a resource has a slash before it
 * @returns a sentence that says what was expected where there is no such part
 */
export function schemaPart(whole: JsonSchema, given: string): JsonSchema | string {
  const path = /^[^#/]/.test(given) ? `/${given}` : given;
  if (!/^#?(?:\/|$)/.test(path)) {
    return `path must be empty, a place in the arguments such as /filter/0, or begin with #/ for one in their schema, but ${JSON.stringify(path)} was given`;
  }
  if (path.length > longestPath) {
    return `path must have at most ${longestPath} characters, but ${path.length} were given`;
  }
  const { $defs, ...root } = whole;
  const found = path.startsWith('#') ? atFragment(whole, path) : schemasAtPlace(whole, path);
  if (typeof found === 'string') return found;
  const own = found.map(({ schema, pointer }) =>
    cut(schema === whole ? root : schema, pointer, mostPartCharacters / found.length),
  );
  const [only = {}] = own;
  return withDefinitions(own.length > 1 ? { anyOf: own } : only, isObject($defs) ? $defs : {});
}

/** A list or a map of a schema is shown under its keyword, values of a list from a position on. */
function atFragment(whole: JsonSchema, path: string): readonly PlacedSchema[] | string {
  let current: unknown = whole;
  let pointer = '#';
  let keyword = '';
  for (const step of fragmentSteps(path.slice(1))) {
    if (Array.isArray(current) && keyword === 'enum' && /^\d{1,9}$/.test(step)) {
      const rest = current.slice(Number(step));
      return [{ schema: { enum: rest }, pointer: `${pointer}/${step}` }];
    }
    const around = typeof current === 'object' && current !== null ? current : {};
    if (!Object.hasOwn(around, step)) {
      const names = Object.keys(around);
      const known = names.length > 0 ? `; there is ${shortList(names)}` : '';
      return `${pointer} has no ${JSON.stringify(step)}${didYouMean(step, names) || known}`;
    }
    current = (around as Readonly<Record<string, unknown>>)[step];
    pointer += `/${encodeURIComponent(encodedStep(step))}`;
    // The names in a map of schemas are no keywords.
    keyword = keywords.get(keyword)?.schemas === 'map' ? '' : step;
  }
  const isSchema = isObject(current) && keywords.get(keyword)?.schemas !== 'map';
  if (isSchema) return [{ schema: current as JsonSchema, pointer }];
  if (keyword === '') return [{ schema: current === false ? { not: {} } : {}, pointer }];
  return [{ schema: { [keyword]: current }, pointer: pointer.slice(0, pointer.lastIndexOf('/')) }];
}

function withDefinitions(part: JsonSchema, all: Readonly<Record<string, unknown>>): JsonSchema {
  const shown = new Map<string, unknown>();
  let room = mostPartCharacters - lengthOf(part) - lengthOf(missing);
  const lacking = new Set<string>();
  const markLength = (name: string) => entryLength(name, ask(below('#', '$defs', name)));
  const reach = (names: readonly string[]) => {
    for (const name of names) {
      if (shown.has(name) || !Object.hasOwn(all, name)) continue;
      const length = markLength(name);
      if (length > room) lacking.add(name);
      else shown.set(name, ask(below('#', '$defs', name)));
      room -= length > room ? 0 : length;
    }
  };
  reach(definitionsIn(part));
  // A map also visits what is added while it is walked.
  for (const [name] of shown) {
    const next = definitionsIn(all[name]);
    const fresh = next.filter((each) => !shown.has(each) && Object.hasOwn(all, each));
    const marks = fresh.reduce((sum, each) => sum + markLength(each), 0);
    const more = entryLength(name, all[name]) - markLength(name);
    if (more + marks > room) continue;
    room -= more;
    shown.set(name, all[name]);
    reach(fresh);
  }
  const $defs = Object.fromEntries(shown);
  return { ...part, ...(lacking.size > 0 && missing), ...(shown.size > 0 && { $defs }) };
}

/** As many levels of a schema as there is room for. */
function cut(schema: JsonSchema, pointer: string, most: number): JsonSchema {
  if (lengthOf(schema) <= most) return schema;
  const shorter = withShortLists(schema, pointer, most / 4);
  for (let levels = mostLevels; levels > 0; levels--) {
    const outline = upTo(levels, shorter, pointer);
    if (lengthOf(outline) <= most) return outline;
  }
  return { description: `Too long to be shown: ask for what stands in ${pointer}` };
}

function upTo(levels: number, schema: JsonSchema, pointer: string): JsonSchema {
  return changed(schema, pointer, (inner, at) => {
    if (levels > 1) return upTo(levels - 1, inner, at);
    const mark = ask(at);
    return lengthOf(inner) > lengthOf(mark) ? mark : inner;
  });
}

/** The values of a list that have room, and where the others are read. */
function withShortLists(schema: JsonSchema, pointer: string, most: number): JsonSchema {
  const { enum: values, ...rest } = changed(schema, pointer, (inner, at) =>
    withShortLists(inner, at, most),
  );
  if (!Array.isArray(values)) return values === undefined ? rest : { ...rest, enum: values };
  const end = countWithin(values, most);
  if (end === values.length) return { ...rest, enum: values };
  const list = pointer.endsWith('/enum') ? pointer : `${pointer}/enum`;
  const from = Number(/\/enum\/(\d+)$/.exec(pointer)?.[1] ?? 0);
  const next = `${list.replace(/\/enum\/\d+\/enum$/, '/enum')}/${from + end}`;
  const note = `${values.length - end} more values: path ${JSON.stringify(next)} reads on`;
  return { ...rest, enum: values.slice(0, end), description: note };
}

function countWithin(values: readonly unknown[], most: number): number {
  let length = 0;
  for (const [index, value] of values.entries()) {
    length += lengthOf(value) + 1;
    if (length > most) return index;
  }
  return values.length;
}

function changed(
  schema: JsonSchema,
  pointer: string,
  change: (inner: JsonSchema, pointer: string) => unknown,
): JsonSchema {
  const places = new Map(
    subschemas(schema).map(({ keyword, key, schema: inner }) => [
      inner,
      below(pointer, keyword, key),
    ]),
  );
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const inner = (each: unknown) =>
      isObject(each) ? change(each, places.get(each) ?? pointer) : each;
    return [keyword, withSubschemas(keyword, value, inner)];
  });
  return Object.fromEntries(entries);
}

function ask(pointer: string): JsonSchema {
  return { description: `Cut: path ${JSON.stringify(pointer)} reads it` };
}

function definitionsIn(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { $ref } = schema;
  const isOne = typeof $ref === 'string' && $ref.startsWith(definitions);
  const [name = ''] = isOne ? fragmentSteps($ref.slice(definitions.length - 1)) : [];
  const own = isOne ? [name] : [];
  const inner = subschemas(schema).flatMap((each) => definitionsIn(each.schema));
  return [...new Set([...own, ...inner])];
}

function entryLength(name: string, schema: unknown): number {
  return lengthOf(name) + lengthOf(schema) + 2;
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}
