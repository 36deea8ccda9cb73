import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { serveObservability } from '../observing-server.ts';

const pipe = (path: string) => execFileSync('mkfifo', [path]);
const good = (path: string) => writeFileSync(path, '-----BEGIN CERTIFICATE-----\n');

/** What a path may lead to that is no file of TLS. */
const strange: Readonly<Record<string, readonly [(path: string) => void, RegExp]>> = {
  'a pipe': [pipe, /caFile:? is no regular file/],
  'a folder': [(path) => mkdirSync(path), /caFile:? is no regular file/],
  'a device': [
    (path) => execFileSync('ln', ['-s', '/dev/zero', path]),
    /caFile:? is no regular file/,
  ],
  'a file without an end': [
    (path) => execFileSync('ln', ['-s', '/proc/self/pagemap', path]),
    /caFile:? is larger than 1048576 bytes/,
  ],
  'a large file': [
    (path) => {
      writeFileSync(path, '');
      truncateSync(path, 2_000_000);
    },
    /caFile:? is larger than 1048576 bytes/,
  ],
  'an empty file': [(path) => writeFileSync(path, ''), /caFile:? is empty/],
};

test('what is no file of TLS is refused by name and not waited for, whosever it is', async (t) => {
  const secrets = temporaryDirectory(t);
  mkdirSync(join(secrets, 'acme'));
  const { post } = await serveObservability(t, {
    SERVICE_TENANTS: '[{"id":"acme"}]',
    SERVICE_OBSERVABILITY_SECRETS_DIR: secrets,
  });
  for (const [tenant, prefix] of [
    ['default', ''],
    ['acme', '/t/acme'],
  ] as const) {
    const caFile = join(secrets, tenant === 'acme' ? 'acme' : '', 'ca.pem');
    const entry = {
      ...{ id: 'l', signalType: 'log', name: 'L', kind: 'loki', tls: { caFile } },
      endpoint: 'https://127.0.0.1:3100',
    };
    for (const [what, [make, reason]] of Object.entries(strange)) {
      make(caFile);
      const { status, body } = await post(`${prefix}/observability/providers`, entry);
      assert.equal(status, 422, `${tenant}: ${what}: ${JSON.stringify(body)}`);
      assert.match(String(body['reason']), reason);
      assert.ok(!JSON.stringify(body).includes(secrets), what);
      rmSync(caFile, { recursive: true });
    }
    good(caFile);
    const registered = await post(`${prefix}/observability/providers`, entry);
    assert.equal(registered.status, 201, JSON.stringify(registered.body));
    rmSync(caFile);
    for (const [what, [make, reason]] of Object.entries(strange)) {
      make(caFile);
      const asked = { logql: '{a="b"}' };
      const { status, body } = await post(`${prefix}/observability/query/logs`, asked);
      assert.equal(status, 502, what);
      assert.match(String(body['reason']), reason);
      const checked = await post(`${prefix}/observability/providers/log/l/check`, {});
      const { health } = checked.body as { health: { details: string } };
      assert.match(health.details, reason);
      rmSync(caFile, { recursive: true });
    }
  }

  await t.test('the collector is given none of them, nor does it wait', async () => {
    pipe(join(secrets, 'ca.pem'));
    const plain = { id: 'm', signalType: 'log', name: 'M', kind: 'loki' };
    await post('/observability/providers', { ...plain, endpoint: 'http://127.0.0.1:3100' });
    const { status, body } = await post('/observability/collector/generate', {});
    assert.equal(status, 200, JSON.stringify(body));
    const { leftOut, providerIds } = body['generated'] as {
      leftOut: object[];
      providerIds: object;
    };
    assert.deepEqual(providerIds, ['log/m']);
    assert.deepEqual(leftOut, [
      { provider: 'log/l', field: 'tls', reason: 'caFile is no regular file' },
    ]);
  });
});
