import assert from 'node:assert/strict';
import test from 'node:test';
import { place, readGood } from '../read-files.ts';

const swagger = `swagger: "2.0"
info: {title: Things, version: "1"}
host: api.example.com
basePath: /v1/
schemes: [https, http]
produces: [application/json]
paths:
  /things/{id}:
    parameters:
      - {name: id, in: path, required: true, type: string}
    get:
      parameters:
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}
        - {name: ids, in: query, type: array, items: {type: integer}}
        - {name: parts, in: query, type: array, items: {type: string}, collectionFormat: pipes}
        - $ref: "#/parameters/page"
      responses:
        200:
          description: ok
          schema: {$ref: "#/definitions/Thing"}
          examples: {application/json: {kind: a}}
          headers: {X-Rate: {type: integer, format: int32}}
        404: {$ref: "#/responses/Missing"}
    post:
      consumes: [multipart/form-data]
      parameters:
        - {name: file, in: formData, type: file, required: true}
        - {name: list, in: formData, type: array, items: {type: string}, description: Some}
        - $ref: "#/parameters/note"
      responses: {204: {description: none}}
    put:
      schemes: [http]
      consumes: [application/json, application/merge-patch+json]
      parameters: [{$ref: "#/parameters/thing"}]
      responses: {204: {description: none}}
parameters:
  page: {name: page, in: query, type: integer, minimum: 1, exclusiveMinimum: true, default: 2}
  note: {name: note, in: formData, type: string, format: byte}
  thing: {name: thing, in: body, required: true, schema: {$ref: "#/definitions/Thing"}}
responses:
  Missing: {description: no, schema: {$ref: "#/paths/~1things~1{id}/get/responses/200/schema"}}
securityDefinitions:
  login: {type: basic}
  grant: {type: oauth2, flow: accessCode, authorizationUrl: x, tokenUrl: y, scopes: {a: b}}
  service: {type: oauth2, flow: application, tokenUrl: y}
definitions:
  Thing: {type: object, discriminator: kind, required: [kind], properties: {kind: {type: string, example: a}}}
`;

test('Swagger 2.0: host, basePath and schemes become servers, of operations too', async (t) => {
  const { root } = await readGood(t, { 'api.yaml': swagger });
  assert.equal(root.openapi, '3.1.0');
  assert.deepEqual(root.servers, [
    { url: 'https://api.example.com/v1' },
    { url: 'http://api.example.com/v1' },
  ]);
  assert.deepEqual(root.paths['/things/{id}'].put.servers, [{ url: 'http://api.example.com/v1' }]);
});

test('Swagger 2.0: a host without schemes speaks TLS, unless it is nearby', async (t) => {
  for (const [host, url] of [
    ['api.acme.dev', 'https://api.acme.dev'],
    ['localhost:8080', 'http://localhost:8080'],
    ['10.0.0.7', 'http://10.0.0.7'],
    ['10.0.0.7:8443', 'https://10.0.0.7:8443'],
    ['search-service', 'http://search-service'],
  ] as const) {
    const text = `swagger: "2.0"
info: {title: Things, version: "1"}
host: "${host}"
paths: {/things: {get: {responses: {200: {description: ok}}}}}
`;
    const { root } = await readGood(t, { 'api.yaml': text });
    assert.deepEqual(root.servers, [{ url }]);
    const told = text.replace('host:', 'schemes: [https]\nhost:');
    const { root: secure } = await readGood(t, { 'api.yaml': told });
    assert.deepEqual(secure.servers, [{ url: `https://${host}` }]);
  }
});

test('Swagger 2.0: a host with parameters becomes a server with variables, or its path alone', async (t) => {
  const api = (template: string, withPrefix: boolean) => `swagger: "2.0"
info: {title: Things, version: "1"}
x-ms-parameterized-host:
  hostTemplate: "${template}"
  useSchemePrefix: ${withPrefix}
  parameters: [{$ref: "#/parameters/Suffix"}, {name: accountName, in: path, required: true, type: string}]
parameters:
  Suffix: {name: suffix, in: path, required: true, type: string, default: things.example.com}
paths: {}
`;
  const named = await readGood(t, { 'api.yaml': api('{accountName}.{suffix}/v2', true) });
  assert.deepEqual(named.root.servers, [
    {
      url: 'https://{accountName}.{suffix}/v2',
      variables: {
        accountName: { default: 'your-account-name' },
        suffix: { default: 'things.example.com' },
      },
    },
  ]);
  const whole = await readGood(t, { 'api.yaml': api('{Endpoint}/face/v1.0', false) });
  assert.deepEqual(whole.root.servers, [{ url: '/face/v1.0' }]);
});

