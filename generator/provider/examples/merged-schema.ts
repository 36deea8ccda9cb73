import { isObject } from '#contract/json';
import { resolve } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';

const deepest = 8;

/** A schema behind its references, with the members of its `allOf` in it; `{}` where there is none. */
export function mergedSchema(
  document: ApiDocument,
  schema: unknown,
  depth = 0,
): Record<string, unknown> {
  if (!isObject(schema) || depth > deepest) return {};
  const { node } = resolve(document, { node: schema, pointer: '' });
  const { allOf: parts, ...own } = node;
  if (!Array.isArray(parts)) return node;
  const merged: Record<string, unknown> = {};
  for (const part of [...parts.map((one) => mergedSchema(document, one, depth + 1)), own]) {
    for (const [keyword, value] of Object.entries(part)) {
      merged[keyword] = mergeKeyword(keyword, merged[keyword], value);
    }
  }
  return merged;
}

function mergeKeyword(keyword: string, before: unknown, value: unknown): unknown {
  if (isObject(before) && isObject(value)) return { ...before, ...value };
  if (keyword === 'required' && Array.isArray(before) && Array.isArray(value)) {
    return [...before, ...value];
  }
  return value;
}
