import assert from 'node:assert/strict';
import test from 'node:test';
import { path } from '#contract/path';
import { caller, write } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

const auth = [{ type: 'bearer', env: ['ACME_TOKEN'], required: true }] as const;
const env = { ACME_TOKEN: 'tok_123456' };

test('a redirection inside the same server keeps the credential', async (t) => {
  const upstream = await startUpstream(t, (response, request) =>
    request.url === '/things'
      ? response.writeHead(301, { location: '/elsewhere?page=2' }).end()
      : sendJson(response, { found: true }),
  );
  const { data } = caller(t, upstream.url, { provider: { auth }, options: { env } });
  assert.deepEqual(await data(), { found: true });
  assert.equal(upstream.seen[1]?.url, '/elsewhere?page=2');
  assert.equal(upstream.seen[1]?.headers.authorization, 'Bearer tok_123456');
});

test('a redirection to another server of the provider loses the credential, for good', async (t) => {
  const back = await startUpstream(t, (response, request) =>
    request.url === '/things'
      ? response.writeHead(302, { location: `${other.url}/there` }).end()
      : sendJson(response, { found: true }),
  );
  const other = await startUpstream(t, (response, { url }) => {
    const location = url === '/there' ? '/still-there' : `${back.url}/final`;
    response.writeHead(307, { location }).end();
  });
  const servers = [
    { id: 'api', url: back.url },
    { id: 'files', url: other.url },
  ] as const;
  const { data } = caller(t, back.url, { provider: { servers, auth }, options: { env } });
  assert.deepEqual(await data(), { found: true });
  assert.equal(back.seen[0]?.headers.authorization, 'Bearer tok_123456');
  for (const seen of [...other.seen, ...back.seen.slice(1)]) {
    assert.equal(seen.headers.authorization, undefined, seen.url);
  }
  assert.deepEqual(
    other.seen.map(({ url }) => url),
    ['/there', '/still-there'],
  );
  assert.equal(back.seen[1]?.url, '/final');
});

test('a key in the query is not carried to another origin, not even by the vendor', async (t) => {
  const other = await startUpstream(t, (response) => sendJson(response, {}));
  const upstream = await startUpstream(t, (response, request) => {
    const query = request.url.split('?')[1];
    response.writeHead(302, { location: `${other.url}/there?${query}` }).end();
  });
  const servers = [
    { id: 'api', url: upstream.url },
    { id: 'files', url: other.url },
  ] as const;
  const key = {
    type: 'api_key',
    in: 'query',
    name: 'key',
    format: '{token}',
    env: ['ACME_TOKEN'],
    required: true,
  } as const;
  const { data } = caller(t, upstream.url, {
    provider: { servers, auth: [key] },
    tool: { request: () => ({ method: 'GET', path: path`/things`, query: { a: 1 } }) },
    options: { env },
  });
  await data();
  assert.equal(upstream.seen[0]?.url, '/things?a=1&key=tok_123456');
  assert.equal(other.seen[0]?.url, '/there?a=1');
});

test('more than five redirections are an error', async (t) => {
  const upstream = await startUpstream(t, (response, _, count) => {
    response.writeHead(302, { location: `/hop/${count}` }).end();
  });
  const error = await caller(t, upstream.url).failure();
  assert.match(error.message, /redirected more than 5 times/);
  assert.equal(upstream.seen.length, 6);
});

for (const location of ['ftp://127.0.0.1/', 'http://[bad', 'http://127.0.0.1:9/']) {
  test(`a redirection to ${location} is not followed`, async (t) => {
    const upstream = await startUpstream(t, (response) => {
      response.writeHead(302, { location }).end();
    });
    const error = await caller(t, upstream.url).failure();
    assert.equal(error.code, 'upstream_error');
    assert.match(error.message, /redirected to a host that is not one of its servers/);
  });
}

test('303 after a POST is a GET without a body (RFC 9110 section 15.4.4)', async (t) => {
  const upstream = await startUpstream(t, (response, request) =>
    request.method === 'POST'
      ? response.writeHead(303, { location: '/done' }).end()
      : sendJson(response, { done: true }),
  );
  const { data } = caller(t, upstream.url, {
    tool: {
      ...write,
      request: () => ({
        method: 'POST',
        path: path`/things`,
        body: { kind: 'json', value: { a: 1 } },
      }),
    },
  });
  assert.deepEqual(await data(), { done: true });
  const [first, second] = upstream.seen;
  assert.equal(first?.body, '{"a":1}');
  assert.equal(second?.method, 'GET');
  assert.equal(second?.body, '');
  assert.equal(second?.headers['content-type'], undefined);
});

test('307 repeats a POST with its body', async (t) => {
  const upstream = await startUpstream(t, (response, _, count) =>
    count === 1
      ? response.writeHead(307, { location: '/moved' }).end()
      : sendJson(response, { done: true }),
  );
  const body = { kind: 'json', value: { a: 1 } } as const;
  const request = () => ({ method: 'POST', path: path`/things`, body });
  const { data } = caller(t, upstream.url, { tool: { ...write, request } });
  assert.deepEqual(await data(), { done: true });
  assert.equal(upstream.seen[1]?.body, '{"a":1}');
});

test('a POST is not turned into a GET that would report success', async (t) => {
  for (const status of [301, 302]) {
    const upstream = await startUpstream(t, (response) => {
      response.writeHead(status, { location: '/other' }).end();
    });
    const error = await caller(t, upstream.url, { tool: write }).failure();
    assert.match(error.message, /redirected a POST/);
    assert.equal(upstream.seen.length, 1);
  }
});

for (const [status, location, mayBeDone] of [
  [301, '/other', true],
  [302, '/other', true],
  [302, 'http://127.0.0.1:9/', true],
  [303, 'http://127.0.0.1:9/', true],
  [307, 'http://127.0.0.1:9/', undefined],
] as const) {
  const told = mayBeDone ? 'may have been done' : 'was not done';
  test(`a POST that ${status} leads to ${location} ${told}`, async (t) => {
    const upstream = await startUpstream(t, (response) => {
      response.writeHead(status, { location }).end();
    });
    const { message, detail } = await caller(t, upstream.url, { tool: write }).failure();
    assert.equal(detail.mayBeDone, mayBeDone);
    const end =
      /(?:; what was asked for may have been done|the request itself was answered 303, and may have been done)$/;
    assert.equal(end.test(message), mayBeDone === true);
    assert.equal(detail.retryable, false);
    assert.equal(upstream.seen.length, 1);
  });
}

test('a redirection that is the answer is given and not followed, without the credential', async (t) => {
  const other = await startUpstream(t, (response) => sendJson(response, {}));
  const upstream = await startUpstream(t, (response, request) => {
    const key = request.url.split('?')[1];
    response.writeHead(302, { location: `${other.url}/file?${key}&name=a#part` }).end();
  });
  const key = {
    type: 'api_key',
    in: 'query',
    name: 'key',
    format: '{token}',
    env: ['ACME_TOKEN'],
    required: true,
  } as const;
  const { data } = caller(t, upstream.url, {
    provider: { auth: [key] },
    tool: { response: { location: true } },
    options: { env },
  });
  assert.deepEqual(await data(), { location: `${other.url}/file?name=a#part` });
  assert.deepEqual(other.seen, []);
});

test('a redirection to what is no address of the web gives none', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    response.writeHead(302, { location: 'javascript:alert(1)' }).end(),
  );
  const { data } = caller(t, upstream.url, { tool: { response: { location: true } } });
  assert.deepEqual(await data(), { location: null });
});
