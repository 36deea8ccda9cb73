import assert from 'node:assert/strict';
import test from 'node:test';
import { repaired } from './repaired.ts';

for (const [version, place, response] of [
  [
    { openapi: '3.0.3' },
    '#/components/schemas/Pet',
    { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
  ],
  [
    { swagger: '2.0' },
    '#/definitions/Pet',
    { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
  ],
] as const) {
  test(`a schema in the place of a response is what it answers (${place})`, async (t) => {
    const schemas = { Pet: { type: 'object', properties: { id: { type: 'string' } } } };
    const shared = { Shared: { description: 'ok' } };
    const isOld = 'swagger' in version;
    const ofShared = isOld ? '#/responses/Shared' : '#/components/responses/Shared';
    const { root, errors } = await repaired(t, {
      ...version,
      paths: {
        '/pets': { get: { responses: { 200: { $ref: place }, 404: { $ref: ofShared } } } },
      },
      ...(isOld
        ? { definitions: schemas, responses: shared }
        : { components: { schemas, responses: shared } }),
    });
    const found = root.paths['/pets'].get.responses;
    assert.deepEqual(found[200], { description: '', ...response });
    assert.deepEqual(found[404], { $ref: '#/components/responses/Shared' });
    assert.deepEqual(errors, []);
  });
}
