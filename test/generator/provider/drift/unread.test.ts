import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace, type Workplace } from '../workplace.ts';

const team = '{ type: object, properties: { name: { type: string }, size: { type: integer } } }';
const kept = `openapi: 3.1.0
info: { title: Acme, version: '2' }
servers: [{ url: https://acme.com }]
paths:
  /teams:
    get:
      operationId: listTeams
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: kind, in: query, schema: { type: string } }
      responses:
        '200': { description: OK, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Team' } } } } }
    post:
      operationId: createTeam
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Team' } } } }
      responses:
        '201': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Team' } } } }
  /teams/{id}:
    get:
      operationId: getTeam
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Team' } } } }
        '404': { description: No }
components:
  schemas:
    Team: ${team}
`;

/** Hold the provider against the description with one place replaced. */
async function drift({ run, write }: Workplace, text: string, other: string, ...more: string[]) {
  assert.ok(kept.includes(text), text);
  write('kept.yaml', kept);
  write('later.yaml', kept.replace(text, other));
  await run('add', 'acme', '--openapi', 'kept.yaml');
  return run('drift', 'acme', '--openapi', 'later.yaml', ...more);
}

const missing: readonly [string, string, string, RegExp][] = [
  [
    'a schema in a file',
    team,
    '{ $ref: team.yaml }',
    /^later\.yaml:27:13 unread acme_list_teams, acme_create_team, acme_get_team: .*cannot be compared: \$ref "team\.yaml" leads to a file that is missing\n {4}give the description with all of its files/m,
  ],
  [
    'a component',
    "items: { $ref: '#/components/schemas/Team' }",
    "items: { $ref: '#/components/schemas/Group' }",
    /^later\.yaml:12:\d+ unread acme_list_teams: \[\] of the answer cannot be compared: \$ref "#\/components\/schemas\/Group" leads to nothing$/m,
  ],
  [
    'a member',
    'size: { type: integer }',
    'size: { $ref: size.yaml }',
    /unread acme_list_teams, .*: \[\]\/size of the answer cannot be compared: \$ref "size\.yaml"/,
  ],
  [
    'a schema that is a part of itself',
    team,
    "{ allOf: [{ $ref: '#/components/schemas/Team' }] }",
    /unread acme_list_teams, .*cannot be compared: \$ref "#\/components\/schemas\/Team" makes a schema a part of itself/,
  ],
  [
    'a parameter',
    '- { name: limit, in: query, schema: { type: integer } }',
    '- { $ref: limit.yaml }',
    /^later\.yaml:9:\d+ unread acme_list_teams: limit cannot be compared: \$ref "limit\.yaml"/m,
  ],
  [
    'a body',
    'requestBody: { content: { application/json: { schema: { $ref: ',
    'requestBody: { $ref: body.yaml, x: { a: { b: { c: ',
    / unread acme_create_team: the body cannot be compared: \$ref "body\.yaml"/,
  ],
  [
    'an answer',
    "'201': { description: OK,",
    "'201': { $ref: answer.yaml,",
    / unread acme_create_team: the answer cannot be compared: \$ref "answer\.yaml"/,
  ],
  [
    'a path',
    '  /teams/{id}:\n    get:\n',
    '  /teams/{id}:\n    $ref: path.yaml\n    x-get:\n',
    /^later\.yaml:19:5 unread acme_get_team: GET \/teams\/\{id\} cannot be compared: \$ref "path\.yaml"/m,
  ],
];

for (const [what, text, other, expected] of missing) {
  test(`${what} that is missing is named, and is no change`, async (t) => {
    const place = createWorkplace(t);
    const { code, out } = await drift(place, text, other);
    assert.match(out, expected);
    assert.equal(code, 2, out);
    assert.match(out, / 0 changes, 0 of them break callers, 0 operations are new, 1 things could/);
    const json = await place.run('drift', 'acme', '--openapi', 'later.yaml', '--format', 'json');
    assert.equal(JSON.parse(json.out).complete, false);
    const noted = await place.run('drift', 'acme', '--openapi', 'later.yaml', '--format', 'github');
    assert.match(noted.out, /^::warning file=later\.yaml,line=\d+,col=\d+,title=drift::unread /);
  });
}

test('beside what is missing, the rest is compared', async (t) => {
  const later = team.replace('name: { type: string }', 'name: { $ref: name.yaml }');
  const { code, out } = await drift(createWorkplace(t), team, later.replace('integer', 'string'));
  assert.match(out, /unread .*: \[\]\/name of the answer cannot be compared/);
  assert.match(out, /narrowed .*: \[\]\/size of the answer is string, not integer/);
  assert.equal(code, 1);
});

test('what is missing where no tool looks is not told', async (t) => {
  const { code, out } = await drift(createWorkplace(t), '{ description: No }', '{ $ref: no.yaml }');
  assert.match(out, /^acme: 3 tools .* 0 operations are new$/m);
  assert.equal(code, 0);
});
