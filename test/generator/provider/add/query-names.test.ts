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
