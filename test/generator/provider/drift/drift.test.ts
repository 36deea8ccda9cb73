import assert from 'node:assert/strict';
import test from 'node:test';
import { acme } from '../acme.ts';
import { createWorkplace } from '../workplace.ts';
import { drafted } from './drafted.ts';

interface Told {
  readonly kind: string;
  readonly tool: string;
  readonly text: string;
  readonly breaks: boolean;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly help: string;
}

test('the same description has not drifted', async (t) => {
  const { drift } = drafted(t);
  const { code, out } = await drift({});
  assert.equal(code, 0);
  assert.equal(
    out,
    'acme: 3 tools held against version 4: 0 changes, 0 of them break callers, 0 operations are new\n',
  );
});

const changes: readonly [string, Readonly<Record<string, string>>, number, RegExp][] = [
  [
    'an operation that is gone',
    {
      "  /teams/{team_id}:\n    parameters:\n      - { name: team_id, in: path, required: true, type: string, pattern: '^T[0-9]+$' }\n    get:\n      operationId: teams.get\n":
        "  /teams/{team_id}:\n    parameters:\n      - { name: team_id, in: path, required: true, type: string, pattern: '^T[0-9]+$' }\n    put:\n      operationId: teams.put\n",
    },
    1,
    /^specs\/providers\/acme\/curation\.yaml:\d+:5 removed acme_teams_get: operationId teams\.get, GET \/teams\/\{team_id\} is not in the description\n {4}point from of/m,
  ],
  [
    'an operation that is deprecated',
    { 'operationId: teams.get': 'operationId: teams.get\n      deprecated: true' },
    0,
    /^later\.yaml:\d+:7 deprecated acme_teams_get: the description calls the operation deprecated now\n {4}look for what replaces it/m,
  ],
  [
    'an operation under another id',
    { 'operationId: teams.get': 'operationId: team.read' },
    1,
    / renamed acme_teams_get: operationId teams\.get is team\.read now\n {4}write the new name in from of/m,
  ],
  [
    'an operation at another path',
    { '  /teams:\n': '  /groups:\n' },
    1,
    / altered acme_teams_list: request is GET \/groups, not GET \/teams\n/m,
  ],
  [
    'arguments that take less',
    { "'^T[0-9]+$'": "'^T[0-9]{8}$'" },
    1,
    /^later\.yaml:36:\d+ narrowed acme_teams_get: team_id has another pattern\n {4}run provider add acme .* generate --accept/m,
  ],
  [
    'a required parameter that is new',
    {
      '- { name: team_id, in: path, required: true, type: string, pattern':
        '- { name: region, in: query, required: true, type: string }\n      - { name: team_id, in: path, required: true, type: string, pattern',
    },
    1,
    / narrowed acme_teams_get: region is new and required$/m,
  ],
  [
    'a member of the answer that is of another type, and one that is gone',
    {
      'name: { type: string, example: Blue }': 'name: { type: integer }',
      'secret: { type: string }': 'x: {}',
    },
    1,
    / narrowed acme_teams_list, acme_teams_create, acme_teams_get: teams\[\]\/name of the answer is integer, not string\n.* narrowed acme_teams_list, .*: teams\[\]\/secret is gone from the answer$/m,
  ],
  [
    'arguments that take more',
    { ", pattern: '^T[0-9]+$'": '', 'maximum: 50': 'maximum: 80' },
    0,
    / widened acme_teams_get: team_id is no longer limited by pattern\n {4}nothing has to be done/m,
  ],
  [
    'arguments that take less and others that take more',
    {
      '- { name: team_id, in: path, required: true, type: string, pattern':
        '- { name: region, in: query, required: true, type: string }\n      - { name: state, in: query, type: string }\n      - { name: team_id, in: path, required: true, type: string, pattern',
    },
    1,
    / narrowed acme_teams_get: region is new and required\n.*\n.* widened acme_teams_get: state is new\n/m,
  ],
  [
    'another base URL',
    { 'basePath: /v2': 'basePath: /v3' },
    1,
    /^later\.yaml:3:1 altered acme_teams_list, acme_teams_create, acme_teams_get: base URL is https:\/\/api\.acme\.example\/v3, not https:\/\/api\.acme\.example\/v2 \(servers in curation\.yaml\)\n {4}write it into specs\/providers\/acme\/curation\.yaml, which provider add leaves as it is$/m,
  ],
  [
    'a credential that travels otherwise',
    {
      "oauth: { type: oauth2, flow: accessCode, authorizationUrl: 'https://acme.example/a', tokenUrl: 'https://acme.example/t', scopes: {} }":
        'oauth: { type: apiKey, in: header, name: X-Key }',
    },
    1,
    / altered acme_teams_list, acme_teams_create, acme_teams_get: credential is expected as header x-key, not as header authorization \(auth in curation\.yaml\)$/m,
  ],
  [
    'operations that are new',
    {
      '  /old-reports:\n':
        '  /members:\n    get:\n      operationId: members.list\n      responses: {}\n  /old-reports:\n',
    },
    0,
    / added members\.list\n {4}if agents need it/m,
  ],
];

