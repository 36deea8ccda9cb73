import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { storeWith } from '#contract/house/store';
import type { ObservabilityTables } from '../../../../generated/surfaces/observability/tables.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { startFakeBackEnd } from '../fake-back-end.ts';
import { serveObservability } from '../observing-server.ts';

const streams = '{"status":"success","data":{"resultType":"streams","result":[]}}';
const path = '/t/acme/observability/providers';

/** A server with the tenant acme, credentials of its own, and a back end that notes what it is sent. */
async function serve(t: TestContext) {
  const secrets = temporaryDirectory(t);
  mkdirSync(join(secrets, 'acme'));
  writeFileSync(join(secrets, 'token'), 'secret-of-the-server');
  writeFileSync(join(secrets, 'acme', 'token'), 'secret-of-acme');
  process.env['OBS_LOKI'] = 'variable-of-the-server';
  t.after(() => delete process.env['OBS_LOKI']);
  const sent: (string | undefined)[] = [];
  const endpoint = await startFakeBackEnd(t, ({ headers }, response) => {
    sent.push(headers.authorization);
    response.setHeader('content-type', 'application/json').end(streams);
  });
  const server = await serveObservability(t, {
    SERVICE_TENANTS: '[{"id":"acme"}]',
    SERVICE_OBSERVABILITY_SECRETS_DIR: secrets,
  });
  const loki = { id: 'a', signalType: 'log', name: 'A', kind: 'loki', endpoint };
  const ask = (prefix = '/t/acme') =>
    server.post(`${prefix}/observability/query/logs`, {
      ...{ logql: '{a="b"}', timeRange: { from: 'now-1m', to: 'now' } },
      selection: { mode: 'one', providerId: 'a' },
    });
  return { ...server, secrets, sent, loki, ask };
}

test('a tenant has no credential of the server sent to a back end of its own', async (t) => {
  const { post, loki, sent, ask } = await serve(t);
  const env = await post(path, { ...loki, auth: { type: 'bearer', env: 'OBS_LOKI' } });
  assert.equal(env.status, 422, JSON.stringify(env.body));
  assert.match(String(env.body['reason']), /auth\.env: .*own tenant alone/);
  const ref = await post(path, { ...loki, auth: { type: 'bearer', secretRef: 'token' } });
  assert.equal(ref.status, 201, JSON.stringify(ref.body));
  assert.equal((await ask()).status, 200);
  assert.deepEqual(new Set(sent), new Set(['Bearer secret-of-acme']));

  const own = await post('/observability/providers', {
    ...{ ...loki, auth: { type: 'bearer', secretRef: 'token' } },
  });
  assert.equal(own.status, 201, JSON.stringify(own.body));
  assert.equal((await ask('')).status, 200);
  assert.equal(sent.at(-1), 'Bearer secret-of-the-server');
});

test('what a tenant registered when more was permitted is asked nothing', async (t) => {
  const { post, loki, sent, ask, service, secrets } = await serve(t);
  assert.equal((await post(path, loki)).status, 201);
  const { db } = storeWith<ObservabilityTables>(service.engines.store);
  const strange = [
    { auth: { type: 'bearer', env: 'OBS_LOKI' }, tls: {} },
    { auth: { type: 'none' }, tls: { keyFile: join(secrets, 'token') } },
  ];
  for (const { auth, tls } of strange) {
    const { entry } = await db
      .selectFrom('observability_provider')
      .select('entry')
      .where('tenant', '=', 'acme')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('observability_provider')
      .set({ entry: JSON.stringify({ ...JSON.parse(entry), auth, tls }) })
      .where('tenant', '=', 'acme')
      .execute();
    const { status, body } = await ask();
    assert.equal(status, 502, JSON.stringify(body));
    assert.match(JSON.stringify(body), /no credential for it that can be used/);
  }
  assert.deepEqual(sent, []);
});

test('the certificates and keys of the server are none of a tenant', async (t) => {
  const { post, loki, secrets } = await serve(t);
  const files = (certFile: string, keyFile: string) => ({ ...loki, tls: { certFile, keyFile } });
  for (const strange of [
    files(join(secrets, 'token'), join(secrets, 'acme', 'key')),
    files(join(secrets, 'acme', 'cert'), `${secrets}/acme/../token`),
    files('/etc/ssl/private/a.pem', '/etc/ssl/private/a.key'),
  ]) {
    const { status, body } = await post(path, strange);
    assert.equal(status, 422, JSON.stringify(strange));
    assert.match(String(body['reason']), /in the folder of secrets of the tenant/);
  }
  const own = files(join(secrets, 'acme', 'cert'), join(secrets, 'acme', 'key'));
  assert.equal((await post(path, own)).status, 201);
  assert.equal((await post('/observability/providers', files('/etc/a', '/etc/b'))).status, 201);
});
