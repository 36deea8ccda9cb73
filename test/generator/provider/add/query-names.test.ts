import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'yaml';
import { createWorkplace } from '../workplace.ts';

test('a parameter that is called like a scheme is an argument where that is not sent', async (t) => {
  const place = createWorkplace(t);
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } };
  const key = { name: 'hash', in: 'query', schema: { type: 'string' } };
  const get = (operationId: string, more: object) => ({
    get: { operationId, parameters: [key], responses, ...more },
  });
  const description = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1', license: { name: 'MIT' } },
    servers: [{ url: 'https://things.example.com' }],
    components: { securitySchemes: { s: { type: 'apiKey', in: 'query', name: 'hash' } } },
    security: [{ s: [] }],
    paths: {
      '/things': get('listThings', {}),
      '/others': get('listOthers', {}),
      '/files': get('findFiles', { security: [] }),
    },
  };
  place.write('api.json', JSON.stringify(description));
  const { code, err, out } = await place.run('add', 'things', '--openapi', 'api.json');
  assert.equal(code, 0, err + out);
  const { paths } = parse(place.read('specs/providers/things/openapi.yaml'));
  assert.equal(paths['/things'].get.parameters, undefined, 'it is the credential');
  assert.deepEqual(
    paths['/files'].get.parameters.map(({ name }: { name: string }) => name),
    ['hash'],
  );
});

test('what a list is narrowed by is not called like what its pages are asked for with', async (t) => {
  const place = createWorkplace(t);
  const query = (name: string, type: string) => ({ name, in: 'query', schema: { type } });
  const schema = {
    type: 'object',
    properties: {
      beds: { type: 'array', items: { type: 'object' } },
      next_token: { type: 'string' },
    },
  };
  const listBeds = {
    operationId: 'listBeds',
    parameters: [
      query('page_size', 'integer'),
      query('page_token', 'string'),
      query('$limit', 'integer'),
    ],
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  };
  place.write(
    'api.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Beds', version: '1', license: { name: 'MIT' } },
      servers: [{ url: 'https://beds.example.com' }],
      paths: { '/beds': { get: listBeds } },
    }),
  );
  const { out } = await place.run('add', 'beds', '--openapi', 'api.json');
  assert.match(out, /1 of 1 operations are switched on/);
  const { pagination, operations } = parse(place.read('specs/providers/beds/curation.yaml'));
  assert.equal(pagination.request.limit, 'page_size');
  assert.deepEqual(operations[0].params.rename, { $limit: 'limit_2' });
});
