import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { parse } from 'yaml';
import { exitCodes } from '../../../generator/commands/exit-codes.ts';
import { generate } from '../../../generator/pipeline/pipeline.ts';
import { secondOpinion } from '../../../generator/provider/second-opinion.ts';
import { acme } from './acme.ts';
import { createWorkplace } from './workplace.ts';

const folder = 'specs/providers/acme';

test('a description that nobody has seen becomes a provider that generates', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'acme.yaml');
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /3 of 7 operations are switched on/);
  assert.match(out, /^ {2}5\. SERVICE_PROVIDER=acme npm start/m);
  assert.match(out, /^swagger-parser accepts the description too\.$/m);
  t.assert.fileSnapshot(
    place.read(`${folder}/curation.yaml`),
    join(import.meta.dirname, 'acme.curation.yaml'),
    { serializers: [String] },
  );
  const { diagnostics, written } = await generate({ base: place.base });
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );
  assert.ok(written?.written.includes('generated/providers/acme/teams.ts'));
});

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

test('the description is cut to the operations that are switched on and what they need', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  const sliced = parse(place.read(`${folder}/openapi.yaml`));
  assert.equal(sliced.openapi, '3.1.0');
  assert.deepEqual(Object.keys(sliced.paths), ['/teams', '/teams/{team_id}']);
  assert.deepEqual(Object.keys(sliced.paths['/teams']), ['get', 'post']);
  assert.deepEqual(Object.keys(sliced.components.schemas), ['Team']);
  const names = sliced.paths['/teams'].get.parameters.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['page', 'per_page'], 'the credential is no parameter');
});

test('every switched-on tool has a fixture, without credentials and cut to a readable size', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  assert.deepEqual(readdirSync(join(place.base, folder, 'fixtures')), [
    'acme_teams_create.json',
    'acme_teams_get.json',
    'acme_teams_list.json',
  ]);
  const fixture = JSON.parse(place.read(`${folder}/fixtures/acme_teams_get.json`));
  assert.equal(fixture.source, 'documented');
  assert.match(fixture.request.url, /^https:\/\/api\.acme\.example\/v2\/teams\/[^/]+$/);
  assert.equal(fixture.response.body.secret, 'redacted');
  assert.equal(fixture.response.body.members.length, 2);
  const upstream = JSON.parse(place.read(`${folder}/UPSTREAM.json`));
  assert.match(upstream.sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(
    [upstream.file, upstream.version, upstream.licence, upstream.operations_total],
    ['acme.yaml', '4', 'MIT', 7],
  );
});

test('texts of a description are kept unless its licence may forbid it, or somebody says so', async (t) => {
  const place = createWorkplace(t);
  place.write('own.yaml', acme.replace(', license: { name: MIT License }', ''));
  const own = await place.run('add', 'own', '--openapi', 'own.yaml');
  assert.match(own.out, /names no licence; its texts were kept/);
  assert.match(place.read('specs/providers/own/openapi.yaml'), /There is more to say/);
  place.write('empty.yaml', acme.replace('{ name: MIT License }', "{ name: '' }"));
  const empty = await place.run('add', 'empty', '--openapi', 'empty.yaml');
  assert.match(empty.out, /names no licence; its texts were kept/);
  await place.run('add', 'own', '--openapi', 'own.yaml', '--texts', 'drop');
  assert.doesNotMatch(place.read('specs/providers/own/openapi.yaml'), /There is more to say/);
  const odd = await place.run('add', 'own', '--openapi', 'own.yaml', '--texts', 'some');
  assert.match(odd.err, /^--texts is keep or drop, not "some"/);
  place.write('acme.yaml', acme.replace('MIT License', 'Proprietary'));
  const { out } = await place.run('add', 'acme', '--openapi', 'acme.yaml');
  assert.match(out, /The texts of the description were left out/);
  assert.doesNotMatch(place.read(`${folder}/openapi.yaml`), /There is more to say|All of them/);
  await place.run('add', 'acme_two', '--openapi', 'acme.yaml', '--licence', 'MIT');
  assert.match(place.read('specs/providers/acme_two/openapi.yaml'), /There is more to say/);
});

test('adding again keeps the curation and the fixtures, and brings in what was switched on', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  const edited = place
    .read(`${folder}/curation.yaml`)
    .replace(/^ {2}# (- name: acme_teams_delete\n(?: {2}# {3}.*\n)*)/m, (block) =>
      block.replaceAll('  # ', '  '),
    )
    .replace('title: Acme Public API', 'title: Acme');
  place.write(`${folder}/curation.yaml`, edited);
  place.write(`${folder}/fixtures/acme_teams_get.json`, '{"kept": true}');
  const { code, out } = await place.run('add', 'acme', '--openapi', 'acme.yaml');
  assert.equal(code, 0);
  assert.match(out, /Extended the provider acme: 4 of 7/);
  assert.equal(place.read(`${folder}/curation.yaml`), edited);
  assert.equal(place.read(`${folder}/fixtures/acme_teams_get.json`), '{"kept": true}');
  assert.ok(existsSync(join(place.base, folder, 'fixtures/acme_teams_delete.json')));
  assert.ok(parse(place.read(`${folder}/openapi.yaml`)).paths['/teams/{team_id}'].delete);
});

