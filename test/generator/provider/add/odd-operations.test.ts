import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'yaml';
import { createWorkplace } from '../workplace.ts';

const folder = 'specs/providers/acme';

test('a search whose query takes more than a tool may say is drafted, its depths left open', async (t) => {
  const place = createWorkplace(t);
  const part = (index: number) => ({
    type: 'object',
    properties: {
      kind: { enum: Array.from({ length: 40 }, (_, value) => `kind-${index}-${value}`) },
      next: { $ref: `#/components/schemas/Part${index + 1}` },
    },
  });
  const parts = Array.from({ length: 60 }, (_, index) => [`Part${index}`, part(index)] as const);
  const query = { type: 'object', properties: { query: { $ref: '#/components/schemas/Part0' } } };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const search = {
    operationId: 'search',
    requestBody: json(query),
    responses: { 200: { description: 'ok', ...json({ type: 'array', items: {} }) } },
  };
  const description = {
    openapi: '3.1.0',
    info: { title: 'Deep', version: '1' },
    servers: [{ url: 'https://deep.example.com' }],
    paths: { '/search': { post: search } },
    components: { schemas: Object.fromEntries([...parts, ['Part60', { type: 'object' }]]) },
  };
  place.write('deep.json', JSON.stringify(description));
  const { code, err } = await place.run('add', 'deep', '--openapi', 'deep.json');
  assert.equal(code, 0, err);
  const checked = await place.run('check', 'deep');
  assert.equal(checked.code, 0, checked.err);
  assert.match(checked.out + checked.err, /SPEC021 .* of its definitions are left open/);
});

test('a required header is a constant where one value is known, else an argument', async (t) => {
  const place = createWorkplace(t);
  place.write(
    'headers.yaml',
    `openapi: 3.0.3
info: { title: Headers, version: '1' }
servers: [{ url: 'https://api.headers.example' }]
paths:
  /things:
    get:
      operationId: list_things
      parameters:
        - { name: X-Version, in: header, required: true, schema: { type: string, default: '2026-04' } }
        - { name: X-Only, in: header, required: true, schema: { type: integer, enum: [2] } }
        - { name: Accept, in: header, required: true, schema: { enum: [application/vnd.x.v1+json] } }
        - { name: X-Account, in: header, required: true, schema: { type: string } }
        - { name: X-Xsrf-Token, in: header, required: true, schema: { type: string, enum: [no-check] } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
`,
  );
  const { code, err } = await place.run('add', 'acme', '--openapi', 'headers.yaml');
  assert.equal(code, 0, err);
  const text = place.read(`${folder}/curation.yaml`);
  assert.match(
    text,
    /headers: \{ X-Version: 2026-04, X-Only: "2", Accept: application\/vnd.x.v1\+json \}/,
  );
  assert.match(text, /params: \{ include: \[ X-Account, X-Xsrf-Token \] \}/);
  assert.equal((await place.run('check', 'acme')).code, 0);
});

test('odd names become arguments, #other means the path before it, an empty enum is none', async (t) => {
  const place = createWorkplace(t);
  place.write(
    'odd.yaml',
    `openapi: 3.0.3
info: { title: Odd, version: '1' }
servers: [{ url: 'https://api.odd.example' }]
paths:
  /things:
    get:
      operationId: list_things
      parameters:
        - { name: 'ids[]', in: query, required: true, schema: { type: array, items: { type: integer } } }
        - { name: kind, in: query, schema: { type: string, enum: [] } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
  '/things/{id}#full':
    get:
      operationId: get_thing
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
`,
  );
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'odd.yaml');
  assert.equal(code, 0, err);
  assert.match(out, /2 of 2 operations are switched on/);
  assert.match(place.read(`${folder}/curation.yaml`), /params: \{ rename: \{ "ids\[\]": ids \} \}/);
  const one = JSON.parse(place.read(`${folder}/fixtures/acme_get_thing.json`));
  assert.equal(one.request.url, 'https://api.odd.example/things/example');
  const checked = await place.run('check', 'acme');
  assert.equal(checked.code, 0, checked.err);
});

