import assert from 'node:assert/strict';
import test from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation/types.js';
import { schemaNode } from '../../../generator/model/vendor/answer/output-node.ts';
import { outputSchema } from '../../../generator/model/vendor/answer/output-schema.ts';
import type { ApiDocument } from '../../../generator/read/document/api-document.ts';

const document: ApiDocument = {
  root: { openapi: '3.1.0', info: {} },
  version: '3.1',
  file: 'openapi.yaml',
  locate: () => ({ file: 'openapi.yaml', line: 1, column: 1 }),
};

// Clients of the v1 SDK hold failures to the output schema too, and a failure stands in `error`.
test('a result schema says nothing of the member in which failures stand', () => {
  const text = { type: 'string' };
  const answer = { type: 'object', properties: { error: text, id: text } };
  assert.deepEqual(outputSchema(schemaNode(document, answer)), {
    type: 'object',
    properties: { id: { type: ['string', 'null'] } },
  });
});

test('an official client takes an answer that lacks what every object inherits', () => {
  const text = { type: 'string' };
  const answer = {
    type: 'object',
    properties: { constructor: text, of: { type: 'object', properties: { toString: text } } },
  };
  const schema = outputSchema(schemaNode(document, answer));
  assert.deepEqual(Object.keys(schema['properties'] ?? {}), ['constructor', 'of']);
  const validate = new AjvJsonSchemaValidator().getValidator(schema as JsonSchemaType);
  assert.deepEqual(validate({ of: {} }).errorMessage, undefined);
});
