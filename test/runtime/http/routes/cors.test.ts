import assert from 'node:assert/strict';
import test from 'node:test';
import type { RouteHandler } from '#contract/surface/route';
import { mirror, routeOf, serveRoutes } from './serve-routes.ts';

const get = { method: 'GET' } as const;

const page = 'https://app.example';

test('pages of other origins use what names them, and nothing else (Fetch, CORS protocol)', async (t) => {
  const cors = {
    origins: [page],
    expose: ['X-Next'],
    credentials: true,
    maxAgeMs: 600_000,
  } as const;
  const body = { 'application/json': 'json' } as const;
  const named = routeOf({
    path: '/named',
    body,
    cors: { ...cors, headers: ['DPoP', 'Content-Type'] },
  });
  const open = routeOf({ ...get, path: '/open', cors: { origins: '*' } });
  const closed = routeOf({ ...get, path: '/closed' });
  const who: RouteHandler = async ({ context: { caller } }) => ({
    status: 200,
    body: {
      subject: caller.subject,
      scopes: [...(caller.scopes === 'all' ? ['all'] : caller.scopes)],
    },
  });
  const { url, send } = await serveRoutes(
    t,
    [named, open, closed].map((route) => [route, who]),
  );
  const allowed = async (path: string, origin: string, method: 'GET' | 'POST' = 'GET') => {
    const { status, headers, json } = await send({ method, path, headers: { origin } });
    return { status, headers, json, origin: headers['access-control-allow-origin'] };
  };
  const own = await allowed('/closed', url.origin);
  assert.deepEqual([own.status, own.json.subject], [200, 'local']);
  const foreign = await allowed('/open', page);
  assert.deepEqual([foreign.status, foreign.origin], [200, '*']);
  assert.deepEqual(foreign.json, { subject: 'anonymous', scopes: [] }, 'a page is not its user');
  const known = await allowed('/named', page, 'POST');
  assert.deepEqual([known.status, known.origin], [200, page]);
  assert.equal(known.headers['access-control-allow-credentials'], 'true');
  assert.equal(known.headers['access-control-expose-headers'], 'X-Next');
  assert.equal(known.headers['vary'], 'Origin');
  for (const [path, origin] of [
    ['/closed', page],
    ['/named', 'https://evil.example'],
    ['/named', 'null'],
    ['/nothing', page],
  ] as const) {
    const refused = await allowed(path, origin, path === '/named' ? 'POST' : 'GET');
    assert.deepEqual([refused.status, refused.origin], [403, undefined], `${path} ${origin}`);
  }
  const wrong = await send({
    path: '/named',
    headers: { origin: page, 'content-type': 'text/x' },
    body: 'x',
  });
  assert.equal(wrong.status, 415);
  assert.equal(wrong.headers['access-control-allow-origin'], page, 'the page may read errors too');
});

test('a preflight says what a page may send (Fetch, CORS-preflight request)', async (t) => {
  const cors = { origins: [page], headers: ['DPoP'], maxAgeMs: 600_000 } as const;
  const routes = [
    routeOf({ cors }),
    routeOf({ ...get, name: 'look', cors: { origins: '*' } }),
    routeOf({ name: 'other', method: 'DELETE' }),
  ];
  const { send } = await serveRoutes(
    t,
    routes.map((route) => [route, mirror]),
  );
  const preflight = async (origin: string, method: string) => {
    const asked = { origin, 'access-control-request-method': method };
    const { status, headers } = await send({ method: 'OPTIONS', headers: asked });
    return [status, headers['access-control-allow-origin'], headers] as const;
  };
  const [status, origin, headers] = await preflight(page, 'POST');
  assert.deepEqual([status, origin], [204, page]);
  assert.equal(headers['access-control-allow-methods'], 'POST, GET');
  assert.equal(headers['access-control-allow-headers'], 'DPoP');
  assert.equal(headers['access-control-max-age'], '600');
  assert.match(String(headers['vary']), /Origin/);
  const [, , open] = await preflight(page, 'GET');
  assert.equal(open['access-control-max-age'], undefined, 'the spec says nothing of it');
  assert.deepEqual((await preflight('https://evil.example', 'GET')).slice(0, 2), [204, '*']);
  assert.deepEqual((await preflight('https://evil.example', 'POST')).slice(0, 2), [403, undefined]);
  assert.deepEqual((await preflight(page, 'DELETE')).slice(0, 2), [403, undefined]);
});
