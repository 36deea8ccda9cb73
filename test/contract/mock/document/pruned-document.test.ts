import assert from 'node:assert/strict';
import test from 'node:test';
import { pruneDocument } from './pruned-document.ts';

test('what the operations do not refer to is left out, and no answer has a body', () => {
  const body = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const root = {
    paths: {
      '/a/{id}': { post: { requestBody: body('A'), responses: { 200: body('B') } }, get: {} },
      '/b': { get: {} },
    },
    components: {
      schemas: { A: { items: { $ref: '#/components/schemas/a~1c' } }, B: {}, 'a/c': {}, D: {} },
      securitySchemes: { key: {} },
    },
  };
  pruneDocument(root, [['POST', '/a/{id}']]);
  assert.deepEqual(root, {
    paths: { '/a/{id}': { post: { requestBody: body('A'), responses: { 200: {} } } } },
    components: {
      schemas: { A: { items: { $ref: '#/components/schemas/a~1c' } }, 'a/c': {} },
      securitySchemes: { key: {} },
    },
  });
});
