import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { servedBelow } from '../../../../generator/provider/source/served-below.ts';
import { createWorkplace } from '../workplace.ts';

// Without servers there is one at "/" (OpenAPI 3.1.1, section 4.8.1): an application that is put below a
// path seldom says so.

const description = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1' },
  paths: {
    '/teams': {
      get: { operationId: 'listTeams', responses: { 200: { description: 'ok' } } },
      post: { operationId: 'createTeam', responses: { 201: { description: 'made' } } },
    },
    '/teams/{id}': {
      get: {
        operationId: 'getTeam',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
});

/** What a host answers to a path: a status, and the type of its body. */
type Answer = readonly [status: number, type?: string];

/** Start a host that gives its description at `/docs/v2/openapi.json`, and what it was asked. */
async function hostOf(t: TestContext, answers: (path: string) => Answer) {
  const asked: string[] = [];
  const server = createServer(({ method, url = '', headers }, response) => {
    asked.push(`${method} ${url} ${headers.authorization ?? ''}`.trim());
    if (url === '/docs/v2/openapi.json') return response.end(description);
    const [status, type = 'application/json'] = answers(url);
    return response.writeHead(status, { 'content-type': type }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const addressIn = (url: string) => `${url}/docs/v2/openapi.json`;

test('requests go below the path where the host answers what it describes, which is said', async (t) => {
  const { url, asked } = await hostOf(t, (path) => [path === '/api/teams' ? 200 : 404]);
  const place = createWorkplace(t);
  const { code } = await place.run('add', 'acme', '--openapi', addressIn(url));
  assert.equal(code, 0);
  const curation = place.read('specs/providers/acme/curation.yaml');
  assert.ok(curation.includes(`url: ${url}/api }`), curation);
  assert.match(curation, /# review: the description names no server: .* answer below \/api\n/);
  // Nothing but what reads and takes nothing was called.
  assert.ok(asked.every((each) => each.startsWith('GET ')));
  assert.ok(!asked.some((each) => /teams\/./.test(each)));
});

test('a path that the text of the description shows is tried, whoever its host is', async (t) => {
  const shown = '/apis/teams/v3';
  const { url } = await hostOf(t, (path) => [path === `${shown}/teams` ? 200 : 404]);
  const text = `See [the manual](https://acme.example/manual). Call \`https://MY-HOST${shown}\`.`;
  assert.equal(await servedBelow(addressIn(url), ['/teams'], text), shown);
  const sentence = `It is served at https://MY-HOST${shown}.`;
  assert.equal(await servedBelow(addressIn(url), ['/teams'], sentence), shown);
});

test('where the root answers, it is the server', async (t) => {
  const { url, asked } = await hostOf(t, (path) => [path === '/teams' ? 401 : 404]);
  const place = createWorkplace(t);
  await place.run('add', 'acme', '--openapi', addressIn(url).replace('://', '://me:secret@'));
  const curation = place.read('specs/providers/acme/curation.yaml');
  assert.ok(curation.includes(`url: ${url} }`), curation);
  assert.match(
    curation,
    /# review: the description names no server: this is where it was fetched\n/,
  );
  // What logs in to read the description is not sent along.
  assert.deepEqual(asked.slice(1), ['GET /teams']);
});

const cases: readonly [
  what: string,
  answers: (path: string) => Answer,
  below: string | undefined,
][] = [
  ['the folder of the description', (path) => [path === '/docs/v2/teams' ? 200 : 404], '/docs/v2'],
  ['a folder above it', (path) => [path === '/docs/teams' ? 403 : 404], '/docs'],
  [
    'a path behind pages for people, which answer everything else',
    (path) => (path === '/api/v1/teams' ? [200] : [200, 'text/html; charset=utf-8']),
    '/api/v1',
  ],
  ['none, where nothing answers', () => [404], undefined],
  [
    'none, where all below a path is refused alike',
    (path) => [/^\/api\//.test(path) ? 401 : 404],
    undefined,
  ],
  ['none, where the host is out of order', () => [502], undefined],
];

for (const [what, answers, below] of cases) {
  test(`what is described is found below: ${what}`, async (t) => {
    const { url } = await hostOf(t, answers);
    assert.equal(await servedBelow(addressIn(url), ['/teams', '/members']), below);
  });
}

test('a host that does not answer is asked once', async (t) => {
  const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  let count = 0;
  server.on('request', () => {
    count += 1;
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.equal(await servedBelow(addressIn(url), ['/teams', '/members']), undefined);
  assert.equal(count, 1);
});

test('no path of a description leads to another host (RFC 3986 section 5.2.2)', async (t) => {
  const elsewhere = await hostOf(t, () => [200]);
  const { url, asked } = await hostOf(t, () => [404]);
  const { host } = new URL(elsewhere.url);
  await servedBelow(addressIn(url), [`//${host}/a`, `/\\${host}/b`, `http://${host}/c`]);
  assert.deepEqual(elsewhere.asked, []);
  assert.ok(asked.length > 0);
});
