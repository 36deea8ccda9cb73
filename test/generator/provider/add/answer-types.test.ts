import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'yaml';
import { createWorkplace } from '../workplace.ts';

test('a draft keeps every media type in which a success is described', async (t) => {
  const place = createWorkplace(t);
  const schema = { type: 'object', properties: { id: { type: 'integer' } } };
  const content = { 'text/csv': { schema: { type: 'string' } }, 'application/json': { schema } };
  const get = {
    operationId: 'getTable',
    responses: { 200: { description: 'ok', content }, 202: { description: 'not there yet' } },
  };
  const description = {
    openapi: '3.0.3',
    info: { title: 'Tables', version: '1' },
    servers: [{ url: 'https://tables.example.com' }],
    paths: { '/table': { get } },
  };
  place.write('tables.json', JSON.stringify(description));
  const { code, err } = await place.run('add', 'tables', '--openapi', 'tables.json');
  assert.equal(code, 0, err);
  const sliced = parse(place.read('specs/providers/tables/openapi.yaml'));
  const { responses } = sliced.paths['/table'].get;
  assert.deepEqual(Object.keys(responses['200'].content), ['application/json', 'text/csv']);
  assert.deepEqual(responses['200'].content['application/json'].schema, schema);
  assert.equal(responses['202'].content, undefined);
});
