import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonSchema } from '#contract/json';
import { longDigits } from '#contract/schema/relaxed';
import { Call } from '../print/literal.ts';

const kinds = new Set(['string', 'integer', 'number', 'boolean', 'object', 'array']);

/**
 * Print the output schema of a vendor tool as a call of #contract/schema/relaxed that expands to
 * it: what holds for every field is not said of each. Gives the schema itself where it has no such
 * form; `used` gets the names of the functions that are called.
 */
export function relaxedOutput(schema: JsonSchema, used: Set<string>): Call | JsonSchema {
  const { type, properties, ...rest } = schema;
  if (type !== 'object' || Object.keys(rest).length > 0) return schema;
  if (properties !== undefined && !hasMembers(properties)) return schema;
  const members = membersOf(properties, used);
  const item = itemOf(members);
  const [callee, given] = item === undefined ? ['relaxed', members] : ['relaxedPage', item];
  used.add(callee);
  return new Call(callee, [given]);
}

/** What a page holds, where these are the members of a page. */
function itemOf(members: Record<string, unknown>): unknown {
  const [items, cursor, truncated, ...rest] = Object.entries(members);
  const isPage =
    items?.[0] === 'items' &&
    isDeepStrictEqual(cursor, ['next_cursor', 'string']) &&
    isDeepStrictEqual(truncated, ['truncated', 'boolean']);
  return isPage && rest.length === 0 && Array.isArray(items[1]) ? items[1][0] : undefined;
}

/** A value in the short form, or written out where it has none. */
function shortForm(schema: unknown, used: Set<string>): unknown {
  const { type, properties, items, pattern, ...rest } = isObject(schema) ? schema : {};
  const own = pattern === undefined ? typesOf(type) : longTypesOf(type, pattern);
  const hasShortForm = isObject(schema) && Object.keys(rest).length === 0;
  if (hasShortForm && properties === undefined && items === undefined) {
    if (type === undefined && pattern === undefined) return 'any';
    if (own !== undefined) return own.length === 0 ? 'null' : own.join(' | ');
  }
  const only = own?.length === 1 ? own[0] : undefined;
  if (hasShortForm && only === 'object' && items === undefined && hasMembers(properties)) {
    return membersOf(properties, used);
  }
  if (hasShortForm && only === 'array' && properties === undefined) return [shortForm(items, used)];
  return inFull(schema, used);
}

function inFull(schema: unknown, used: Set<string>): Call {
  used.add('asWritten');
  return new Call('asWritten', [schema]);
}

/** The types but for null, which comes last; nothing where that is not so, or there are too many. */
function typesOf(type: unknown): readonly string[] | undefined {
  if (!Array.isArray(type) || type.at(-1) !== 'null' || type.length > 4) return undefined;
  const own = type.slice(0, -1);
  return own.every((each) => kinds.has(each)) ? own : undefined;
}

/** The same where the digits of a long number are the only text. */
function longTypesOf(type: unknown, pattern: unknown): readonly string[] | undefined {
  const own = pattern === longDigits ? typesOf(type) : undefined;
  const at = own?.indexOf('integer') ?? -1;
  if (own === undefined || at < 0 || own[at + 1] !== 'string') return undefined;
  return own.toSpliced(at, 2, 'long');
}

function hasMembers(properties: unknown): boolean {
  return isObject(properties) && Object.keys(properties).length > 0;
}

function membersOf(properties: unknown, used: Set<string>): Record<string, unknown> {
  const entries = Object.entries(isObject(properties) ? properties : {});
  // TypeScript takes a member that every object has, such as `constructor`, for that one's type.
  const form = (name: string) => (name in Object.prototype ? inFull : shortForm);
  return Object.fromEntries(entries.map(([name, schema]) => [name, form(name)(schema, used)]));
}
