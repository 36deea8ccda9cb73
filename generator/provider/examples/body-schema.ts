import { isObject } from '#contract/json';
import { type ApiOperation, resolve } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from './merged-schema.ts';

/** The schema of what an operation sends, of the first media type; `{}` where it has none. */
export function bodySchema(
  document: ApiDocument,
  operation: ApiOperation,
): Readonly<Record<string, unknown>> {
  const body = operation.node['requestBody'];
  const place = { node: isObject(body) ? body : {}, pointer: operation.pointer };
  const { content } = resolve(document, place).node;
  const [media] = isObject(content) ? Object.values(content) : [];
  return mergedSchema(document, isObject(media) ? media['schema'] : {});
}