test('a description without the operations of a curation takes the place of none', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  place.write('other.yaml', acme.replaceAll('operationId: ', 'operationId: other_'));
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  const files = () =>
    ['openapi.yaml', 'UPSTREAM.json'].map((name) => place.read(`${folder}/${name}`));
  const before = files();
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'other.yaml');
  assert.deepEqual([code, out], [exitCodes.errors, '']);
  assert.match(err, /curation\.yaml:\d+:\d+ error P001 /);
  assert.match(
    err,
    /3 of the 3 operations in curation\.yaml are not in this description.*nothing was written/,
  );
  assert.deepEqual(files(), before);
});

test('without a read that answers JSON the first sound operations are switched on, for review', async (t) => {
  const place = createWorkplace(t);
  place.write(
    'convert.yaml',
    `openapi: 3.0.3
info: { title: Convert, version: '1' }
servers: [{ url: 'https://api.convert.example' }]
paths:
  /convert:
    post: { operationId: convert_file, summary: Convert a file, responses: { '200': { description: ok } } }
  /merge:
    post: { operationId: merge_files, summary: Merge some files, responses: { '200': { description: ok } } }
`,
  );
  const { code, out } = await place.run('add', 'acme', '--openapi', 'convert.yaml');
  assert.equal(code, 0);
  assert.match(out, /2 of 2 operations are switched on/);
  const text = place.read(`${folder}/curation.yaml`);
  assert.match(text, /^ {2}- name: acme_convert_file # review: no read that answers JSON/m);
  assert.match(text, /^ {2}- name: acme_merge_files # review: no read that answers JSON/m);
  assert.equal((await place.run('check', 'acme')).code, 0);
});

test('what destroys is not switched on by itself, unless there is nothing else: then it is marked', async (t) => {
  const place = createWorkplace(t);
  const post = (name: string) => ({
    post: { operationId: name, responses: { 200: { description: 'ok' } } },
  });
  const description = (paths: object) =>
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Convert', version: '1' },
      servers: [{ url: 'https://api.convert.example' }],
      paths,
    });
  const harmful = { '/wipe': post('wipe_all'), '/orders': post('cancelOrder') };
  place.write('some.json', description({ ...harmful, '/convert': post('convert_file') }));
  assert.match(
    (await place.run('add', 'acme', '--openapi', 'some.json')).out,
    /1 of 3 operations are switched on/,
  );
  assert.match(
    place.read(`${folder}/curation.yaml`),
    /^ {2}# - name: acme_wipe_all\n(?: {2}#.*\n)*? {2}# {3}annotations: \{ readOnly: false, destructive: true/m,
  );
  place.write('all.json', description(harmful));
  assert.equal((await place.run('add', 'bad', '--openapi', 'all.json')).code, 0);
  assert.deepEqual(place.read('specs/providers/bad/curation.yaml').match(/^ {2}- name: .*/gm), [
    '  - name: bad_wipe_all # review: no read that answers JSON was found: is this the one to begin with? Its name says that it takes something away',
  ]);
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

test('an API of POST alone gets fixtures with bodies, and what only asks goes first', async (t) => {
  const place = createWorkplace(t);
  place.write(
    'post.yaml',
    `openapi: 3.1.0
info: { title: Post, version: '1', license: {} }
servers: [{ url: 'https://api.post.example' }]
components:
  schemas:
    'post:payout@1':
      type: object
      required: [amount, currency]
      properties:
        amount: { type: integer, minimum: 5 }
        currency: { enum: [EUR, USD] }
        note: { type: string }
paths:
  /payouts/create:
    post:
      operationId: payouts_create
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/post:payout@1' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
  /payouts/list:
    post:
      operationId: payouts_list
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [key], properties: { key: { type: string } } } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
`,
  );
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'post.yaml');
  assert.equal(code, 0, err);
  assert.match(out, /1 of 2 operations are switched on/);
  const curation = place.read(`${folder}/curation.yaml`);
  assert.match(curation, /^ {2}- name: acme_payouts_list/m);
  place.write(`${folder}/curation.yaml`, curation.replace(/^ {2}# ((?:- | {2})\S.*)$/gm, '  $1'));
  assert.equal((await place.run('add', 'acme', '--openapi', 'post.yaml')).code, 0);
  const fixture = JSON.parse(place.read(`${folder}/fixtures/acme_payouts_create.json`));
  assert.deepEqual(fixture.arguments, { amount: 5, currency: 'EUR' });
  const checked = await place.run('check', 'acme');
  assert.equal(checked.code, 0, checked.err);
});

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
        - { name: X-Account, in: header, required: true, schema: { type: string } }
        - { name: X-Xsrf-Token, in: header, required: true, schema: { type: string, enum: [no-check] } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
`,
  );
  const { code, err } = await place.run('add', 'acme', '--openapi', 'headers.yaml');
  assert.equal(code, 0, err);
  const text = place.read(`${folder}/curation.yaml`);
  assert.match(text, /headers: \{ X-Version: 2026-04, X-Only: "2" \}/);
  assert.match(text, /params: \{ include: \[ X-Account, X-Xsrf-Token \] \}/);
  assert.equal((await place.run('check', 'acme')).code, 0);
});

test('where nothing can be switched on, the reasons are counted; webhooks are no operations', async (t) => {
  const place = createWorkplace(t);
  const head = `openapi: 3.1.0\ninfo: { title: X, version: '1' }\nservers: [{ url: 'https://x.example' }]\n`;
  const answer = `responses: { '200': { description: ok } }`;
  const lost = `parameters: [{ $ref: 'lost.yaml#/id' }]`;
  place.write(
    'odd.yaml',
    `${head}paths:\n${['a', 'b']
      .map((name) => `  /${name}:\n    get: { operationId: ${name}, ${lost}, ${answer} }\n`)
      .join('')}`,
  );
  const odd = await place.run('add', 'acme', '--openapi', 'odd.yaml');
  assert.equal(odd.code, exitCodes.errors);
  assert.match(odd.err, /none of its 2 operations can be switched on:\n {2}\d x [A-Z]+\d{3} .+/);
  place.write('hooks.yaml', `${head}webhooks:\n  thing: { post: { ${answer} } }\n`);
  const hooks = await place.run('add', 'acme', '--openapi', 'hooks.yaml');
  assert.match(hooks.err, /describes webhooks, which the vendor calls, but has no operation/);
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
  assert.match(checked.out, /acme: 3 tools, 0 errors/, checked.err);
});

test('an operation that takes what a broken reference would describe stays off, and it is said why', async (t) => {
  const response = {
    200: {
      description: 'ok',
      content: { 'application/json': { schema: { type: 'object' } } },
    },
  };
  const operation = (operationId: string, ...parameters: object[]) => ({
    get: { operationId, parameters, responses: response },
  });
  const place = createWorkplace(t);
  const description = {
    openapi: '3.0.3',
    info: { title: 'Broken', version: '1' },
    servers: [{ url: 'https://api.broken.example' }],
    paths: {
      '/apples': operation('listApples', { $ref: '#/components/parameters/Missing' }),
      '/berries': operation('listBerries', { $ref: '#/components/parameters/Half' }),
      '/cherries': operation('listCherries', { name: 'q', in: 'query', schema: {} }),
    },
    components: {
      parameters: {
        Half: { name: 'h', in: 'query', schema: { $ref: '#/components/schemas/Gone' } },
      },
    },
  };
  place.write('broken.json', JSON.stringify(description));
  const { code, out } = await place.run('add', 'broken', '--openapi', 'broken.json');
  assert.equal(code, 0, out);
  assert.match(out, /1 of 3 operations are switched on/);
  assert.match(out, /_apples\w*: \$ref "#\/components\/parameters\/Missing" leads to nothing/);
  assert.match(out, /_berries\w*: \$ref "#\/components\/schemas\/Gone" leads to nothing/);
});

test('a stable provider that has no fixtures yet gets them, and is sound then', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  assert.equal((await place.run('add', 'acme', '--openapi', 'acme.yaml')).code, 0);
  const curation = place.read(`${folder}/curation.yaml`);
  rmSync(join(place.base, folder), { recursive: true });
  place.write(`${folder}/curation.yaml`, curation.replace('status: beta', 'status: stable'));
  const again = await place.run('add', 'acme', '--openapi', 'acme.yaml');
  assert.equal(again.code, 0, again.err);
});

for (const [what, head] of [
  ['without a title and a version', 'openapi: 3.0.1\ninfo: {}'],
  ['without any info', 'openapi: 3.1.0'],
  ['whose title and version are numbers', 'openapi: 3.0.3\ninfo: { title: 5, version: 1.0 }'],
  ['whose version stands without quotes', "openapi: 3.1\ninfo: { title: A, version: '1' }"],
  ['whose version has two parts', "openapi: '3.0'\ninfo: { title: A, version: '1' }"],
] as const) {
  test(`a description ${what} drafts`, async (t) => {
    const place = createWorkplace(t);
    const rest = `servers: [{ url: https://things.example.com }]
paths:
  /things:
    get: { operationId: listThings, responses: { '200': { description: Done } } }
`;
    // YAML under the name of JSON, as some generators write it.
    place.write('new.json', `${head}\n${rest}`);
    const { code, out } = await place.run('add', 'acme', '--openapi', 'new.json');
    assert.equal(code, 0, out);
    assert.match(out, /1 of 1 operations is switched on|1 of 1 operations are switched on/);
    assert.equal((await place.run('check', 'acme')).code, 0);
  });
}

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
