import assert from 'node:assert/strict';
import test from 'node:test';
import { inPath, repaired, responses } from './repaired.ts';

test('placeholders that nobody declares are texts, and path parameters without a place are none', async (t) => {
  const { root, errors } = await repaired(t, {
    openapi: '3.0.3',
    paths: {
      '/teams/{team}/people/{id}': {
        parameters: [{ $ref: '#/components/parameters/team' }],
        get: { responses },
      },
      '/parts/{no}': {
        parameters: [{ ...inPath('no'), required: false }],
        get: { responses },
      },
      '/sites/{siteName}': {
        get: {
          parameters: [{ ...inPath('site_name'), schema: { type: 'string', minLength: 3 } }],
          responses,
        },
      },
      '/people/me': { get: { parameters: [inPath('id')], responses } },
      '/other/{id}': { get: { parameters: [{ $ref: 'missing.json#/id' }], responses } },
    },
    components: { parameters: { team: inPath('team') } },
  });
  assert.deepEqual(root.paths['/teams/{team}/people/{id}'].get.parameters, [inPath('id')]);
  assert.deepEqual(root.paths['/parts/{no}'].parameters, [inPath('no')]);
  assert.deepEqual(root.paths['/sites/{siteName}'].get.parameters, [
    { ...inPath('siteName'), schema: { type: 'string', minLength: 3 } },
  ]);
  assert.deepEqual(root.paths['/people/me'].get.parameters, []);
  // What cannot be followed may be the very parameter that is missing.
  assert.match(errors.join(), /missing\.json/);
  assert.equal(errors.length, 1);
});

test('parameters of Swagger 2.0 in OpenAPI 3 get schemas, and those in the body become the body', async (t) => {
  const { root, errors } = await repaired(t, {
    openapi: '3.0.3',
    paths: {
      '/things': {
        get: {
          parameters: [
            { name: 'n', in: 'query', type: 'integer', minimum: 1, required: 'true' },
            { name: 'q', in: 'query' },
          ],
          responses,
        },
        post: {
          parameters: [
            { name: 'body', in: 'body', required: true, schema: { type: 'object' } },
            { name: 'q', in: 'query', schema: { type: 'string' } },
          ],
          responses,
        },
        put: {
          parameters: [
            { name: 'photo', in: 'formData', type: 'file', required: true },
            { name: 'note', in: 'formData', type: 'string' },
          ],
          responses,
        },
      },
    },
  });
  const { get, post, put } = root.paths['/things'];
  assert.deepEqual(get.parameters, [
    { name: 'n', in: 'query', required: true, schema: { type: 'integer', minimum: 1 } },
    { name: 'q', in: 'query', schema: { type: 'string' } },
  ]);
  assert.deepEqual(post.parameters, [{ name: 'q', in: 'query', schema: { type: 'string' } }]);
  assert.deepEqual(post.requestBody, {
    content: { 'application/json': { schema: { type: 'object' } } },
    required: true,
  });
  assert.deepEqual(put.requestBody, {
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            photo: { type: 'string', contentMediaType: 'application/octet-stream' },
            note: { type: 'string' },
          },
          required: ['photo'],
        },
      },
    },
    required: true,
  });
  assert.deepEqual(errors, []);
});

test('a key in a cookie is one in Swagger 2.0, too', async (t) => {
  const session = { type: 'apiKey', in: 'cookie', name: 'sid' };
  const { root, errors } = await repaired(t, {
    swagger: '2.0',
    host: 'a.example.com',
    securityDefinitions: { session },
    security: [{ session: [] }],
    paths: { '/things': { get: { responses } } },
  });
  assert.deepEqual(root.components.securitySchemes.session, session);
  assert.deepEqual(errors, []);
});

test('what belongs to OpenAPI 3 in Swagger 2.0 is read as its own', async (t) => {
  const { root, errors } = await repaired(t, {
    swagger: '2.0',
    host: 'https://a.example.com/v1',
    securityDefinitions: { login: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    security: { login: [] },
    paths: {
      '/things': {
        post: {
          parameters: [
            { name: 'n', in: 'query', schema: { type: 'integer' } },
            { name: 'q', in: 'query' },
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { type: 'object' } } },
          },
          responses,
        },
      },
    },
  });
  const { post } = root.paths['/things'];
  assert.equal(root.servers[0].url, 'https://a.example.com/v1');
  assert.deepEqual(root.security, [{ login: [] }]);
  assert.deepEqual(root.components.securitySchemes.login, {
    ...{ type: 'apiKey', in: 'header', name: 'Authorization', description: 'Bearer token' },
  });
  assert.deepEqual(post.parameters, [
    { name: 'n', in: 'query', schema: { type: 'integer' } },
    { name: 'q', in: 'query', schema: { type: 'string' } },
  ]);
  assert.deepEqual(post.requestBody, {
    content: { 'application/json': { schema: { type: 'object' } } },
    required: true,
  });
  assert.deepEqual(errors, []);
});

