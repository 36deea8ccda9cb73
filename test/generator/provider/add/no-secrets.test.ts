import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from '../workplace.ts';

const database = 'postgres://user:password@db.example.com:5432/things';
const key = 'Bearer ac-sk-5f3c9a1e7b2d4860aa91c4d7e8f01234';

test('what texts show of credentials is taken out of a draft, and the operation stays on', async (t) => {
  const place = createWorkplace(t);
  const schema = {
    type: 'object',
    properties: { dsn: { type: 'string', description: `Such as "${database}" or else none.` } },
  };
  const responses = {
    200: { description: `Sent with ${key}.`, content: { 'application/json': { schema } } },
  };
  const description = {
    openapi: '3.1.0',
    info: {
      title: 'Things',
      version: '1',
      license: { name: 'Ours', url: 'https://example.com/l?id=A519A56BC2BF44E4A008B33FCF527F61' },
    },
    externalDocs: { url: 'https://docs.example.com/?token=1234' },
    security: [{ key: [] }],
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', bearerFormat: key.slice(7) } },
    },
    servers: [{ url: 'https://things.example.com' }],
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          summary: `List things with the header Authorization: ${key}`,
          description: `Call it with ${key}, please.`,
          responses,
        },
      },
    },
  };
  place.write('api.json', JSON.stringify(description));
  const { code, err, out } = await place.run(
    ...['add', 'things', '--openapi', 'api.json', '--texts', 'keep'],
  );
  assert.equal(code, 0, err + out);
  const checked = await place.run('check', 'things');
  assert.equal(checked.code, 0, checked.err);
  const kept = ['openapi.yaml', 'curation.yaml'].map((name) =>
    place.read(`specs/providers/things/${name}`),
  );
  assert.doesNotMatch(kept.join(''), /user:password|5f3c9a1e7b|A519A56|docs\.example/);
  assert.match(kept[0] ?? '', /Such as "postgres:\/\/redacted@db\.example\.com/);
  assert.match(kept[0] ?? '', /name: Ours/);
});

test('a header that comes with each request by itself is no argument', async (t) => {
  const place = createWorkplace(t);
  const parameters = ['Content-Length', 'Host', 'User-Agent', 'Accept-Encoding', 'X-Kind'].map(
    (name) => ({
      ...{ name, in: 'header', required: true, schema: { type: 'string' } },
    }),
  );
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } };
  const description = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://things.example.com' }],
    paths: { '/things': { get: { operationId: 'listThings', parameters, responses } } },
  };
  place.write('api.json', JSON.stringify(description));
  const { code, err, out } = await place.run('add', 'things', '--openapi', 'api.json');
  assert.equal(code, 0, err + out);
  assert.match(place.read('specs/providers/things/curation.yaml'), /include: \[ X-Kind \]/);
});
