import { isObject } from '#contract/json';
import { type ApiOperation, resolve } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from './merged-schema.ts';

type Content = Readonly<Record<string, unknown>>;

/** The schema of what an operation sends, of the first media type; `{}` where it has none. */
export function bodySchema(document: ApiDocument, operation: ApiOperation): Content {
  const [media] = Object.values(bodyContent(document, operation));
  return mergedSchema(document, isObject(media) ? media['schema'] : {});
}

/** What an operation sends, by its media types; `{}` where it sends nothing. */
export function bodyContent(document: ApiDocument, operation: ApiOperation): Content {
  const body = operation.node['requestBody'];
  const place = { node: isObject(body) ? body : {}, pointer: operation.pointer };
  const { content } = resolve(document, place).node;
  return isObject(content) ? content : {};
}
