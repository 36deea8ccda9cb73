import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { exitCodes } from '../../../../generator/commands/exit-codes.ts';
import { secondOpinion } from '../../../../generator/provider/second-opinion.ts';
import { createWorkplace } from '../workplace.ts';

const folder = 'specs/providers/acme';

test('another reader says on one line what it objects to, and reads nothing outside of the root', async (t) => {
  const place = createWorkplace(t);
  const small = (schema: string) => `openapi: 3.2.0
info: { title: Things, version: '1', license: { name: MIT, url: https://things.example.com/mit } }
servers: [{ url: https://things.example.com }]
paths:
  /things:
    get:
      operationId: listThings
      summary: List the things
      responses:
        '200': { description: Done, content: { application/json: { schema: ${schema} } } }
`;
  place.write('new.yaml', small('{ type: object }'));
  const { code, out } = await place.run('add', 'acme', '--openapi', 'new.yaml');
  assert.equal(code, 0);
  assert.match(out, /^swagger-parser does not accept the description: .*3\.2\.0.*$/m);
  const outside = small("{ $ref: '../secret.yaml' }").replace('3.2.0', '3.1.0');
  place.write('api/outside.yaml', outside);
  place.write('secret.yaml', 'type: object');
  const root = join(place.base, 'api');
  assert.match(
    (await secondOpinion(join(root, 'outside.yaml'), root)) ?? '',
    /not a file under the root/,
  );
  assert.equal(await secondOpinion(join(root, 'outside.yaml'), place.base), undefined);
});

test('problems name the description as it lies under this folder, by whatever link it was named', async (t) => {
  const place = createWorkplace(t);
  place.write('own/api.yaml', 'openapi: 3.1.0\npaths:\n\t/a: {}\n');
  const fault = async (...options: string[]) =>
    (await place.run('add', 'acme', '--openapi', ...options)).err.split(' ')[0];
  assert.equal(await fault('own/api.yaml'), 'own/api.yaml:3:1');
  const link = join(mkdtempSync(join(tmpdir(), 'linked-')), 'here');
  t.after(() => rmSync(dirname(link), { recursive: true }));
  symlinkSync(place.base, link);
  assert.equal(await fault(join(link, 'own/api.yaml')), 'own/api.yaml:3:1');
  assert.equal(await fault(join(link, 'own/api.yaml'), '--root', link), 'own/api.yaml:3:1');
  assert.equal(await fault('own/api.yaml', '--root', link), 'own/api.yaml:3:1');
  symlinkSync('own/api.yaml', join(place.base, 'latest.yaml'));
  assert.equal(await fault('latest.yaml'), 'latest.yaml:3:1');
});

test('a description in several files is read as one, and may not leave its root', async (t) => {
  const place = createWorkplace(t);
  place.write(
    'api/main.yaml',
    `openapi: 3.0.3
info: { title: Acme, version: '1' }
servers: [{ url: 'https://api.acme.example' }]
paths: { /things: { $ref: '../parts/things.yaml' } }
`,
  );
  place.write(
    'parts/things.yaml',
    `get:
  operationId: listThings
  summary: List all things
  responses:
    '200':
      description: ok
      content: { application/json: { schema: { type: array, items: { type: string } } } }
`,
  );
  const refused = await place.run('add', 'acme', '--openapi', 'api/main.yaml');
  assert.match(
    refused.err,
    /^api\/main\.yaml:4:\d+ error SPEC007 .*\n {4}give --root DIR[\s\S]*no operation that a client could call/,
  );
  const { code, out } = await place.run('add', 'acme', '--openapi', 'api/main.yaml', '--root', '.');
  assert.equal(code, 0);
  assert.match(out, /1 of 1 operations/);
  assert.match(place.read(`${folder}/curation.yaml`), /name: acme_list_things/);
});