test('bodies are completed: content, the schema of a media type, the name of the only part', async (t) => {
  const { root, errors } = await repaired(t, {
    openapi: '3.0.3',
    paths: {
      '/a': { post: { requestBody: { required: true }, responses } },
      '/b': {
        post: {
          requestBody: {
            content: { 'application/json': { type: 'object', properties: { a: { type: 'int' } } } },
          },
          responses,
        },
      },
      '/c': {
        post: {
          requestBody: { content: { 'multipart/form-data': { schema: { type: 'file' } } } },
          responses,
        },
      },
    },
  });
  const bodyOf = (path: string) => root.paths[path].post.requestBody;
  assert.deepEqual(bodyOf('/a'), {
    required: true,
    content: { 'application/json': { schema: {} } },
  });
  assert.deepEqual(bodyOf('/b').content['application/json'].schema, {
    type: 'object',
    properties: { a: { type: 'integer' } },
  });
  assert.deepEqual(bodyOf('/c').content['multipart/form-data'].schema, {
    type: 'object',
    properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
    required: ['file'],
  });
  assert.deepEqual(errors, []);
});

test('types by other names keep their meaning, and required beside a property is that of its object', async (t) => {
  const schema = {
    type: 'Object',
    properties: {
      id: { type: 'uuid', required: true },
      since: { type: 'datetime', required: false },
      any: { type: 'any' },
      odd: { type: 'banana' },
    },
  };
  const { root, errors } = await repaired(t, {
    openapi: '3.0.3',
    paths: {},
    components: { schemas: { Thing: schema } },
  });
  assert.deepEqual(root.components.schemas.Thing, {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      since: { type: 'string', format: 'date-time' },
      any: {},
      odd: {},
    },
  });
  // What means nothing is said to be wrong.
  assert.equal(errors.length, 1);
  assert.match(errors[0] ?? '', /banana/);
});

test('a name with slashes keeps them where its path says so', async (t) => {
  const { root } = await repaired(t, {
    openapi: '3.0.3',
    paths: {
      '/v1/{+id}': { get: { parameters: [inPath('id')], responses } },
      '/v2/{id}': { get: { parameters: [inPath('id')], responses } },
    },
  });
  const paths = root['paths'] as Record<string, { get: { parameters: object[] } }>;
  assert.deepEqual(paths['/v1/{id}']?.get.parameters, [{ ...inPath('id'), allowReserved: true }]);
  assert.deepEqual(paths['/v2/{id}']?.get.parameters, [inPath('id')]);
});

test('a path parameter that is the name of a resource keeps the slashes of its value', async (t) => {
  const name = (more = {}) => ({ name: 'n', in: 'path', required: true, type: 'string', ...more });
  const { root, errors } = await repaired(t, {
    swagger: '2.0',
    paths: {
      '/v1/{n=shelves/*}': { get: { parameters: [name()], responses } },
      '/v2/{n}:cancel': { get: { parameters: [name({ pattern: 'ops/[^/]+' })], responses } },
      '/v3/{n=*}': { get: { parameters: [name({ pattern: '[^/]+' })], responses } },
      '/v1/{n=books/*}': { get: { parameters: [name()], responses } },
    },
  });
  const paths = root['paths'] as Record<string, { get: { parameters: Record<string, unknown>[] } }>;
  const kept = Object.entries(paths).map(([path, { get }]) => [path, get.parameters[0]]);
  assert.deepEqual(
    kept.map(([path, parameter]) => [
      path,
      (parameter as Record<string, unknown>)['allowReserved'],
    ]),
    [
      ['/v1/{n}', true],
      ['/v2/{n}:cancel', true],
      ['/v3/{n}', undefined],
    ],
  );
  assert.deepEqual(errors, [
    '"/v1/{n=books/*}" is /v1/{n}, which another path is already: it is left out',
  ]);
});

test('a style that a place does not have is the usual one', async (t) => {
  const schema = { type: 'string' };
  const { root, errors, strictErrors } = await repaired(t, {
    openapi: '3.0.3',
    paths: {
      '/a': {
        get: { parameters: [{ name: 'q', in: 'query', style: 'matrix', schema }], responses },
      },
    },
  });
  const paths = root['paths'] as Record<string, { get: { parameters: object[] } }>;
  assert.deepEqual(paths['/a']?.get.parameters, [{ name: 'q', in: 'query', schema }]);
  assert.deepEqual(errors, []);
  assert.equal(strictErrors.length, 1);
});

