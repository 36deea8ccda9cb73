import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#contract/json';
import { keywordsWhere } from '#contract/schema/keywords';
import type { Follow } from '../document/targets.ts';
import { valueText } from '../document/value-text.ts';
import type { Node } from '../document/walk.ts';

const words = keywordsWhere(({ about }) => about === 'reader');

/** Formats of numbers that leave no number out. */
const wideFormats = new Set(['double', 'float']);

/** Deeper than alternatives of one choice resemble each other. */
const deepest = 8;

/**
 * Whether a schema takes every value that another one describes, its own members alone: nobody gives
 * members of a schema that it does not name. Where that cannot be told, it does not.
 */
export function includes(wider: unknown, narrower: unknown, follow: Follow, depth = 0): boolean {
  const [outer, inner] = [followed(wider, follow), followed(narrower, follow)];
  if (outer === true || outer === inner) return true;
  if (!isObject(outer) || !isObject(inner) || depth > deepest) return false;
  const within = (a: unknown, b: unknown) => includes(a, b, follow, depth + 1);
  return Object.entries(outer).every(([keyword, limit]) => {
    if (words.has(keyword) || keyword.startsWith('x-')) return true;
    switch (keyword) {
      case 'type':
        return typesOf(inner).every((type) => takesType(typesOf(outer), type));
      case 'const':
      case 'enum':
        return isSubset(valuesOf(inner), valuesOf(outer));
      case 'format':
        return inner['format'] === limit || wideFormats.has(valueText(limit));
      case 'required':
        return Array.isArray(limit) && isSubset(limit, inner['required'] ?? []);
      case 'properties':
        return namesOf(outer).every((name) => {
          const own = memberOf(inner, name);
          return own === undefined || within(memberOf(outer, name), own);
        });
      case 'additionalProperties':
        return namesOf(inner).every(
          (name) => namesOf(outer).includes(name) || within(limit, memberOf(inner, name)),
        );
      case 'items':
        return inner['items'] !== undefined && within(limit, inner['items']);
      default:
        return isDeepStrictEqual(limit, inner[keyword]);
    }
  });
}

function followed(schema: unknown, follow: Follow): unknown {
  const target = follow(schema);
  return isObject(target) && Object.keys(target).length === 0 ? true : target;
}

/** Types that a schema names, or those of the values that it lists; an unknown one if there are none. */
function typesOf(schema: Node): readonly unknown[] {
  if (schema['type'] !== undefined) return [schema['type']].flat();
  const values = valuesOf(schema);
  if (values === undefined) return ['any'];
  return values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value));
}

function takesType(types: readonly unknown[], type: unknown): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function valuesOf(schema: Node): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}

function isSubset(some: unknown, all: unknown): boolean {
  if (!Array.isArray(some) || !Array.isArray(all)) return false;
  const known = new Set(all);
  return some.every((each) => known.has(each));
}

function namesOf({ properties }: Node): readonly string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

function memberOf({ properties }: Node, name: string): unknown {
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