test('a security scheme that stands in another file is the one that is named (OpenAPI 3.1, components object)', async (t) => {
  const place = createWorkplace(t);
  const schemes = (apiKey: string) => `openapi: 3.1.0
info: { title: Acme, version: '1' }
servers: [{ url: 'https://api.acme.example' }]
components: { securitySchemes: ${apiKey} }
paths:
  /things:
    get:
      operationId: listThings
      summary: List all things
      security: [{ apiKey: [] }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
`;
  place.write('key.yaml', 'type: apiKey\nin: header\nname: X-Acme-Key\n');
  place.write('schemes.yaml', 'apiKey: { $ref: key.yaml }\n');
  place.write('one.yaml', schemes('{ apiKey: { $ref: key.yaml } }'));
  place.write('all.yaml', schemes('{ $ref: schemes.yaml }'));
  const local =
    "{ apiKey: { $ref: '#/components/securitySchemes/k' }, k: { type: apiKey, in: header, name: X-Acme-Key } }";
  place.write('local.yaml', schemes(local));
  for (const file of ['one', 'all', 'local']) {
    const { code, out } = await place.run('add', `acme_${file}`, '--openapi', `${file}.yaml`);
    assert.equal(code, 0);
    assert.match(out, /1 of 1 operations/);
    const text = place.read(`specs/providers/acme_${file}/curation.yaml`);
    assert.match(text, /name: X-Acme-Key/);
    assert.doesNotMatch(text, /also offers/);
  }
});

test('an operation in another file keeps what it says of the parameters of its path', async (t) => {
  const place = createWorkplace(t);
  const info = "{ title: Acme, version: '1' }";
  place.write(
    'main.yaml',
    `openapi: 3.1.0
info: ${info}
servers: [{ url: 'https://api.acme.example' }]
paths: { '/things/{thingId}': { get: { $ref: thing.yaml } } }
`,
  );
  place.write(
    'thing.yaml',
    `operationId: getThing
summary: Get a thing
parameters: [{ name: thingId, in: path, required: true, schema: { type: string, minLength: 32 } }]
responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
`,
  );
  const { code } = await place.run('add', 'acme', '--openapi', 'main.yaml');
  assert.equal(code, 0);
  assert.match(place.read(`${folder}/openapi.yaml`), /minLength: 32/);
});

test('a broken description ends in positioned diagnostics, and nothing is written', async (t) => {
  const place = createWorkplace(t);
  place.write('broken.yaml', 'openapi: 3.1.0\npaths:\n\t/a: {}\n');
  const { code, err } = await place.run('add', 'acme', '--openapi', 'broken.yaml');
  assert.equal(code, 2);
  assert.match(err, /^broken\.yaml:3:1 error SPEC002 /);
  assert.match(err, /nothing was written\n$/);
  assert.equal(existsSync(join(place.base, folder)), false);
});

for (const [what, argv, expected] of [
  ['no command', [], /a command is missing/],
  ['an unknown command', ['remove'], /no command remove/],
  ['an id with capitals', ['add', 'Acme', '--openapi', 'a.yaml'], /"Acme" is no provider id/],
  [
    'a description without its option',
    ['add', 'acme', 'a.yaml'],
    /takes one provider id, and got "a.yaml" besides "acme": a description is named by --openapi/,
  ],
  ['a path as id', ['add', '../x', '--openapi', 'a.yaml'], /is no provider id/],
  ['no description', ['add', 'acme'], /--openapi FILE\|URL is missing/],
  ['a missing file', ['add', 'acme', '--openapi', 'a.yaml'], /there is no file a\.yaml/],
  ['an unknown option', ['add', 'acme', '--force'], /Unknown option '--force'/],
  ['an unknown provider', ['check', 'acme'], /there is no provider acme/],
] as const) {
  test(`${what} is refused with the usage`, async (t) => {
    const { code, err } = await createWorkplace(t).run(...argv);
    assert.equal(code, 3);
    assert.match(err, expected);
    assert.match(err, /\n\nUsage: npm run provider/);
  });
}

for (const [given, shown] of [
  ['http://[', 'http://['],
  ['http://', 'http://'],
  ['https://exa mple/x', 'https://exa mple/x'],
  ['http://x:99999/', 'http://x:99999/'],
  ['https://me:s3cret@%/a?key=s3cret', 'https://%/a'],
] as const) {
  test(`"${shown}" in the place of an address is refused with the usage`, async (t) => {
    const place = createWorkplace(t);
    const expected = `--openapi takes a file or an http(s) address, and "${shown}" is none\n\nUsage: `;
    place.write('specs/providers/acme/curation.yaml', '');
    for (const command of ['add', 'drift']) {
      const { code, err } = await place.run(command, 'acme', '--openapi', given);
      assert.equal(code, exitCodes.usage);
      assert.equal(err.slice(0, expected.length), expected);
    }
  });
}
