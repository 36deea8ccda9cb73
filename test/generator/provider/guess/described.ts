import assert from 'node:assert/strict';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { natureOf } from '../../../../generator/provider/operations/operation-nature.ts';
import type { ApiDocument } from '../../../../generator/read/document/api-document.ts';

export function documentOf(parts: object): ApiDocument {
  const root = { openapi: '3.1.0', info: { title: 'X', version: '1' }, ...parts };
  const place = { file: 'x.yaml', line: 1, column: 1 };
  return { root, version: '3.1', file: 'x.yaml', locate: () => place };
}

export function natureIn(path: string, operation: object, method = 'get') {
  const document = documentOf({ paths: { [path]: { [method]: operation } } });
  const [first] = new ApiOperations(document).all;
  assert.ok(first);
  return { document, nature: natureOf(document, first) };
}

export const query = (...names: string[]) =>
  names.map((name) => ({
    name,
    in: 'query',
    schema: { type: /cursor|after/.test(name) ? 'string' : 'integer' },
  }));

export const answer = (schema: object, headers = {}) => ({
  200: { description: 'ok', headers, content: { 'application/json': { schema } } },
});

export const list = { type: 'array', items: { type: 'object' } };
