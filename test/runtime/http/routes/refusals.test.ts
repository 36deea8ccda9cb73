import assert from 'node:assert/strict';
import test from 'node:test';
import { mirror, routeOf, serveRoutes } from './serve-routes.ts';

const json = { 'content-type': 'application/json' };

const brokenBodies: readonly [body: string, detail: RegExp][] = [
  ['{"item":', /must be JSON, but it ends too early, after 8 characters/],
  ['', /must be JSON, but it is empty/],
  ['{"a":"s3cret",}', /must be JSON, but it is wrong after 14 characters/],
  ['s3cret', /must be JSON, but it begins with "s"/],
  ['{"a":"s3cret","__proto__":{}}', /members that change prototypes.*"__proto__"/],
  ['{"a":"s3cret","constructor":{"prototype":{}}}', /members that change prototypes/],
];
for (const [body, detail] of brokenBodies) {
  test(`what is wrong with the body ${JSON.stringify(body)} is told without repeating it`, async (t) => {
    const input = { type: 'object', properties: { body: {} } };
    const route = routeOf({ body: { 'application/json': 'json' }, input });
    const { send } = await serveRoutes(t, [[route, mirror]]);
    const answer = await send({ headers: json, body });
    assert.equal(answer.status, 400);
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
    assert.equal(answer.json.code, 'invalid_arguments');
    assert.match(answer.json.detail, detail);
    assert.doesNotMatch(answer.text, /s3cret/);
  });
}

test('a path that is not percent-encoded is told with a code (RFC 9457)', async (t) => {
  const { send } = await serveRoutes(t, [[routeOf({}), mirror]]);
  for (const path of ['/%zz', '/act%', '/%ff']) {
    const answer = await send({ path });
    assert.equal(answer.status, 400);
    assert.equal(answer.json.code, 'invalid_request');
    assert.match(answer.json.detail, /percent-encoded UTF-8/);
  }
});

const item = { path: '/items/{id}', parameters: [{ name: 'id', in: 'path' }] } as const;
const several = [
  routeOf({ ...item, method: 'GET' }),
  routeOf({ ...item, method: 'DELETE', name: 'drop' }),
  routeOf({ method: 'PUT', path: '/items/own', name: 'own' }),
  routeOf({ path: '/token', name: 'token', errors: 'oauth' }),
  routeOf({ path: '/open', name: 'open', cors: { origins: '*' } }),
].map((route) => [route, mirror] as const);

test('a method that a path does not take is 405 and told which it takes (RFC 9110 section 15.5.6)', async (t) => {
  const { send } = await serveRoutes(t, several);
  const cases = [
    ['PUT', '/items/7', 'GET, HEAD, DELETE, OPTIONS'],
    ['POST', '/items/a%2Fb?x=1', 'GET, HEAD, DELETE, OPTIONS'],
    ['POST', '/items/own', 'GET, HEAD, DELETE, PUT, OPTIONS'],
    ['GET', '/open', 'POST, OPTIONS'],
  ] as const;
  for (const [method, path, allow] of cases) {
    const answer = await send({ method, path });
    assert.equal(answer.status, 405, path);
    assert.equal(answer.headers['allow'], allow);
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
    assert.equal(answer.json.code, 'method_not_allowed');
    assert.match(answer.json.detail, new RegExp(`takes ${allow}, but ${method} came`));
  }
});

test('a wrong method is told as OAuth does where the route does (RFC 6749 section 5.2)', async (t) => {
  const { send } = await serveRoutes(t, several);
  const { status, headers, json: told } = await send({ method: 'GET', path: '/token' });
  assert.equal(status, 405);
  assert.equal(headers['allow'], 'POST, OPTIONS');
  assert.equal(told.error, 'invalid_request');
});

