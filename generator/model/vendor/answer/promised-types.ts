import { isObject } from '#contract/json';
import type { ResponseShape } from '#contract/tool';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { type ApiOperation, resolve } from '../../schema/api-operations.ts';
import { schemaNode } from './output-node.ts';

/** Media types that each way of reading is for. */
const fitting: Readonly<Record<NonNullable<ResponseShape['decode']>, RegExp>> = {
  json: /[/+]json$/,
  xml: /[/+]xml$/,
  text: /^text\/|[/+](?:x-)?(?:ndjson|jsonl|yaml|javascript|xml)$/,
  csv: /^text\/csv$/,
  binary: /^(?!text\/|.*[/+](?:json|xml)$)/,
};

/**
 * The media types in which an operation promises a success, in lower case and without parameters;
 * nothing where it promises none, JSON alone, or what the curation has read otherwise.
 */
export function promisedTypes(
  document: ApiDocument,
  { node, pointer }: ApiOperation,
  decode: ResponseShape['decode'],
): readonly string[] | undefined {
  const responses = isObject(node['responses']) ? Object.entries(node['responses']) : [];
  const types = responses.flatMap(([status, raw]) => {
    if (!/^2(\d\d|XX)$/i.test(status) || !isObject(raw)) return [];
    const { content } = resolve(document, { node: raw, pointer }).node;
    return isObject(content) ? Object.entries(content).map(typeOf(document)) : [];
  });
  const plain = new Set(types);
  const isAny = ['*/*', '*', ''].some((any) => plain.has(any));
  if (isAny) return decode === undefined ? ['*/*'] : undefined;
  const others = [...plain].filter((type) => !fitting.json.test(type));
  if (others.length === 0) return undefined;
  const isRead = decode === undefined || others.some((type) => fitting[decode].test(type));
  return isRead ? [...plain].sort() : undefined;
}

/** A media type without parameters. What is of any, and has members or items, is JSON: Spring says no more. */
function typeOf(document: ApiDocument) {
  return ([name, media]: [name: string, media: unknown]): string => {
    const type = (name.split(';', 1)[0] ?? '').trim().toLowerCase();
    if (!/^\*(?:\/\*)?$/.test(type) || !isObject(media) || !isObject(media['schema'])) return type;
    const { types } = schemaNode(document, media['schema']);
    const isData = types.size > 0 && types.isSubsetOf(structures);
    return isData ? 'application/json' : type;
  };
}

const structures: ReadonlySet<string> = new Set(['array', 'null', 'object']);