test('a parameter that stands among the schemas is one, and demanded where it says so', async (t) => {
  const since = { name: 'since', in: 'query', required: true, schema: { type: 'string' } };
  const { root, errors, strictErrors } = await repaired(t, {
    openapi: '3.1.0',
    paths: {
      '/things': {
        get: { parameters: [{ $ref: '#/components/schemas/since' }], responses },
      },
    },
    components: { schemas: { since, Thing: { type: 'object' } } },
  });
  assert.deepEqual(errors, []);
  assert.notDeepEqual(strictErrors, []);
  assert.deepEqual(root.components, {
    parameters: { since },
    schemas: { Thing: { type: 'object' } },
  });
  const [first] = root.paths['/things'].get.parameters;
  assert.deepEqual(first, { $ref: '#/components/parameters/since' });
});

test('a pattern between slashes is the one between them, and takes what it is meant to take', async (t) => {
  const { root, errors } = await repaired(t, {
    openapi: '3.1.0',
    paths: { '/a': { get: { responses } } },
    components: {
      schemas: {
        Code: { type: 'string', pattern: '/^[a-f]+$/i' },
        Odd: { type: 'string', pattern: '/^a.b$/s' },
      },
    },
  });
  assert.deepEqual(errors, []);
  assert.deepEqual(root.components?.['schemas'], {
    Code: { type: 'string', pattern: '^[a-fA-F]+$' },
    Odd: { type: 'string' },
  });
});

test('a scheme that is none asks for nothing', async (t) => {
  const post = { security: [{ noauthAuth: [] }], responses };
  const { root, errors } = await repaired(t, {
    openapi: '3.0.3',
    components: {
      securitySchemes: {
        noauthAuth: { type: 'http', scheme: 'noauth' },
        key: { type: 'http', scheme: 'bearer' },
      },
    },
    security: [{ key: [] }],
    paths: { '/login': { post } },
  });
  assert.deepEqual(errors, []);
  assert.deepEqual(Object.keys(root.components.securitySchemes), ['key']);
  assert.deepEqual(root.security, [{ key: [] }]);
  assert.deepEqual(root.paths['/login'].post.security, [{}]);
});

test('"required" beside the reference to a parameter makes it required there alone', async (t) => {
  const parameters = { Base: { name: 'base', in: 'query', schema: { type: 'string' } } };
  const reference = { $ref: '#/components/parameters/Base' };
  const operation = (entry: object) => ({ parameters: [entry], responses });
  const { root, errors } = await repaired(t, {
    openapi: '3.0.3',
    components: { parameters },
    paths: {
      '/a': {
        get: operation({ ...reference, required: true, description: 'Whose.' }),
        post: operation(reference),
        put: operation({ ...reference, required: 'true' }),
      },
    },
  });
  assert.deepEqual(errors, []);
  const { get, post } = root.paths['/a'];
  assert.deepEqual(get.parameters, [{ ...parameters.Base, description: 'Whose.', required: true }]);
  assert.deepEqual(post.parameters, [reference]);
});

test('a pattern of another language is read in parameters and items of Swagger 2.0, too', async (t) => {
  const text = { type: 'string', pattern: '/^[a-f]{2}$/i' };
  const read = { type: 'string', pattern: '^[a-fA-F]{2}$' };
  const { root, errors } = await repaired(t, {
    swagger: '2.0',
    paths: {
      '/a': {
        get: {
          parameters: [
            { name: 'id', in: 'query', ...text },
            { name: 'ids', in: 'query', type: 'array', items: text },
          ],
          responses,
        },
      },
    },
  });
  assert.deepEqual(errors, []);
  const [id, ids] = root.paths['/a'].get.parameters;
  assert.deepEqual([id.schema, ids.schema.items], [read, read]);
});

test('a header that is called what none can be is the usual one where its name says so', async (t) => {
  const named = (name: string) => ({ name, in: 'header', required: true, schema: {} });
  const { root, errors } = await repaired(t, {
    openapi: '3.0.3',
    paths: {
      '/a': { get: { parameters: [named('Authorization: Bearer')], responses } },
      '/b': { get: { parameters: [{ ...named('Bearer Token'), description: 'Own.' }], responses } },
      '/c': { get: { parameters: [named('Authorization Header')], responses } },
      '/d': { get: { parameters: [named('Authorization Scheme of partners')], responses } },
    },
  });
  assert.deepEqual(errors, []);
  const [a, b, c, d] = ['/a', '/b', '/c', '/d'].map((path) => {
    const [{ name, description }] = root.paths[path].get.parameters;
    return [name, description];
  });
  assert.deepEqual(a, ['Authorization', 'Bearer token.']);
  assert.deepEqual(b, ['Authorization', 'Bearer token. Own.']);
  assert.deepEqual(c, ['Authorization', undefined]);
  assert.deepEqual(d, ['Authorization Scheme of partners', undefined]);
});
