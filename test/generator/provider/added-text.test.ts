import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from './workplace.ts';

test('paths that lie in other files are counted and named when they are missing', async (t) => {
  const place = createWorkplace(t);
  const answer = '{ type: object, properties: { a: { $ref: nowhere.yaml } } }';
  place.write(
    'api.yaml',
    `openapi: 3.1.0
info: { title: Things, version: "1" }
servers: [{ url: https://api.things.example }]
paths:
  /a: { $ref: paths/a.yaml }
  /u: { $ref: "https://api.things.example/u.yaml" }
  /b:
    get:
      operationId: getB
      responses: { "200": { description: Done, content: { application/json: { schema: ${answer} } } } }
`,
  );
  const { code, out } = await place.run('add', 'things', '--openapi', 'api.yaml');
  assert.equal(code, 0);
  assert.match(
    out,
    /1 of 1 operations are switched on; the operations of 2 more paths cannot be read\./,
  );
  assert.match(out, /^and run the same command with --root DIR/m);
  assert.match(
    out,
    /^ {2}\/a: \$ref "paths\/a\.yaml" leads to a file that is missing \(api.yaml:5\)$/m,
  );
  assert.match(out, /^ {2}\/u: \$ref "https:.* to another address \(api.yaml:6\)$/m);
  assert.match(
    out,
    /1 error; what is switched on is free of it:\n {2}SPEC006 .*nowhere\.yaml.*:10\)$/m,
  );
});

test('what is read otherwise than it is written is told with its place', async (t) => {
  const place = createWorkplace(t);
  const named = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
  const schema = { ...named('a'), allOf: [named('b')], additionalProperties: false };
  const answer = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  const description = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://api.things.example' }],
    paths: { '/things/{id}': { get: { operationId: 'getThing', responses: answer } } },
  };
  place.write('api.json', JSON.stringify(description));
  const { code, out } = await place.run('add', 'things', '--openapi', 'api.json');
  assert.equal(code, 0);
  const [, told = ''] = out.split('\nRead otherwise than it is written');
  assert.match(
    told,
    /^ {2}SPEC005 path parameter "id" of .* is read as a text \(api\.json:\d+\)$/m,
  );
  assert.match(told, /^ {2}SPEC027 it forbids what its own parts name.*\(api\.json:\d+\)$/m);
  assert.doesNotMatch(out, /The description has/);
});

for (const [what, schemes, told] of [
  [
    'all keys that are demanded together',
    {
      key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      app: { type: 'apiKey', in: 'header', name: 'X-App-Id' },
    },
    'Set SERVICE_THINGS_TOKEN to a credential of yours, and SERVICE_THINGS_APP_ID to what belongs to it.',
  ],
  [
    'the two parts of Basic',
    { basic: { type: 'http', scheme: 'basic' } },
    'Set SERVICE_THINGS_TOKEN to user:password.',
  ],
  [
    'the two parts of Basic as the vendor calls them',
    { basic: { type: 'http', scheme: 'basic', description: 'Your access key and secret key.' } },
    'Set SERVICE_THINGS_TOKEN to user:password.\n     SERVICE_THINGS_TOKEN holds access key:secret key, the user and password.',
  ],
  [
    'the key that is the user of Basic',
    { basic: { type: 'http', scheme: 'basic', description: 'Send your API key as the username.' } },
    'Set SERVICE_THINGS_TOKEN to your key (it is the user of Basic authentication, without a password).',
  ],
  [
    'a signature, which nothing here makes',
    { signed: { type: 'apiKey', in: 'header', name: 'X-Acme-Signature' } },
    'The description names signed, which tools cannot send: put a proxy that signs or identifies before the vendor.',
  ],
] as const) {
  test(`add names what to set: ${what}`, async (t) => {
    const place = createWorkplace(t);
    const demanded = Object.fromEntries(Object.keys(schemes).map((name) => [name, []]));
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const content = { 'application/json': { schema } };
    const description = {
      openapi: '3.1.0',
      info: { title: 'Things', version: '1' },
      servers: [{ url: 'https://api.things.example' }],
      security: [demanded],
      components: { securitySchemes: schemes },
      paths: { '/a': { get: { responses: { 200: { description: 'Done', content } } } } },
    };
    place.write('api.json', JSON.stringify(description));
    const { out } = await place.run('add', 'things', '--openapi', 'api.json');
    assert.ok(out.includes(`  4. ${told}\n`), out);
  });
}

