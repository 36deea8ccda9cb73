import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { acme } from './acme.ts';
import { createWorkplace, type Workplace } from './workplace.ts';

const fixture = 'specs/providers/acme/fixtures/acme_teams_get.json';

async function withAcme(t: TestContext, env?: Record<string, string>): Promise<Workplace> {
  const place = createWorkplace(t, env);
  place.write('acme.yaml', acme);
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  return place;
}

test('a freshly drafted provider passes its check', async (t) => {
  const place = await withAcme(t);
  const { code, out, err } = await place.run('check');
  assert.deepEqual([code, out, err], [0, 'acme: 3 tools, 0 errors\n', '']);
});

for (const [what, change, expected] of [
  ['an unknown source', { source: 'guessed' }, /:2:3 error P026 source is "recorded" or "doc/],
  ['arguments that the tool refuses', { arguments: { team: 1 } }, /error P026 acme_teams_get must/],
  ['another method', { request: { method: 'PUT', url: '' } }, /error P026 GET is expected/],
  [
    'an address of something else',
    { request: { method: 'GET', url: 'https://api.acme.example/v2/groups/T1' } },
    /error P026 an address of \/teams\/\{team_id\} is expected/,
  ],
  [
    'an address of nobody, that was seen or written',
    {
      note: 'Seen on the first of May.',
      request: { method: 'GET', url: 'https://evil.example/v2/teams/T1' },
    },
    /error P026 an address of \/teams\/\{team_id\} is expected/,
  ],
  ['no status', { response: {} }, /error P026 an HTTP status from 100 to 599/],
  [
    'a credential',
    { response: { status: 200, body: { key: ['sk', 'live', 'a1b2c3d4e5f6'].join('_') } } },
    /error P016 this text looks like a real credential/,
  ],
] as const) {
  test(`a fixture with ${what} is an error`, async (t) => {
    const place = await withAcme(t);
    const changed = { ...JSON.parse(place.read(fixture)), ...change };
    place.write(fixture, JSON.stringify(changed, null, 2));
    const { code, err } = await place.run('check', 'acme');
    assert.equal(code, 2);
    assert.match(err, expected);
    assert.ok(err.startsWith(fixture), err);
  });
}

test('what was drafted passes its check when its server has become another', async (t) => {
  const place = await withAcme(t);
  const path = 'specs/providers/acme/curation.yaml';
  const moved = place.read(path).replace('https://api.acme.example/v2', 'https://acme.test/api/v4');
  place.write(path, moved);
  const { code, out, err } = await place.run('check', 'acme');
  assert.deepEqual([code, out, err], [0, 'acme: 3 tools, 0 errors\n', '']);
});

test('a fixture of no tool is an error', async (t) => {
  const place = await withAcme(t);
  place.write('specs/providers/acme/fixtures/acme_gone.json', '{}');
  const { err } = await place.run('check', 'acme');
  assert.match(err, /acme_gone\.json:1:1 error P026 no tool of this provider has the name/);
});

test('a credential in the description is an error where it stands', async (t) => {
  const place = await withAcme(t);
  const path = 'specs/providers/acme/openapi.yaml';
  const key = ['ghp', 'a1'.repeat(18)].join('_');
  place.write(path, place.read(path).replace('title: Public API', `title: Use ${key}`));
  const { code, err } = await place.run('check', 'acme');
  assert.equal(code, 2);
  assert.match(err, /openapi\.yaml:3:3 error P016 /);
});

test('an address with a user or a token is an error where it stands', async (t) => {
  const place = await withAcme(t);
  const name = 'specs/providers/acme/UPSTREAM.json';
  for (const url of ['https://me:hunter2@acme.example/a', 'https://acme.example/?token=hunter2']) {
    place.write(name, JSON.stringify({ ...JSON.parse(place.read(name)), url }, null, 2));
    const { code, err } = await place.run('check', 'acme');
    assert.equal(code, 2);
    assert.match(
      err,
      /UPSTREAM\.json:\d+:\d+ error P016 this address holds a user, a password or a token/,
    );
    assert.doesNotMatch(err, /hunter2/);
  }
});

test('the list shows tools, credentials and whether they are set, never their values', async (t) => {
  const place = await withAcme(t, { SERVICE_ACME_TOKEN: 'hunter2' });
  const { code, out } = await place.run('list');
  assert.equal(code, 0);
  assert.match(out, /^ID +TITLE +STATUS +TOOLS +CREDENTIAL +SET\nacme +Acme Public API +beta +3 /);
  assert.match(out, /SERVICE_ACME_TOKEN +yes\n$/);
  assert.doesNotMatch(out, /hunter2/);
});

test('an option that means nothing to a command is refused, and so is an id that list takes none of', async (t) => {
  const place = await withAcme(t);
  for (const [argv, expected] of [
    [
      ['check', 'acme', '--openapi', 'acme.yaml'],
      /^Unknown option '--openapi': check takes none\n/,
    ],
    [['check', '--format', 'json'], /^Unknown option '--format': check takes none\n/],
    [
      ['add', 'acme', '--openapi', 'acme.yaml', '--format', 'json'],
      /^Unknown option '--format': add takes --openapi, --root, --licence, --texts\n/,
    ],
    [
      ['drift', 'acme', '--openapi', 'acme.yaml', '--texts', 'keep'],
      /^Unknown option '--texts': drift takes --openapi, --root, --format\n/,
    ],
    [['list', '--format', 'json'], /^Unknown option '--format': list takes none\n/],
    [['list', 'acme'], /^list takes no provider id: it shows all of them\n/],
  ] as const) {
    const { code, out, err } = await place.run(...argv);
    assert.deepEqual([code, out], [3, ''], argv.join(' '));
    assert.match(err, expected);
  }
});