test('OPTIONS without CORS is 204 with what the path takes, 404 where it is not served (RFC 9110 section 9.3.7)', async (t) => {
  const { send } = await serveRoutes(t, several);
  for (const [path, allow] of [
    ['/items/7', 'GET, HEAD, DELETE, OPTIONS'],
    ['/open', 'POST, OPTIONS'],
  ] as const) {
    const { status, headers, text } = await send({ method: 'OPTIONS', path });
    assert.deepEqual([status, headers['allow'], text], [204, allow, ''], path);
  }
  assert.equal((await send({ method: 'OPTIONS', path: '/none' })).status, 404);
});

test('an empty part of a path is no parameter, with any method', async (t) => {
  const inner = routeOf({ ...item, method: 'GET', name: 'inner', path: '/in/{id}/x' });
  const rest = [{ name: 'rest', in: 'path', rest: true }] as const;
  const file = routeOf({ method: 'GET', name: 'file', path: '/files/{rest}', parameters: rest });
  const { send } = await serveRoutes(t, [...several, [inner, mirror], [file, mirror]]);
  for (const path of ['/items/', '/in//x', '/files/']) {
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      const answer = await send({ method, path });
      assert.deepEqual([answer.status, answer.json.code], [404, 'not_found'], `${method} ${path}`);
    }
  }
  const paths = ['/items/7', '/in/7/x', '/files/a/'];
  for (const path of paths) assert.equal((await send({ method: 'GET', path })).status, 200, path);
});

const shapes = {
  acp: ({ type, code, message }: Told) => [typeof type, typeof code, typeof message],
  ucp: ({ ucp, messages: [first] = [] }: Told) => [
    typeof ucp?.version,
    typeof first?.code,
    typeof first?.content,
  ],
};

interface Told {
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
  readonly ucp?: { readonly version: string };
  readonly messages?: readonly { readonly code: string; readonly content: string }[];
}

for (const errors of ['acp', 'ucp'] as const) {
  test(`every refusal below a path of ${errors} is told as its clients read it`, async (t) => {
    const input = { type: 'object', properties: { body: {} } };
    const body = { 'application/json': 'json' } as const;
    const things = { ...{ errors, body, input, path: `/${errors}/things` }, maxBytes: 100 };
    const limit = { requests: 1, perMs: 60_000 };
    const seldom = { ...{ errors, limit, path: `/${errors}/seldom` }, name: 'seldom' };
    const { send } = await serveRoutes(t, [
      [routeOf(things), mirror],
      [routeOf(seldom), mirror],
      [routeOf({ name: 'other', path: '/other/things' }), mirror],
    ]);
    await send({ path: seldom.path });
    const { path } = things;
    const cases: readonly (readonly [number, Parameters<typeof send>[0]])[] = [
      [400, { path, headers: json, body: '{"a":' }],
      [400, { path: `${path}/%zz` }],
      [400, { path, headers: { 'idempotency-key': ['a', 'b'] as never }, body: '{}' }],
      [403, { path, headers: { ...json, host: 'evil.example' }, body: '{}' }],
      [403, { path, headers: { ...json, origin: 'https://evil.example' }, body: '{}' }],
      [404, { path: `/${errors}/nothing` }],
      [404, { path: `/${errors}`, method: 'GET' }],
      [404, { path: `${path}/a/b`, method: 'GET' }],
      [405, { path, method: 'PUT' }],
      [413, { path, headers: json, body: `"${'x'.repeat(200)}"` }],
      [415, { path, headers: { 'content-type': 'text/plain' }, body: 'x' }],
      [429, { path: seldom.path }],
    ];
    for (const [status, asked] of cases) {
      const answer = await send(asked);
      assert.equal(answer.status, status, answer.text);
      assert.match(String(answer.headers['content-type']), /^application\/json/, answer.text);
      assert.deepEqual(shapes[errors](answer.json), ['string', 'string', 'string'], answer.text);
    }
    for (const path of ['/other/nothing', '/nothing', `/${errors}x/things`]) {
      const { headers } = await send({ path });
      assert.match(String(headers['content-type']), /^application\/problem\+json/, path);
    }
  });
}
