import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from '../workplace.ts';

const region =
  "{ url: 'https://{region}.acme.com/v1', variables: { region: { default: us, enum: [us, eu] } } }";
const old = '{ url: https://old.acme.com/v1 }';
const kept = `openapi: 3.1.0
info: { title: Acme, version: '2' }
servers: [${region}, ${old}]
paths:
  /teams:
    get:
      operationId: listTeams
      responses:
        '200': { description: OK, headers: { Link: { schema: { type: string } }, X-Rest: { schema: { type: integer } } } }
  /teams/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getTeam
      responses: { '200': { description: OK, headers: { ETag: { schema: { type: string } } } } }
`;

const used = 'https://us.acme.com/v1';
const changes: readonly [string, string, string, number, RegExp][] = [
  [
    'the usual value of a variable is another',
    'default: us',
    'default: eu',
    0,
    /^later\.yaml:3:1 altered acme_list_teams, acme_get_team: the usual base URL is https:\/\/eu\.acme\.com\/v1 now, not https:\/\/us\.acme\.com\/v1, which is named still \(servers in curation\.yaml\)\n {4}write it into/m,
  ],
  [
    'a variable no longer takes the value that is used',
    'default: us, enum: [us, eu]',
    'default: eu, enum: [eu]',
    1,
    / altered acme_list_teams, acme_get_team: base URL is https:\/\/\{region\}\.acme\.com\/v1 or https:\/\/old\.acme\.com\/v1, not https:\/\/us\.acme\.com\/v1 \(/,
  ],
  [
    'another server comes first',
    `servers: [${region}, ${old}]`,
    `servers: [${old}, ${region}]`,
    0,
    / the usual base URL is https:\/\/old\.acme\.com\/v1 now, not https:\/\/us\./,
  ],
  [
    'the server that is used is gone, and another one stays',
    `[${region}, ${old}]`,
    `[${old}]`,
    1,
    / base URL is https:\/\/old\.acme\.com\/v1, not https:\/\/us\.acme\.com\/v1 \(/,
  ],
  [
    'a path has a server of its own',
    '  /teams:\n',
    '  /teams:\n    servers: [{ url: https://teams.acme.com/v1 }]\n',
    1,
    /^later\.yaml:6:5 altered acme_list_teams: base URL is https:\/\/teams\.acme\.com\/v1, not/m,
  ],
  [
    'an operation has a server of its own',
    '      operationId: getTeam\n',
    '      operationId: getTeam\n      servers: [{ url: https://evil.example }]\n',
    1,
    /^later\.yaml:14:7 altered acme_get_team: base URL is https:\/\/evil\.example, not/m,
  ],
  [
    'no server is named',
    `servers: [${region}, ${old}]\n`,
    '',
    0,
    / acme_list_teams, acme_get_team: no base URL is named now; it was https:\/\/us\.acme\.com\/v1 \(/,
  ],
  [
    'a header of the answer is gone that the curation reads',
    'headers: { ETag: ',
    'headers: { Age: ',
    1,
    /^later\.yaml:14:\d+ narrowed acme_get_team: the header etag is gone from the answer; curation\.yaml reads it\n {4}write into/m,
  ],
  ['a header of the answer is gone that nobody reads', 'X-Rest: ', 'X-Other: ', 0, /: 0 changes,/],
];

for (const [what, text, other, exit, expected] of changes) {
  test(`drift sees where ${what}`, async (t) => {
    const { run, write, read } = createWorkplace(t);
    write('kept.yaml', kept);
    await run('add', 'acme', '--openapi', 'kept.yaml');
    const curation = 'specs/providers/acme/curation.yaml';
    assert.ok(read(curation).includes(used));
    write(curation, withHeader(read(curation)));
    await run('add', 'acme', '--openapi', 'kept.yaml');
    const same = await run('drift', 'acme', '--openapi', 'kept.yaml');
    assert.match(same.out, /^acme: 2 tools .*: 0 changes/);
    assert.ok(kept.includes(text), text);
    write('later.yaml', kept.replace(text, other));
    const { code, out } = await run('drift', 'acme', '--openapi', 'later.yaml');
    assert.match(out, expected);
    assert.equal(code, exit, out);
  });
}

/** The tool that reads one team shows the header that names its version. */
function withHeader(curation: string): string {
  const found = /^ {2}- name: acme_get_team\n(?: {4}.*\n)*?(?= {4}response:)/m.exec(curation);
  assert.ok(found, curation);
  const at = found.index + found[0].length;
  return (
    curation.slice(0, at) +
    curation.slice(at).replace('response: {', 'response: { headers: [ETag],')
  );
}

test('of servers, no user, query or fragment is kept', async (t) => {
  const { run, write, read } = createWorkplace(t);
  const server = '{ url: "https://jo:secret-1@api.acme.com/v1?key=secret-2#secret-3" }';
  write('kept.yaml', kept.replace(region, server));
  await run('add', 'acme', '--openapi', 'kept.yaml');
  const text = read('specs/providers/acme/openapi.yaml');
  assert.match(text, /url: https:\/\/api\.acme\.com\/v1$/m);
  assert.doesNotMatch(text, /secret/);
});

test('drift sees where a host with a port has another scheme, and takes a public one for TLS', async (t) => {
  for (const [host, expected] of [
    ['acme.com:8443', /, not https:\/\/acme\.com:8443\/v1 \(servers in curation\.yaml\)\n/],
    ['acme.com', /: 0 changes,/],
  ] as const) {
    const { run, write } = createWorkplace(t);
    const secure = kept.replace(
      `servers: [${region}, ${old}]`,
      `servers: [{ url: https://${host}/v1 }]`,
    );
    write('kept.yaml', secure);
    await run('add', 'acme', '--openapi', 'kept.yaml');
    write('later.yaml', secure.replace('https:', 'http:'));
    const { code, out } = await run('drift', 'acme', '--openapi', 'later.yaml');
    assert.match(out, expected);
    assert.equal(code, 0, out);
  }
});