test('where only a deployment knows its host, add says where to write it, and where tokens come from', async (t) => {
  const place = createWorkplace(t);
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const responses = { 200: { description: 'Done', content: { 'application/json': { schema } } } };
  const tokenUrl = 'https://$THINGS_HOST/oauth/token';
  const flows = { clientCredentials: { tokenUrl, scopes: {} } };
  const description = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://$THINGS_HOST' }],
    security: [{ oauth: [] }],
    components: { securitySchemes: { oauth: { type: 'oauth2', flows } } },
    paths: { '/a': { get: { responses } } },
  };
  place.write('api.json', JSON.stringify(description));
  const { out } = await place.run('add', 'things', '--openapi', 'api.json');
  const first = 'Read curation.yaml, write the host of your server into "servers" and settle what';
  assert.ok(out.includes(first), out);
  assert.ok(out.includes('get one at /oauth/token of your server with your client id'), out);

  description.servers = [{ url: 'https://api.things.example' }];
  place.write('api.json', JSON.stringify(description));
  const known = await place.run('add', 'other', '--openapi', 'api.json');
  assert.ok(known.out.includes('Read curation.yaml and settle what'), known.out);
});

test('add names what some operations want besides', async (t) => {
  const place = createWorkplace(t);
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const responses = { 200: { description: 'Done', content: { 'application/json': { schema } } } };
  const parameters = [
    { name: 'X-User-Token', in: 'header', required: true, schema: { type: 'string' } },
  ];
  const description = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://api.things.example' }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } },
    paths: { '/a': { get: { responses } }, '/b': { get: { parameters, responses } } },
  };
  place.write('api.json', JSON.stringify(description));
  const { out } = await place.run('add', 'things', '--openapi', 'api.json');
  assert.ok(
    out.includes(`  4. Set SERVICE_THINGS_TOKEN to a credential of yours.
     Set SERVICE_THINGS_USER_TOKEN to what belongs to it, for things_b_get.
`),
    out,
  );
});

test('what is lost of parameters and bodies keeps their operations off, and is said beside them', async (t) => {
  const place = createWorkplace(t);
  place.write(
    'api.yaml',
    `swagger: "2.0"
info: { title: Things, version: "1" }
host: api.things.example
paths:
  /a: { get: { operationId: getA, responses: { "200": { description: Done } } } }
  /b:
    get:
      operationId: getB
      parameters: [{ name: ids, in: query, type: array, items: { type: string }, collectionFormat: tsv }]
      responses: { "200": { description: Done } }
  /c:
    post:
      operationId: addC
      parameters: [{ name: c, in: body, schema: { $ref: "c.yaml#/C" } }]
      responses: { "200": { description: Done } }
`,
  );
  const { out } = await place.run('add', 'things', '--openapi', 'api.yaml');
  assert.match(out, /1 of 3 operations are switched on/);
  const curation = place.read('specs/providers/things/curation.yaml');
  assert.match(curation, /# - name: \w+ # review: collectionFormat "tsv" has no form in OpenAPI 3/);
  assert.match(curation, /# - name: \w+ # review: \$ref "c\.yaml" leads to a file that is missing/);
});

test('a file that holds all paths and is missing is named, with what to do', async (t) => {
  const place = createWorkplace(t);
  const text = 'openapi: 3.1.0\ninfo: { title: Things, version: "1" }\npaths: { $ref: all.yaml }\n';
  place.write('api.yaml', text);
  const { code, err } = await place.run('add', 'things', '--openapi', 'api.yaml');
  assert.equal(code, 2);
  assert.match(
    err,
    /\$ref "all\.yaml" leads to a file that is missing\n.*put it there, with --root/,
  );
  assert.match(err, /^all of its paths are said to stand in another file: \$ref "all\.yaml"/m);
  assert.doesNotMatch(err, /must have "paths"/);
});

test('what agents may do once a person says so is counted, with some names', async (t) => {
  const place = createWorkplace(t);
  const answer = { 200: { description: 'ok' } };
  const post = (operationId: string) => ({ post: { operationId, responses: answer } });
  const description = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://api.things.example' }],
    paths: {
      '/things': { get: { operationId: 'listThings', responses: answer } },
      '/things/{id}': { delete: { operationId: 'deleteThing', responses: answer } },
      '/login': post('logIn'),
      ...Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e'].map((name) => [`/${name}/pay`, post(`${name}Pay`)]),
      ),
    },
  };
  place.write('api.json', JSON.stringify(description));
  const { code, out } = await place.run('add', 'things', '--openapi', 'api.json');
  assert.equal(code, 0);
  const [, told = ''] = out.split('Off until you say that agents may do it');
  assert.deepEqual(told.split('\n').slice(2, 5), [
    '    1 log people in or out: things_log_in',
    '    5 may spend money: things_a_pay, things_b_pay, things_c_pay, 2 more',
    '    1 take something away: things_delete_thing',
  ]);
  const again = await place.run('add', 'things', '--openapi', 'api.json');
  assert.doesNotMatch(again.out, /Off until/);
});
