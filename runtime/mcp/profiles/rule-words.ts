import { isObject, type JsonSchema } from '#contract/json';
import { listOf } from './flat-object.ts';
import type { Target } from './references.ts';

const longestValue = 200;

/** How each rule reads that a form of a schema cannot hold as a keyword. */
const phrases: Readonly<Record<string, (value: unknown) => string>> = {
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  pattern: (value) => `matches ${value}`,
  format: (value) => `format ${value}`,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  uniqueItems: (value) => (value === true ? 'no item twice' : ''),
  minProperties: (value) => `at least ${value} members`,
  maxProperties: (value) => `at most ${value} members`,
  contentEncoding: (value) => `encoded in ${value}`,
  default: (value) => `default ${shown(value)}`,
};

/** Say the rules of a schema in words, for clients that take no keywords for them. */
export function rulesOf(schema: JsonSchema): string {
  const rules = Object.entries(phrases).flatMap(([keyword, phrase]) =>
    schema[keyword] === undefined ? [] : phrase(schema[keyword]) || [],
  );
  return rules.length === 0 ? '' : `(${rules.join(', ')})`;
}

/** A schema with a description put together of what there is to say. */
export function described(schema: JsonSchema, texts: readonly unknown[]): JsonSchema {
  const description = texts.filter((text) => typeof text === 'string' && text !== '').join(' ');
  return description === '' ? schema : { ...schema, description };
}

/** Say what alternatives there are at the root of a schema, where it cannot hold them. */
export function alternativesNote(
  schema: JsonSchema,
  follow: (reference: unknown) => Target | undefined,
): string {
  const notes = ['oneOf', 'anyOf'].flatMap((keyword) => {
    // Those that need the same members differ in what these may be, which their schemas say.
    const members = [...new Set(listOf(schema[keyword]).map((member) => nameOf(member, follow)))];
    if (members.length < 2 || members.includes('')) return [];
    return `Give ${keyword === 'oneOf' ? 'exactly one' : 'at least one'} of these: ${members.join('; ')}.`;
  });
  return notes.join(' ');
}

function nameOf(member: unknown, follow: (reference: unknown) => Target | undefined): string {
  const target = isObject(member) && follow(member['$ref'])?.schema;
  const { title, required, properties } = {
    ...(isObject(target) && target),
    ...(isObject(member) && member),
  };
  const names =
    listOf(required).length > 0
      ? listOf(required)
      : Object.keys(isObject(properties) ? properties : {});
  if (names.length > 0) return names.join(' and ');
  return typeof title === 'string' ? title : '';
}

/** JSON text, shortened where it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > longestValue ? `${text.slice(0, longestValue)}...` : text;
}