for (const [what, replaced, exit, expected] of changes) {
  test(`drift tells of ${what}`, async (t) => {
    const { drift } = drafted(t);
    const { code, out } = await drift(replaced);
    assert.match(out, expected);
    assert.equal(code, exit, out);
  });
}

test('drift tells that a vendor without a credential demands one now', async (t) => {
  const { run, write } = createWorkplace(t);
  const demanded = 'security: [{ oauth: [] }]';
  const open = acme.replace(/^securityDefinitions:\n.*\nsecurity: .*\n/m, '');
  write('open.yaml', open);
  write('closed.yaml', acme);
  write('optional.yaml', acme.replace(demanded, 'security: [{}, { oauth: [] }]'));
  await run('add', 'acme', '--openapi', 'open.yaml');
  const told =
    / altered acme_teams_create: credential is expected as header authorization, but none is sent \(auth/m;
  const closed = await run('drift', 'acme', '--openapi', 'closed.yaml');
  assert.match(closed.out, told);
  assert.equal(closed.code, 1);
  for (const same of ['open.yaml', 'optional.yaml']) {
    const { out, code } = await run('drift', 'acme', '--openapi', same);
    assert.equal(code, 0, out);
  }
});

const servers: readonly [string, string][] = [
  [
    'with variables for its scheme, host and port',
    `{ url: '{scheme}://{host}:{port}/v1', variables: { scheme: { default: http }, host: { default: localhost }, port: { default: '6333' } } }`,
  ],
  [
    'with a variable that holds slashes',
    `{ url: 'https://acme.example/{base}', variables: { base: { default: api/v1 } } }`,
  ],
  ['beside the description', '{ url: /api/v1 }'],
];

for (const [what, server] of servers) {
  test(`the same description has not drifted whose server is one ${what}`, async (t) => {
    const { run, write } = createWorkplace(t);
    write('later.yaml', described(server, ''));
    await run('add', 'acme', '--openapi', 'later.yaml');
    const { code, out } = await run('drift', 'acme', '--openapi', 'later.yaml');
    assert.match(out, / 0 changes/);
    assert.equal(code, 0);
    write('moved.yaml', described(server.replace('v1', 'v9'), ''));
    const moved = await run('drift', 'acme', '--openapi', 'moved.yaml');
    assert.match(moved.out, /base URL is .*, not http/);
  });
}

test('schemas that lead to each other are told of wherever a tool begins', async (t) => {
  const { run, write } = createWorkplace(t);
  const kept = described('{ url: https://acme.example }', 'type: string');
  write('kept.yaml', kept);
  await run('add', 'acme', '--openapi', 'kept.yaml');
  write('later.yaml', kept.replace('size: { type: string }', 'size: { type: integer }'));
  const { out } = await run('drift', 'acme', '--openapi', 'later.yaml');
  assert.match(out, / acme_box_get, acme_lid_get: size of the answer is integer/);
});

test('forms of which each may hold each are compared to the end', async (t) => {
  const { run, write } = createWorkplace(t);
  const names = Array.from({ length: 16 }, (_, index) => `Form${index}`);
  const forms = names.map(
    (name) =>
      `    ${name}: { type: object, properties: { kind: { type: string, enum: [${name}] }, ${name}: { type: string }, below: { type: array, items: { $ref: '#/components/schemas/Any' } } } }`,
  );
  const any = names.map((name) => `{ $ref: '#/components/schemas/${name}' }`).join(', ');
  const kept = described(
    '{ url: https://acme.example }',
    `anyOf: [${any}]`,
    `    Any: { oneOf: [${any}] }\n${forms.join('\n')}\n`,
  );
  write('kept.yaml', kept);
  await run('add', 'acme', '--openapi', 'kept.yaml');
  const { code, out } = await run('drift', 'acme', '--openapi', 'kept.yaml');
  assert.equal(code, 0, out);
  assert.match(out, /^acme: 2 tools .* 0 changes/);
  write('later.yaml', kept.replace('Form7: { type: string }', 'Form7: { type: integer }'));
  const later = await run('drift', 'acme', '--openapi', 'later.yaml');
  assert.match(later.out, /Form7 of the answer is integer, not string/);
  assert.match(later.out, / 1 changes, 1 of them/);
});

test('a union that may be null is compared without end or noise', async (t) => {
  const { run, write } = createWorkplace(t);
  const union =
    '{ oneOf: [{ type: object, properties: { one: { type: string } } }, { type: array, items: { type: string } }] }';
  const more = `    Either: ${union}\n`;
  const either = "{ $ref: '#/components/schemas/Either' }";
  const kept = described(
    '{ url: https://acme.example }',
    `oneOf: [${either}, { type: 'null' }]`,
    more,
  );
  write('kept.yaml', kept);
  await run('add', 'acme', '--openapi', 'kept.yaml');
  const { code, out } = await run('drift', 'acme', '--openapi', 'kept.yaml');
  assert.match(out, /^acme: 2 tools .* 0 changes/);
  assert.equal(code, 0);
  write('flat.yaml', kept.replace(`[${either}, {`, `${union.slice('{ oneOf: '.length, -3)}, {`));
  const flat = await run('drift', 'acme', '--openapi', 'flat.yaml');
  assert.match(flat.out, /^acme: 2 tools .* 0 changes/);
  write('later.yaml', kept.replace('one: { type: string }', 'one: { type: integer }'));
  const later = await run('drift', 'acme', '--openapi', 'later.yaml');
  assert.match(later.out, /lid\/note\/one of the answer is integer, not string/);
  // The other way round, what could not be null may be.
  write('never.yaml', kept.replace(", { type: 'null' }", ''));
  await run('add', 'other', '--openapi', 'never.yaml');
  const never = await run('drift', 'other', '--openapi', 'kept.yaml');
  assert.match(
    never.out,
    / widened other_box_get, other_lid_get: lid\/note of the answer may be null now/,
  );
  assert.equal(never.code, 0);
});

test('forms that are made of what they are forms of are compared to the end', async (t) => {
  const { run, write } = createWorkplace(t);
  const form = (name: string) =>
    `    ${name}: { allOf: [{ $ref: '#/components/schemas/Form' }, { type: object, properties: { ${name}: { type: string } } }] }\n`;
  const kept = described(
    '{ url: https://acme.example }',
    "$ref: '#/components/schemas/Form'",
    `    Form: { type: object, properties: { size: { type: string } }, oneOf: [{ $ref: '#/components/schemas/One' }, { $ref: '#/components/schemas/Two' }] }\n${form('One')}${form('Two')}`,
  );
  write('kept.yaml', kept);
  await run('add', 'acme', '--openapi', 'kept.yaml');
  const { code, out } = await run('drift', 'acme', '--openapi', 'kept.yaml', '--format', 'json');
  const { changes, complete } = JSON.parse(out);
  assert.deepEqual([code, changes, complete], [0, [], true]);
  write('later.yaml', kept.replace('Two: { type: string }', 'Two: { type: integer }'));
  const later = await run('drift', 'acme', '--openapi', 'later.yaml');
  assert.match(later.out, /lid\/note\/Two of the answer is integer, not string/);
});

/** Boxes and lids that lead to each other; `note` is the schema of one more member of a lid. */
function described(server: string, note: string, more = ''): string {
  const get = (id: string, name: string) =>
    `    get:\n      operationId: ${id}\n      responses: { '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } } }\n`;
  return `openapi: 3.1.0
info: { title: Acme, version: '1', license: { name: MIT, identifier: MIT } }
servers: [${server}]
paths:
  /box:
${get('box.get', 'Box')}  /lid:
${get('lid.get', 'Lid')}components:
  schemas:
    Box: { type: object, properties: { size: { type: string }, lid: { $ref: '#/components/schemas/Lid' } } }
    Lid: { type: object, properties: { box: { $ref: '#/components/schemas/Box' }, note: { ${note} } } }
${more}`;
}

test('drift speaks to programs: JSON, workflow annotations, exit codes', async (t) => {
  const { drift, run, write } = drafted(t);
  const replaced = { "'^T[0-9]+$'": "'^T[0-9]{8}$'" };
  const { code, out } = await drift(replaced, '--format', 'json');
  assert.equal(code, 1);
  const report: { changes: Told[]; version: string; compared: number } = JSON.parse(out);
  assert.deepEqual([report.version, report.compared], ['4', 3]);
  const [{ help = '', ...change } = {}] = report.changes;
  assert.deepEqual(change, {
    kind: 'narrowed',
    tool: 'acme_teams_get',
    text: 'team_id has another pattern',
    breaks: true,
    ...{ file: 'later.yaml', line: 36, column: 66 },
  });
  assert.match(help, /generate --accept/);
  const annotated = await drift(replaced, '--format', 'github');
  assert.match(
    annotated.out,
    /^::error file=later\.yaml,line=36,col=66,title=drift::narrowed acme_teams_get/,
  );
  write('later.yaml', 'openapi: 3.1.0\npaths:\n\t/a: {}\n');
  const broken = await run('drift', 'acme', '--openapi', 'later.yaml');
  assert.equal(broken.code, 2);
  assert.match(broken.err, /^later\.yaml:3:1 error SPEC002/);
  assert.equal((await run('drift', 'nobody', '--openapi', 'later.yaml')).code, 3);
  assert.equal((await run('drift', 'acme')).code, 3);
  const odd = await run('drift', 'acme', '--openapi', 'later.yaml', '--format', 'xml');
  assert.match(odd.err, /^--format is one of text, json, github, not "xml"/);
});

test('a description that is missing, or a provider, is an annotation of a workflow, too', async (t) => {
  const { run } = drafted(t);
  for (const [id, told] of [
    ['acme', 'there is no file '],
    ['nobody', 'there is no provider nobody'],
  ] as const) {
    const { out, code } = await run(
      ...['drift', id, '--openapi', 'nowhere%.yaml', '--format', 'github'],
    );
    assert.equal(code, 3);
    assert.ok(out.startsWith(`::error title=drift::${told}`), out);
    assert.doesNotMatch(out, /%\./);
    assert.equal(out.split('\n').length, 2);
  }
});

test('a wrong question gets JSON, too, and its own exit code, of which the help speaks', async (t) => {
  const { run } = drafted(t);
  for (const [argv, problem] of [
    [['nobody', '--openapi', 'later.yaml'], /^there is no provider nobody/],
    [['acme', '--openapi', 'later.yaml'], /^there is no file later\.yaml$/],
    [['acme', '--openapi', 'http://['], /^--openapi takes a file/],
    [[], /^drift takes one provider id$/],
  ] as const) {
    const { code, out } = await run('drift', ...argv, '--format', 'json');
    assert.equal(code, 3);
    const report = JSON.parse(out);
    assert.match(report.problem, problem);
    assert.deepEqual([report.provider, report.complete], [argv[0] ?? '', false]);
  }
  const folder = await run('drift', 'acme', '--openapi', 'specs', '--format', 'json');
  assert.equal(folder.code, 2);
  assert.match(JSON.parse(folder.out).problem, /^expected a file/);
  assert.match((await run('help')).out, /\b3: no such provider/);
});
