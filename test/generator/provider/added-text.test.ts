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
    'the key that is the user of Basic',
    { basic: { type: 'http', scheme: 'basic', description: 'Send your API key as the username.' } },
    'Set SERVICE_THINGS_TOKEN to your key (it is the user of Basic authentication, without a password).',
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
