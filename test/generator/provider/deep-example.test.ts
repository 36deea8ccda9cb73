import assert from 'node:assert/strict';
import test from 'node:test';
import { schemaExample } from '../../../generator/provider/examples/schema-example.ts';
import type { ApiDocument } from '../../../generator/read/document/api-document.ts';

const document = { root: {} } as ApiDocument;

test('a demanded text stays one however deep it stands, and what goes on for ever ends', () => {
  let schema: object = { type: 'string', examples: [] };
  for (let depth = 0; depth < 9; depth++) {
    schema = { type: 'object', required: ['a'], properties: { a: schema } };
  }
  let value = schemaExample(document, schema);
  for (let depth = 0; depth < 9; depth++) value = (value as { a: unknown }).a;
  assert.equal(typeof value, 'string');
  const endless = { type: 'object', required: ['a'], properties: {} as Record<string, unknown> };
  endless.properties['a'] = endless;
  assert.ok(JSON.stringify(schemaExample(document, endless)).length < 100);
});
