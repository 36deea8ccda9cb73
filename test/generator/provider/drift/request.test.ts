import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from '../workplace.ts';

// What requests have to carry: arguments that move and become required, headers with one value, no credential.

const state = '{ name: state, in: query, schema: { type: string } }';
const kept = `openapi: 3.1.0
info: { title: Acme, version: '2' }
servers: [{ url: https://acme.example/v1 }]
security: [{ key: [] }]
paths:
  /teams:
    get:
      operationId: listTeams
      parameters: [${state}]
      responses: { '200': { description: OK, content: { application/json: { schema: { type: object } } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
`;
const version = (schema: string) =>
  kept.replace(
    state,
    `${state}, { name: X-Version, in: header, required: true, schema: ${schema} }`,
  );

const changes: readonly (readonly [string, string, RegExp, number])[] = [
  [
    'an argument that is part of the path now',
    kept
      .replace('/teams:', '/teams/{state}:')
      .replace(state, state.replace('in: query,', 'in: path, required: true,')),
    / altered acme_list_teams: state is sent as path state, not as query state\n(?:.*\n)+.* narrowed acme_list_teams: state is required now\n/,
    1,
  ],
  [
    'an argument that moves without being demanded',
    kept.replace(state, state.replace('in: query', 'in: header')),
    / 1 changes, 1 of them/,
    1,
  ],
  [
    'a new header that has one value',
    version("{ type: string, const: '2026-01-01' }"),
    / altered acme_list_teams: header X-Version is new and has to be "2026-01-01" \(headers in curation\.yaml\)\n {4}write it into/,
    1,
  ],
  [
    'a new header that callers decide',
    version('{ type: string }'),
    / narrowed acme_list_teams: header X-Version is new and required\n/,
    1,
  ],
  [
    'a credential that is demanded no more',
    kept.replace('security: [{ key: [] }]', 'security: []'),
    / altered acme_list_teams: no credential is demanded any more \(auth in curation\.yaml\)\n/,
    0,
  ],
  ['nothing said of credentials', kept.replace('security: [{ key: [] }]\n', ''), / 0 changes/, 0],
];

for (const [what, later, expected, exit] of changes) {
  test(`drift tells of ${what}`, async (t) => {
    const { run, write } = createWorkplace(t);
    write('kept.yaml', kept);
    await run('add', 'acme', '--openapi', 'kept.yaml');
    write('later.yaml', later);
    const { code, out } = await run('drift', 'acme', '--openapi', 'later.yaml');
    assert.match(out, expected);
    assert.equal(code, exit, out);
  });
}
