import { isObject, type JsonSchema } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { resolve } from './api-operations.ts';

type Node = Record<string, unknown>;

/** Formats whose numbers go beyond what readers of JSON keep exactly (RFC 8259, section 6). */
const longFormats = new Set(['int64', 'uint64']);

/** The schema of a whole number that may be too long for a reader of JSON; nothing for any other. */
export function longInteger(document: ApiDocument, schema: unknown): Node | undefined {
  if (!isObject(schema)) return undefined;
  const { node } = resolve(document, { node: schema, pointer: '' });
  return isLong(node) ? node : undefined;
}

/** The schema of the items of a list, where they are such numbers. */
export function longItems(document: ApiDocument, schema: unknown): Node | undefined {
  if (!isObject(schema)) return undefined;
  const { node } = resolve(document, { node: schema, pointer: '' });
  const isList = [node['type']].flat().includes('array') && node['prefixItems'] === undefined;
  return isList ? longInteger(document, node['items']) : undefined;
}

function isLong(node: Node): boolean {
  return longFormats.has(String(node['format'])) && mayBeLong(node);
}

/**
 * Whether an answer may hold such a number, as its exact digits in a text. Many descriptions of ids
 * name no format; one of fewer bits is a promise.
 */
export function mayBeLong({ type, format, maximum, enum: values, const: only }: Node): boolean {
  if (![type].flat().includes('integer')) return false;
  if (format !== undefined && !longFormats.has(String(format))) return false;
  const isShort = typeof maximum === 'number' && Number.isSafeInteger(maximum);
  return !isShort && values === undefined && only === undefined;
}

/** The same schema, which takes the digits of a long number as text besides. */
export function withDigits(schema: JsonSchema, node: Node): JsonSchema {
  const { type, minimum } = node;
  const isSigned =
    node['format'] === 'int64' && !(typeof minimum === 'number' && Number(minimum) >= 0);
  return {
    ...schema,
    type: ['integer', 'string', ...[type].flat().filter((each) => each === 'null')],
    pattern: `^${isSigned ? '-?' : ''}[1-9]\\d{15,${node['format'] === 'int64' ? 18 : 19}}$`,
  };
}