test('a description of OpenAPI 3.2 is drafted with its own methods and query strings', async (t) => {
  const place = createWorkplace(t);
  const answer = `responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: string } } } } } }`;
  const body = `{ type: object, required: [q], properties: { q: { type: string } } }`;
  place.write(
    'new.yaml',
    `openapi: 3.2.0
info: { title: New, version: '1' }
servers: [{ url: 'https://api.new.example' }]
paths:
  /things:
    query:
      operationId: query_things
      requestBody: { required: true, content: { application/json: { schema: ${body} } } }
      ${answer}
    additionalOperations:
      LINK: { operationId: link_thing, ${answer} }
      COPY: { ${answer} }
  /search:
    get:
      operationId: search_things
      parameters:
        - { name: criteria, in: querystring, required: true, content: { application/x-www-form-urlencoded: { schema: ${body} } } }
      ${answer}
`,
  );
  assert.equal((await place.run('add', 'acme', '--openapi', 'new.yaml')).code, 0);
  const curation = place.read(`${folder}/curation.yaml`);
  assert.match(curation, /^ {2}- name: acme_query_things/m);
  place.write(`${folder}/curation.yaml`, curation.replace(/^ {2}# ((?:- | {2})\S.*)$/gm, '  $1'));
  const again = await place.run('add', 'acme', '--openapi', 'new.yaml');
  assert.equal(again.code, 0, again.err);
  const checked = await place.run('check', 'acme');
  assert.match(checked.out, /acme: 4 tools, 0 errors/, checked.err);
});

test('methods that are none, that have a field of their own or are never sent become no tool', async (t) => {
  const place = createWorkplace(t);
  const operation = (operationId: string) => ({
    operationId,
    responses: { 200: { description: 'ok' } },
  });
  const description = {
    openapi: '3.2.0',
    info: { title: 'Methods', version: '1' },
    servers: [{ url: 'https://api.methods.example' }],
    paths: {
      '/things': {
        get: operation('list_things'),
        trace: operation('trace_things'),
        additionalOperations: {
          COPY: operation('copy_thing'),
          'BAD METHOD\r\nX': operation('bad_thing'),
          GET: operation('get_again'),
          connect: operation('connect_thing'),
        },
      },
    },
  };
  place.write('methods.json', JSON.stringify(description));
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'methods.json');
  assert.equal(code, 0, err);
  assert.match(out, /1 of 4 operations are switched on/);
  assert.match(out, /SPEC005 "BAD METHOD\\u\{d\}\\u\{a\}X" is not a method \(RFC 9110, 9\.1\)/);
  assert.match(
    out,
    /SPEC005 "GET" is not a method \(RFC 9110, 9\.1\) that has no field of its own/,
  );
  const curation = place.read(`${folder}/curation.yaml`);
  assert.doesNotMatch(curation, /bad_thing|get_again/);
  assert.match(curation, /- name: acme_connect_thing # review: connect is never sent/);
  assert.match(curation, /- name: acme_trace_things # review: TRACE is never sent/);
  place.write(`${folder}/curation.yaml`, curation.replace(/^ {2}# ((?:- | {2})\S.*)$/gm, '  $1'));
  await place.run('add', 'acme', '--openapi', 'methods.json');
  const checked = await place.run('check', 'acme');
  assert.match(checked.err + checked.out, /2 errors/);
});

test('credentials that are demanded together come from variables of their own', async (t) => {
  const place = createWorkplace(t);
  place.write(
    'new.yaml',
    `openapi: 3.0.3
info: { title: Flows, version: '1' }
servers: [{ url: https://flows.example.com }]
security: [{ key: [], token: [] }]
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-User-Access-Key }
    token: { type: apiKey, in: header, name: X-User-Access-Token }
paths:
  /flows:
    get: { operationId: listFlows, responses: { '200': { description: Done } } }
`,
  );
  assert.equal((await place.run('add', 'acme', '--openapi', 'new.yaml')).code, 0);
  const { auth, headers } = parse(place.read(`${folder}/curation.yaml`));
  assert.deepEqual(auth[0].name, 'X-User-Access-Key');
  assert.deepEqual(headers, { 'X-User-Access-Token': '{env:SERVICE_ACME_USER_ACCESS_TOKEN}' });
});

test('a body whose members are objects that the description lists is drafted with them', async (t) => {
  const place = createWorkplace(t);
  const properties = { only: { const: { a: [1, 2] } }, some: { enum: [{ b: 1 }, { b: 2 }] } };
  const schema = { type: 'object', required: ['only', 'some'], properties };
  const answer = { type: 'object', properties: { id: { type: 'string' } } };
  const post = {
    operationId: 'createThing',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: answer } } },
    },
  };
  const root = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/things': { post } },
  };
  place.write('things.yaml', JSON.stringify(root));
  const { code, err } = await place.run('add', 'acme', '--openapi', 'things.yaml');
  assert.equal(code, 0, err);
  const fixture = place.read('specs/providers/acme/fixtures/acme_create_thing.json');
  assert.deepEqual(JSON.parse(fixture).arguments, { only: { a: [1, 2] }, some: { b: 1 } });
});

for (const [what, type, media, body] of [
  ['a line', 'application/x-ndjson', 'schema', '{"id":1}\n'],
  ['an item', 'application/json-seq', 'itemSchema', '\u001e{"id":1}\n'],
] as const) {
  test(`the fixture of ${type} with the schema of ${what} holds lines`, async (t) => {
    const place = createWorkplace(t);
    const schema = { type: 'object', properties: { id: { type: 'integer', example: 1 } } };
    const root = {
      openapi: '3.2.0',
      info: { title: 'Things', version: '1' },
      servers: [{ url: 'https://api.example.com' }],
      paths: {
        '/things': {
          get: {
            operationId: 'listThings',
            responses: { 200: { description: 'Done', content: { [type]: { [media]: schema } } } },
          },
        },
      },
    };
    place.write('things.yaml', JSON.stringify(root));
    const { code, err } = await place.run('add', 'acme', '--openapi', 'things.yaml');
    assert.equal(code, 0, err);
    const fixture = place.read('specs/providers/acme/fixtures/acme_list_things.json');
    const { response } = JSON.parse(fixture);
    assert.deepEqual([response.headers['content-type'], response.body], [type, body]);
  });
}
