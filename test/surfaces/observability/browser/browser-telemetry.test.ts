import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import type { GateClaims } from '../../../../runtime/contract/telemetry/browser-gate.ts';
import { gateMaker } from '../../../../runtime/edge/maker.ts';
import { serveObservability } from '../observing-server.ts';

type Json = Record<string, unknown>;

const origin = 'https://app.example';
const thrown = {
  meta: { app: { name: 'shop' }, page: { url: `${origin}/cart` } },
  exceptions: [
    {
      timestamp: new Date().toISOString(),
      type: 'TypeError',
      value: 'cart 42 is undefined',
      stacktrace: { frames: [{ function: 'add', filename: 'cart.js', lineno: 3, colno: 7 }] },
      trace: { trace_id: 'c'.repeat(32), span_id: 'd'.repeat(16) },
    },
  ],
};

async function served(t: test.TestContext, env: Readonly<Record<string, string>> = {}) {
  const server = await serveObservability(t, {
    SERVICE_TELEMETRY_ALLOWED_ORIGINS: origin,
    ...env,
  });
  const mint = (claims: object, more: object = {}) =>
    server.post('/observability/telemetry/token', { claims: { origin, ...claims }, ...more });
  const send = (
    token: string,
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    fetch(`${server.address()}/observability/telemetry/collect`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        origin,
        ...headers,
      },
      body,
    });
  const count = async (outcome: string) => {
    const text = await (await fetch(`${server.address()}/metrics`)).text();
    const form = new RegExp(
      `^service_telemetry_browser_requests_total{outcome="${outcome}"} (\\d+)$`,
      'm',
    );
    return Number(form.exec(text)?.[1] ?? 0);
  };
  return { ...server, mint, send, count };
}

test('what a page throws comes back by a federated query', async (t) => {
  const { mint, send, post, written, count, address } = await served(t);
  const minted = await mint({ sub: 'session-1' });
  assert.equal(minted.status, 200, JSON.stringify(minted.body));
  assert.match(String(minted.body['ingestUrl']), /^http.*\/observability\/telemetry\/collect$/);
  const reply = await send(String(minted.body['token']), JSON.stringify(thrown));
  assert.deepEqual([reply.status, await reply.text()], [204, '']);
  assert.equal(reply.headers.get('access-control-allow-origin'), origin);
  assert.equal(await count('passed'), 1);

  const asked = { filter: { service: 'shop', level: 'error' } };
  const { body } = await post('/observability/query/logs', asked);
  const [line, ...others] = body['data'] as Json[];
  assert.deepEqual(others, []);
  assert.equal(line?.['body'], 'TypeError: cart 42 is undefined');
  assert.equal(line?.['traceId'], 'c'.repeat(32));
  const attributes = line?.['attributes'] as Json;
  assert.equal(attributes['session_id'], 'session-1');
  assert.match(String(attributes['error_fingerprint']), /^[0-9a-f]{16}$/);
  assert.match(String(attributes['exception_stacktrace']), /at add \(cart\.js:3:7\)/);

  const metrics = await (await fetch(`${address()}/metrics`)).text();
  const items = metrics.match(/(?<=^service_telemetry_browser_items_total)\{.*$/gm);
  assert.deepEqual(items, ['{kind="exception"} 1', '{kind="new_error"} 1']);

  const [entry] = await written('OBSERVABILITY_TELEMETRY_TOKEN_MINTED');
  assert.deepEqual([entry?.payload['session'], entry?.payload['origin']], ['session-1', origin]);
});

test('whatever is wrong with a request, its answer is the same', async (t) => {
  const { mint, send, count, post } = await served(t, {
    ...{ SERVICE_TELEMETRY_RATE_LIMIT_PER_MINUTE: '4', TELEMETRY_JWT_SIGNING_KEY: 'k'.repeat(32) },
  });
  const token = String((await mint({ sub: 'a' })).body['token']);
  const good = JSON.stringify(thrown);
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    ...{ iss: 'x', aud: 'telemetry', sub: 'b', project: 'service', origin, jti: 'j' },
    ...{ iat: now, exp: now + 60 },
  } as const;
  const sign = (differs: Partial<GateClaims> | { aud: string }, key = 'k'.repeat(32)) =>
    gateMaker.sign({ ...claims, ...differs } as GateClaims, Buffer.from(key));
  const [head = '', body = ''] = token.split('.');
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  const cases: readonly (readonly [string, () => Promise<Response>])[] = [
    ['token', async () => send('nonsense', good)],
    ['token', async () => send(`${none}.${body}.`, good)],
    ['token', async () => send(`${head}.${body}.AAAA`, good)],
    ['token', async () => send(await sign({}, 'z'.repeat(32)), good)],
    ['token', async () => send(await sign({ iat: now - 900, exp: now - 60 }), good)],
    ['token', async () => send(await sign({ project: 'another' }), good)],
    ['token', async () => send(await sign({ aud: 'api' }), good)],
    ['origin', async () => send(await sign({ origin: 'https://evil.example' }), good)],
    ['origin', async () => send(token, good, { origin: 'https://evil.example' })],
    ['json', async () => send(token, '{"exceptions":')],
    ['shape', async () => send(token, '{"logs":[1]}')],
    ['shape', async () => send(token, JSON.stringify({ logs: Array(201).fill({}) }))],
    ['size', async () => send(token, `{"a":"${'x'.repeat(70_000)}"}`)],
    ['rate', async () => send(token, good)],
  ];
  for (const [reason, ask] of cases) {
    const before = await count(reason);
    const reply = await ask();
    assert.deepEqual([reply.status, await reply.text()], [204, ''], reason);
    assert.equal(await count(reason), before + 1, reason);
  }
  assert.equal(await count('passed'), 0);
  const { body: answer } = await post('/observability/query/logs', { filter: { service: 'shop' } });
  assert.deepEqual(answer['data'], []);
});

