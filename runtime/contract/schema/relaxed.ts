import { isObject, type JsonSchema } from '../json.ts';

/** `long` is a whole number that may be beyond 2^53, and comes as the text of its digits then. */
type Kind = 'string' | 'integer' | 'long' | 'number' | 'boolean' | 'object' | 'array';

/** The digits of a whole number beyond 2^53 (runtime/outbound/content/json/exact-json.ts). */
export const longDigits = '^-?[1-9]\\d{15,}$';

/**
 * A value in an answer of a vendor: of one of some kinds, an object with members, a list whose
 * items are alike, or anything.
 */
export type Relaxed =
  | 'any'
  | 'null'
  | Kind
  | `${Kind} | ${Kind}`
  | `${Kind} | ${Kind} | ${Kind}`
  | { readonly [name: string]: Relaxed }
  | readonly [Relaxed]
  | InFull;

/** A schema that is written out. */
interface InFull {
  readonly [inFull]: JsonSchema;
}

const inFull = Symbol('in full');

/**
 * The output schema of a tool whose result is an object with these members. All of them are
 * optional, nullable and open: vendors leave out what they promise, and clients hold even errors
 * to this schema.
 */
export function relaxed(members: { readonly [name: string]: Relaxed }): JsonSchema {
  return { type: 'object', ...withMembers(members) };
}

/** The same for a list that comes page by page, of such items. */
export function relaxedPage(item: Relaxed): JsonSchema {
  return relaxed({ items: [item], next_cursor: 'string', truncated: 'boolean' });
}

/** A schema within a relaxed one, for what has no shorter form. */
export function asWritten(schema: JsonSchema): InFull {
  return { [inFull]: schema };
}

function schemaOf(value: Relaxed): JsonSchema {
  if (value === 'any') return {};
  if (value === 'null') return { type: ['null'] };
  if (typeof value === 'string') return typed(value.split(' | '));
  if (isList(value)) return { type: ['array', 'null'], items: schemaOf(value[0]) };
  if (isInFull(value)) return value[inFull];
  return { type: ['object', 'null'], ...withMembers(value) };
}

function typed(kinds: readonly string[]): JsonSchema {
  const types = kinds.flatMap((kind) => (kind === 'long' ? ['integer', 'string'] : [kind]));
  const type = [...types, 'null'];
  return kinds.includes('long') ? { type, pattern: longDigits } : { type };
}

function withMembers(members: { readonly [name: string]: Relaxed }): JsonSchema {
  const entries = Object.entries(members).map(([name, member]) => [name, schemaOf(member)]);
  return entries.length === 0 ? {} : { properties: Object.fromEntries(entries) };
}

function isList(value: Relaxed): value is readonly [Relaxed] {
  return Array.isArray(value);
}

function isInFull(value: Relaxed): value is InFull {
  return isObject(value) && Object.hasOwn(value, inFull);
}