test('Swagger 2.0: a parameter in body becomes a request body for each media type', async (t) => {
  const { root, document } = await readGood(t, { 'api.yaml': swagger });
  const schema = { $ref: '#/components/schemas/Thing' };
  assert.deepEqual(root.paths['/things/{id}'].put.requestBody, {
    required: true,
    content: { 'application/json': { schema }, 'application/merge-patch+json': { schema } },
  });
  assert.deepEqual(root.paths['/things/{id}'].put.parameters, []);
  assert.deepEqual(Object.keys(root.components.parameters), ['page']);
  assert.equal(place(document, '/paths/~1things~1{id}/put/requestBody'), 'api.yaml:39:3');
});

test('Swagger 2.0: parameters in formData become one object; a file makes it multipart', async (t) => {
  const { root, document } = await readGood(t, { 'api.yaml': swagger });
  assert.deepEqual(root.paths['/things/{id}'].post.requestBody, {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file'],
          properties: {
            file: { contentMediaType: 'application/octet-stream' },
            list: { type: 'array', items: { type: 'string' }, description: 'Some' },
            note: { type: 'string', contentEncoding: 'base64' },
          },
        },
        encoding: { list: { style: 'form', explode: false } },
      },
    },
  });
  const properties =
    '/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/schema/properties';
  assert.equal(place(document, `${properties}/list`), 'api.yaml:28:11');
  assert.equal(place(document, `${properties}/list/items`), 'api.yaml:28:51');
});

test('Swagger 2.0: form parameters without a file are urlencoded', async (t) => {
  const text = swagger.replace('type: file', 'type: string').replace(/.*multipart.*\n/, '');
  const { root } = await readGood(t, { 'api.yaml': text });
  const { content } = root.paths['/things/{id}'].post.requestBody;
  assert.deepEqual(Object.keys(content), ['application/x-www-form-urlencoded']);
});

test('Swagger 2.0: collectionFormat becomes style, and csv where nothing is said', async (t) => {
  const { root, document } = await readGood(t, { 'api.yaml': swagger });
  const [tags, ids, parts, page] = root.paths['/things/{id}'].get.parameters;
  assert.deepEqual([tags.style, tags.explode], ['form', true]);
  assert.deepEqual([ids.style, ids.explode], ['form', false]);
  assert.deepEqual([parts.style, parts.explode], ['pipeDelimited', false]);
  assert.deepEqual(page, { $ref: '#/components/parameters/page' });
  assert.deepEqual(root.components.parameters.page, {
    name: 'page',
    in: 'query',
    schema: { type: 'integer', exclusiveMinimum: 1, default: 2 },
  });
  assert.equal(place(document, '/components/parameters/page/schema/default'), 'api.yaml:37:84');
});

test('Swagger 2.0: schema, examples and headers of a response', async (t) => {
  const { root, document } = await readGood(t, { 'api.yaml': swagger });
  assert.deepEqual(root.paths['/things/{id}'].get.responses['200'], {
    description: 'ok',
    headers: { 'X-Rate': { schema: { type: 'integer', format: 'int32' } } },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Thing' },
        example: { kind: 'a' },
      },
    },
  });
  const media = '/paths/~1things~1{id}/get/responses/200/content/application~1json';
  assert.equal(place(document, `${media}/schema`), 'api.yaml:20:11');
  assert.equal(place(document, `${media}/example/kind`), 'api.yaml:21:41');
});

test('Swagger 2.0: a reference into an operation leads to where the schema is now', async (t) => {
  const { root } = await readGood(t, { 'api.yaml': swagger });
  assert.deepEqual(root.components.responses.Missing.content['application/json'].schema, {
    $ref: '#/paths/~1things~1{id}/get/responses/200/content/application~1json/schema',
  });
});

test('Swagger 2.0: security definitions and discriminators', async (t) => {
  const { root } = await readGood(t, { 'api.yaml': swagger });
  assert.deepEqual(root.components.securitySchemes, {
    login: { type: 'http', scheme: 'basic' },
    grant: {
      type: 'oauth2',
      flows: {
        authorizationCode: { authorizationUrl: 'x', tokenUrl: 'y', scopes: { a: 'b' } },
      },
    },
    service: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'y', scopes: {} } } },
  });
  const { Thing } = root.components.schemas;
  assert.deepEqual(Thing.discriminator, { propertyName: 'kind' });
  assert.deepEqual(Thing.properties.kind, { type: 'string', examples: ['a'] });
});