test('beacons bring their token along, and pages are allowed what they send', async (t) => {
  const { mint, count, address } = await served(t);
  const { token } = (await mint({})).body;
  const url = `${address()}/observability/telemetry/collect`;
  const beacon = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8', origin },
    body: JSON.stringify({ token, payload: thrown }),
  });
  assert.equal(beacon.status, 204);
  assert.equal(await count('passed'), 1);
  const asked = ['authorization', 'content-type', 'idempotency-key', 'x-faro-session-id'];
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked.join(','),
    },
  });
  assert.equal(preflight.status, 204);
  const allowed = String(preflight.headers.get('access-control-allow-headers')).toLowerCase();
  for (const name of asked) assert.ok(allowed.includes(name), name);
});

test('tokens are for pages of this service alone', async (t) => {
  const { mint, address } = await served(t);
  const wrong = [{ origin: 'https://evil.example' }, { project: 'another' }];
  for (const claims of wrong) {
    const { status, body } = await mint(claims);
    assert.deepEqual([status, body['error']], [400, 'invalid_request']);
  }
  assert.equal((await mint({}, { ttlSeconds: 7200 })).status, 400);
  const reply = await fetch(`${address()}/observability/telemetry/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(reply.status, 400);
});

test('a key that is too short stops the start', async (t) => {
  await assert.rejects(served(t, { TELEMETRY_JWT_SIGNING_KEY: 'short' }), /32 bytes/);
});

test('an edge takes packed bodies, and no more of them than unpacked ones', async () => {
  const passed: unknown[] = [];
  const outcomes: string[] = [];
  const key = Buffer.alloc(32, 7);
  const gate = gateMaker.open(
    { keys: [key], project: 'p', origins: [origin], perMinute: 60, maxBytes: 65_536 },
    {
      now: Date.now,
      forward: async ({ payload }) => {
        passed.push(payload);
      },
      count: (outcome) => outcomes.push(outcome),
    },
  );
  const now = Math.floor(Date.now() / 1000);
  const claims: GateClaims = {
    ...{ iss: 'i', sub: 's', project: 'p', origin, jti: 'j', iat: now, exp: now + 60 },
    aud: 'telemetry',
  };
  const token = await gateMaker.sign(claims, key);
  const send = (body: Uint8Array<ArrayBuffer>) =>
    gate(
      new Request('https://edge.example/collect', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, origin, 'content-encoding': 'gzip' },
        body,
      }),
    );
  await send(new Uint8Array(gzipSync(JSON.stringify(thrown))));
  await send(new Uint8Array(gzipSync(`{"logs":[{"message":"${'x'.repeat(1_000_000)}"}]}`)));
  assert.deepEqual(outcomes, ['passed', 'size']);
  assert.equal(passed.length, 1);
  const other = await gate(
    new Request('https://edge.example/collect', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    }),
  );
  assert.equal(other.headers.get('access-control-allow-origin'), null);
});
