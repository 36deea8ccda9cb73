import { isObject } from '#contract/json';
import { compilePattern } from '#contract/schema/pattern';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { listOf, resolve } from './api-operations.ts';

/** Keywords whose schemas hold for the same object: one, or a list of them. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'];

/**
 * Whether a part of an object schema may speak of a property of this name, so that
 * `unevaluatedProperties` leaves it alone (JSON Schema 2020-12 core, 11.3). Of parts that hold for
 * some values only, it is said that they do.
 */
export function mayEvaluate(
  document: ApiDocument,
  schema: unknown,
  name: string,
  seen = new Set<unknown>(),
): boolean {
  if (!isObject(schema)) return false;
  const { node } = resolve(document, { node: schema, pointer: '' });
  // Parts that name their whole lead back to it, and have nothing to add.
  if (seen.has(node)) return false;
  const isPart = seen.size > 0;
  seen.add(node);
  // What holds for all other names speaks of this one; a schema is not asked about its own rest.
  if (node['additionalProperties'] !== undefined) return true;
  if (isPart && node['unevaluatedProperties'] !== undefined) return true;
  const { properties, patternProperties, dependentSchemas } = node;
  if (isObject(properties) && Object.hasOwn(properties, name)) return true;
  if (isObject(patternProperties) && Object.keys(patternProperties).some(matches(name)))
    return true;
  const dependent = isObject(dependentSchemas) ? Object.values(dependentSchemas) : [];
  const parts = inPlace.flatMap((keyword) => {
    const value = node[keyword];
    return isObject(value) ? [value] : listOf(value);
  });
  return [...parts, ...dependent].some((part) => mayEvaluate(document, part, name, seen));
}

function matches(name: string): (pattern: string) => boolean {
  return (pattern) => {
    try {
      return compilePattern(pattern).test(name);
    } catch {
      return true;
    }
  };
}
