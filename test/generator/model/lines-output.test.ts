import assert from 'node:assert/strict';
import test from 'node:test';
import { planProvider } from '../../../generator/model/vendor/plan-provider.ts';
import { documentOf } from '../provider/guess/described.ts';

const line = { type: 'object', properties: { id: { type: 'integer', format: 'int32' } } };

function itemsOf(media: object, decode?: 'text'): unknown {
  const responses = { 200: { description: 'ok', content: { 'application/x-ndjson': media } } };
  const document = documentOf({ paths: { '/a': { get: { operationId: 'listA', responses } } } });
  const { model } = planProvider({
    folder: 'specs/providers/golden',
    document,
    fixtures: [],
    curationFile: document,
    curation: {
      provider: 'golden',
      title: 'Golden',
      servers: [{ url: 'https://api.example.com' }],
      auth: [{ type: 'none' }],
      operations: [
        {
          name: 'golden_list_a',
          resource: 'a',
          from: { operationId: 'listA' },
          purpose: 'List the things of the example',
          annotations: { readOnly: true, idempotent: true },
          ...(decode && { response: { decode } }),
        },
      ],
    },
  });
  const output = model.tools[0]?.definition.output as
    | { properties?: { items?: { items?: unknown } } }
    | undefined;
  return output?.properties?.items?.items;
}

test('lines of JSON are told as the items of a list, by the schema of a line or of all of them', () => {
  const told = { type: ['object', 'null'], properties: { id: { type: ['integer', 'null'] } } };
  assert.deepEqual(itemsOf({ schema: line }), told);
  assert.deepEqual(itemsOf({ itemSchema: line }), told);
  assert.deepEqual(itemsOf({ schema: { type: 'array', items: line } }), told);
  assert.equal(itemsOf({ schema: { type: 'string' } }), undefined);
  assert.equal(itemsOf({ schema: line }, 'text'), undefined);
});
