import { isObject } from '#contract/json';
import { type ApiOperation, resolve } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from './merged-schema.ts';

/** The JSON that an operation answers after a success. */
export interface SuccessContent {
  readonly status: string;
  readonly contentType: string;
  readonly media: Readonly<Record<string, unknown>>;
  /** Its schema, behind references and `allOf`. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Whether a Link header comes with it (RFC 8288). */
  readonly hasLink: boolean;
}

/** The first success response of an operation that is JSON. */
export function successContent(
  document: ApiDocument,
  { node, pointer }: ApiOperation,
): SuccessContent | undefined {
  const responses = isObject(node['responses']) ? node['responses'] : {};
  const status = Object.keys(responses).find((key) => /^2(\d\d|XX)$/i.test(key));
  const raw = responses[status ?? 'default'];
  if (!isObject(raw)) return undefined;
  const response = resolve(document, { node: raw, pointer }).node;
  const content = isObject(response['content']) ? response['content'] : {};
  const found = Object.entries(content).find(([type]) => /^application\/(.+\+)?json\b/i.test(type));
  if (!found || !isObject(found[1])) return undefined;
  const [contentType, media] = found;
  const headers = isObject(response['headers']) ? Object.keys(response['headers']) : [];
  return {
    status: status ?? '200',
    contentType,
    media,
    schema: mergedSchema(document, media['schema']),
    hasLink: headers.some((name) => name.toLowerCase() === 'link'),
  };
}
