import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { request } from 'undici';
import { ServiceError, ToolError } from '#contract/errors';
import type { Route, RouteHandler, RouteReply } from '#contract/surface/route';
import { ClientGone } from '../../../runtime/admission/call.ts';
import { type ServerOptions, startInMemoryServer } from '../in-memory-server.ts';

const thing: Route = {
  name: 'readThing',
  method: 'GET',
  path: '/things/{id}',
  access: 'public',
  parameters: [
    { name: 'id', in: 'path' },
    { name: 'limit', in: 'query' },
    { name: 'deep', in: 'query' },
    { name: 'tag', in: 'query' },
    { name: 'X-Trace', in: 'header' },
  ],
  input: {
    type: 'object',
    properties: {
      parameters: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          limit: { type: 'integer', maximum: 10 },
          deep: { type: 'boolean' },
          tag: { type: 'array', items: { type: 'string' } },
          'X-Trace': { type: 'string' },
        },
        required: ['id'],
      },
    },
    additionalProperties: false,
  },
  responses: { 200: { contentType: 'application/json' }, 204: {} },
};

const creation: Route = {
  name: 'createThing',
  method: 'POST',
  path: '/things',
  access: ['api.write'],
  body: { 'application/json': 'json' },
  input: {
    type: 'object',
    properties: {
      parameters: { type: 'object' },
      body: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
    required: ['body'],
  },
  responses: { 201: { contentType: 'application/json' } },
};

/** Start a server with these routes; gives what sends a request to it. */
async function start(
  t: TestContext,
  routes: readonly (readonly [Route, RouteHandler])[],
  options: ServerOptions = {},
) {
  const bound = routes.map(([route, handle]) => ({ route, handle }));
  const url = await startInMemoryServer(t, { ...options, routes: bound });
  return async (method: 'GET' | 'POST' | 'HEAD', path: string, body?: string, headers = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await request(new URL(path, url), {
      method,
      headers: { ...type, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await answer.body.text();
    const isJson = /[/+]json/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  };
}

const mirror: RouteHandler = async ({ parameters, body, accept }) => ({
  status: 200,
  body: { parameters, body, accept },
});

const gives =
  (reply: RouteReply): RouteHandler =>
  async () =>
    reply;

const throws =
  (error: Error): RouteHandler =>
  async () => {
    throw error;
  };

test('the rest of a path arrives with its slashes, after paths that say more', async (t) => {
  const parameters = [{ name: 'path', in: 'path', rest: true }] as const;
  const file: Route = { ...thing, name: 'readFile', path: '/files/{id}/{path}', parameters };
  const fixed: Route = { ...thing, name: 'readOwn', path: '/files/own/{path}', parameters };
  const input = { type: 'object' };
  const send = await start(t, [
    [{ ...file, input, parameters: [...parameters, { name: 'id', in: 'path' }] }, mirror],
    [{ ...fixed, input }, mirror],
  ]);
  const { json } = await send('GET', '/files/7/a/b%2Fc/d?path=x');
  assert.deepEqual(json.parameters, { path: 'a/b/c/d', id: '7' });
  assert.deepEqual((await send('GET', '/files/own/a/b')).json.parameters, { path: 'a/b' });
  assert.equal((await send('GET', '/files')).status, 404);
});

test('parameters arrive in the types that their schemas ask for', async (t) => {
  const send = await start(t, [[thing, mirror]]);
  const path = '/things/a%2Fb?limit=5&deep=true&tag=x&tag=1&other=1';
  const { json } = await send('GET', path, undefined, { 'x-trace': '7', accept: 'text/plain' });
  assert.deepEqual(json, {
    parameters: { id: 'a/b', limit: 5, deep: true, tag: ['x', '1'], 'X-Trace': '7' },
    accept: 'text/plain',
  });
  const one = await send('GET', '/things/7?tag=x');
  assert.deepEqual(one.json.parameters, { id: '7', tag: ['x'] });
});

test('what breaks the schema is a problem document (RFC 9457)', async (t) => {
  const send = await start(t, [[thing, mirror]]);
  for (const query of ['limit=11', 'limit=x', 'deep=maybe']) {
    const { status, headers, json } = await send('GET', `/things/7?${query}`);
    assert.equal(status, 400);
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    assert.equal(json.status, 400);
    assert.equal(json.title, 'Bad Request');
    assert.equal(json.code, 'invalid_arguments');
    assert.match(json.detail, new RegExp(`parameters\\.${query.split('=')[0]}`));
  }
});

test('a text arrives as it is, whatever type its client gives it', async (t) => {
  const text: Route = {
    ...creation,
    access: 'public',
    body: { '*/*': 'text' },
    input: {
      type: 'object',
      properties: { body: { type: 'string', maxLength: 10 } },
      required: ['body'],
    },
    responses: { 201: { contentType: 'text/x.lines' } },
  };
  const send = await start(t, [[text, async ({ body }) => ({ status: 201, body })]]);
  for (const type of ['text/plain', 'application/json', 'application/octet-stream']) {
    const answer = await send('POST', '/things', 'ö {"a":1}\n', { 'content-type': type });
    assert.equal(answer.status, 201, type);
    assert.equal(answer.text, 'ö {"a":1}\n');
    assert.equal(answer.headers['content-type'], 'text/x.lines', 'exactly as declared');
  }
  assert.equal((await send('POST', '/things', 'x'.repeat(11))).status, 400);
  assert.equal((await send('POST', '/things', 'x'.repeat(41))).status, 413);
  assert.equal((await send('POST', '/things')).status, 400);
});

test('a body arrives parsed', async (t) => {
  const created: unknown[] = [];
  const create: RouteHandler = async ({ body }) => {
    created.push(body);
    return { status: 201, headers: { location: '/things/1' }, body: { id: 1 } };
  };
  const send = await start(t, [[creation, create]]);
  const { status, headers, json } = await send('POST', '/things', '{"name":"a"}');
  assert.equal(status, 201);
  assert.equal(headers['location'], '/things/1');
  assert.deepEqual(json, { id: 1 });
  assert.deepEqual(created, [{ name: 'a' }]);
});

const badBodies: readonly [body: string, status: number][] = [
  ['{"name":7}', 400],
  ['{', 400],
  ['{"name":"a","__proto__":{"x":1}}', 400],
  [`{"name":"a","x":${'['.repeat(128)}${']'.repeat(128)}}`, 400],
  [`{"name":"${'a'.repeat(2000)}"}`, 413],
];
for (const [body, status] of badBodies) {
  test(`the body ${body.slice(0, 40)} is ${status}`, async (t) => {
    const send = await start(t, [[creation, gives({ status: 201 })]], { maxBodyBytes: 1024 });
    const { status: answered, headers, json } = await send('POST', '/things', body);
    assert.equal(answered, status);
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    assert.equal(json.status, status);
  });
}

test('a body of another type is 415', async (t) => {
  const send = await start(t, [[creation, gives({ status: 201 })]]);
  const { status } = await send('POST', '/things', '<a/>', { 'content-type': 'text/xml' });
  assert.equal(status, 415);
});

test('text is sent as it is, and the content type of the answer wins', async (t) => {
  const reply = {
    status: 200,
    headers: { 'content-type': 'text/plain; version=1' },
    body: 'a 1\n',
  };
  const send = await start(t, [[thing, gives(reply)]]);
  const { headers, text } = await send('GET', '/things/1');
  assert.equal(headers['content-type'], 'text/plain; version=1');
  assert.equal(text, 'a 1\n');
});

test('an answer may have no body', async (t) => {
  const send = await start(t, [[thing, gives({ status: 204 })]]);
  const { status, text } = await send('GET', '/things/1');
  assert.equal(status, 204);
  assert.equal(text, '');
});

test('a HEAD request gets the head alone', async (t) => {
  const send = await start(t, [[thing, gives({ status: 200, body: { a: 1 } })]]);
  const { status, headers, text } = await send('HEAD', '/things/1');
  assert.equal(status, 200);
  assert.equal(headers['content-length'], '7');
  assert.equal(text, '');
});

const failures: readonly [error: Error, status: number, code: string | undefined][] = [
  [new ServiceError('not_here', 404, 'no such thing'), 404, 'not_here'],
  [new ServiceError('busy', 503, 'later', { retryAfterMs: 1500 }), 503, 'busy'],
  [new ToolError('upstream_timeout', 'no answer'), 504, 'upstream_timeout'],
  [new ToolError('conflict', 'exists'), 409, 'conflict'],
  [new Error('secret detail'), 500, undefined],
];
for (const [error, status, code] of failures) {
  test(`${error.name} ${error.message} is ${status}`, async (t) => {
    const send = await start(t, [[thing, throws(error)]]);
    const { status: answered, headers, text, json } = await send('GET', '/things/1');
    assert.equal(answered, status);
    assert.equal(json.code, code);
    assert.doesNotMatch(text, /secret/);
    assert.equal(headers['retry-after'], status === 503 ? '2' : undefined);
  });
}

test('a status that the route does not declare is a fault of the server', async (t) => {
  const send = await start(t, [[thing, gives({ status: 202 })]]);
  assert.equal((await send('GET', '/things/1')).status, 500);
});

test('a caller without the scope is 403', async (t) => {
  const caller = { tenant: 't', subject: 's', client: 'c', scopes: new Set<string>() };
  const authenticate = () => ({ ...caller, transport: 'http' }) as const;
  const send = await start(t, [[creation, gives({ status: 201 })]], { authenticate });
  const { status, headers, json } = await send('POST', '/things', '{"name":"a"}');
  assert.equal(status, 403);
  assert.equal(json.scope, 'api.write');
  const challenge = 'Bearer error="insufficient_scope", scope="api.write"';
  assert.equal(headers['www-authenticate'], challenge);
});

test('a handler that takes too long is 504, and its signal says so', async (t) => {
  const reasons: unknown[] = [];
  const handler: RouteHandler = ({ context }) =>
    new Promise((_, reject) => {
      context.signal.addEventListener('abort', () => {
        reasons.push(context.signal.reason);
        reject(context.signal.reason);
      });
    });
  const send = await start(t, [[thing, handler]], { callTimeoutMs: 100 });
  assert.equal((await send('GET', '/things/1')).status, 504);
  assert.ok(reasons[0] instanceof ToolError);
});

test('a client that leaves aborts the handler', async (t) => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<unknown>();
  const handler: RouteHandler = async ({ context }) => {
    context.signal.addEventListener('abort', () => stopped.resolve(context.signal.reason));
    started.resolve();
    await stopped.promise;
    return { status: 204 };
  };
  const bound = [{ route: thing, handle: handler }];
  const url = await startInMemoryServer(t, { routes: bound });
  const leaving = new AbortController();
  const answer = request(new URL('/things/1', url), { signal: leaving.signal });
  await started.promise;
  leaving.abort();
  await assert.rejects(answer);
  assert.ok((await stopped.promise) instanceof ClientGone);
});

test('what is not served is 404', async (t) => {
  const send = await start(t, [[thing, mirror]]);
  for (const path of ['/', '/things', '/mcp/x', '/mcp2', '/%zz']) {
    const { status, headers } = await send('GET', path);
    assert.ok(status === 404 || (path === '/%zz' && status === 400), `${path}: ${status}`);
    assert.match(String(headers['content-type']), /^application\/problem\+json/, path);
  }
});

test('requests of foreign pages are 403', async (t) => {
  const send = await start(t, [[thing, mirror]]);
  for (const headers of [{ origin: 'https://evil.example' }, { host: 'evil.example' }]) {
    const answer = await send('GET', '/things/1', undefined, headers);
    assert.equal(answer.status, 403);
    assert.equal(answer.json.code, 'foreign_request');
    // A token would not help (RFC 6750 section 3.1).
    assert.equal('www-authenticate' in answer.headers, false);
  }
});

test('what holds a NUL is the name of nothing', async (t) => {
  const send = await start(t, [[thing, mirror]]);
  assert.equal((await send('GET', '/things/a')).status, 200);
  const { status, json } = await send('GET', '/things/a%00b');
  assert.deepEqual([status, json.code], [404, 'not_found']);
});
