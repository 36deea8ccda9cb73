import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { deepestComposition, resolve } from './api-operations.ts';

/** Keywords beside which a schema still takes every number, or every list of its items. */
const wide = new Set(['type', 'format', 'items', 'title', 'description', 'example', 'examples']);
const wideFormats = new Set([undefined, 'double', 'float']);

/**
 * Whether one of the schemas takes integers and another takes every number, or so do the items of two
 * lists: exactly one of them (JSON Schema 2020-12 core, 10.2.1.3) then never takes an integer, while
 * the vendor tells the two apart by more than JSON does.
 */
export function isNumberChoice(document: ApiDocument, schemas: readonly unknown[]): boolean {
  return schemas.some((one) =>
    schemas.some((other) => one !== other && includes(document, one, other, 0)),
  );
}

function includes(document: ApiDocument, one: unknown, other: unknown, depth: number): boolean {
  if (!isObject(one) || !isObject(other) || depth > deepestComposition) return false;
  const { node: wider } = resolve(document, { node: one, pointer: '' });
  const { node: narrower } = resolve(document, { node: other, pointer: '' });
  if (!Object.keys(wider).every((keyword) => wide.has(keyword))) return false;
  if (wider['type'] === 'array' && narrower['type'] === 'array') {
    return includes(document, wider['items'], narrower['items'], depth + 1);
  }
  const isAnyNumber =
    wider['type'] === 'number' && wideFormats.has(wider['format'] as string | undefined);
  return isAnyNumber && narrower['type'] === 'integer';
}
