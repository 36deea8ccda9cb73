import assert from 'node:assert/strict';
import test from 'node:test';
import type { GateClaims } from '../../../../runtime/contract/telemetry/browser-gate.ts';
import { gateMaker } from '../../../../runtime/edge/maker.ts';
import { createSigningKeys } from '../../../../runtime/surfaces/observability/browser/signing-keys.ts';
import { startFakeBackEnd } from '../fake-back-end.ts';
import { serveObservability } from '../observing-server.ts';

const [first, second] = ['a'.repeat(32), 'b'.repeat(40)];
const minuteMs = 60_000;

/** A secrets store by the API of Vault, KV version 2, whose answers and whose clock the test sets. */
function storeWith() {
  const store = { status: 200, key: first as unknown, nowMs: 0, asked: [] as unknown[] };
  const keysNow = createSigningKeys(
    {
      ...{ telemetryKey: undefined, telemetryPreviousKey: 'p'.repeat(32), telemetryStore: true },
      ...{ telemetryStoreAddress: 'https://vault.example/', telemetryStoreToken: 'hvs.token' },
      ...{ telemetryStoreMount: 'secret', telemetryStorePath: 'pages/telemetry' },
      telemetryStoreField: 'jwt_signing_key',
    },
    {
      now: () => store.nowMs,
      derived: () => new Uint8Array(32),
      backEnds: {
        async fetch(url: string, { headers }: { headers?: Readonly<Record<string, string>> }) {
          store.asked.push([url, headers?.['x-vault-token']]);
          const text = JSON.stringify({ data: { data: { jwt_signing_key: store.key } } });
          return { status: store.status, body: Buffer.from(text) };
        },
      } as never,
    },
  );
  const texts = async () => {
    const { signing, accepted, source } = await keysNow();
    const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
    return { signing: textOf(signing), accepted: accepted.map(textOf), source };
  };
  return { store, texts };
}

test('the key is read from the store, kept for five minutes, and the former one is taken still', async () => {
  const { store, texts } = storeWith();
  const found = { signing: first, accepted: [first, 'p'.repeat(32)], source: 'secretstore' };
  assert.deepEqual(await texts(), found);
  store.nowMs = 5 * minuteMs - 1;
  store.key = second;
  assert.deepEqual(await texts(), found);
  assert.deepEqual(store.asked, [
    ['https://vault.example/v1/secret/data/pages/telemetry', 'hvs.token'],
  ]);
  store.nowMs = 5 * minuteMs;
  const renewed = { signing: second, accepted: [second, first], source: 'secretstore' };
  assert.deepEqual(await texts(), renewed);
});

test('while the store does not answer, what it has said goes on', async () => {
  const { store, texts } = storeWith();
  const found = await texts();
  for (const [status, key] of [
    [503, first],
    [200, 'short'],
    [200, 42],
  ] as const) {
    Object.assign(store, { status, key, nowMs: store.nowMs + 5 * minuteMs });
    assert.deepEqual(await texts(), found, `${status} ${key}`);
  }
  assert.equal(store.asked.length, 4);
});

test('a store that has never answered gives no key at all', async () => {
  const { store, texts } = storeWith();
  store.status = 403;
  await assert.rejects(texts(), /no key of 32 bytes there \(status 403\)/);
  Object.assign(store, { status: 200, key: 'short' });
  await assert.rejects(texts(), /no key of 32 bytes there \(status 200\)/);
});

test('pages send with tokens of the key in the store, and need no other credential', async (t) => {
  const origin = 'https://shop.example';
  const store = await startFakeBackEnd(t, ({ url, headers }, response) => {
    const isKey = url === '/v1/kv/data/pages' && headers['x-vault-token'] === 'hvs.token';
    response.writeHead(isKey ? 200 : 403);
    response.end(JSON.stringify({ data: { data: { signing: second } } }));
  });
  const server = await serveObservability(t, {
    ...{ SERVICE_AUTH: 'required', SERVICE_TELEMETRY_ALLOWED_ORIGINS: origin },
    ...{ SERVICE_TELEMETRY_JWT_SECRETSTORE: '1', SERVICE_TELEMETRY_JWT_SECRETSTORE_ADDR: store },
    SERVICE_TELEMETRY_JWT_SECRETSTORE_TOKEN: 'hvs.token',
    SERVICE_TELEMETRY_JWT_SECRETSTORE_MOUNT: 'kv',
    SERVICE_TELEMETRY_JWT_SECRETSTORE_PATH: 'pages',
    SERVICE_TELEMETRY_JWT_SECRETSTORE_FIELD: 'signing',
  });
  const refused = await server.post('/observability/telemetry/token', { claims: { origin } });
  assert.equal(refused.status, 401);
  const iat = Math.floor(Date.now() / 1000);
  const claims: GateClaims = {
    ...{ iss: 'i', aud: 'telemetry', sub: 's', project: 'service', origin, jti: 'j' },
    ...{ iat, exp: iat + 60 },
  };
  const send = async (key: string) => {
    const token = await gateMaker.sign(claims, Buffer.from(key));
    const reply = await fetch(`${server.address()}/observability/telemetry/collect`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, origin, 'content-type': 'application/json' },
      body: JSON.stringify({ logs: [{ message: 'hello', level: 'info' }] }),
    });
    assert.deepEqual([reply.status, reply.headers.get('www-authenticate')], [204, null]);
  };
  await send(second);
  await send(first);
  const { text } = await server.service.engines.metrics.expose('text/plain');
  assert.match(text, /browser_requests_total\{outcome="passed"\} 1$/m);
  assert.match(text, /browser_requests_total\{outcome="token"\} 1$/m);
});
