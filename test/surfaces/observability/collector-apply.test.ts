import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { serveObservability } from './observing-server.ts';

type Json = Record<string, unknown>;

const log = { id: 'l', signalType: 'log', kind: 'loki', endpoint: 'http://127.0.0.1:3100' };
const metric = {
  id: 'm',
  signalType: 'metric',
  kind: 'prometheus',
  endpoint: 'http://127.0.0.1:9090',
};
const apply = '/observability/collector/apply';

async function serve(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const folder = join(temporaryDirectory(t), 'collector');
  mkdirSync(folder);
  const file = join(folder, 'collector.yaml');
  const place = { SERVICE_OBSERVABILITY_COLLECTOR_OUTPUT_PATH: file };
  return { folder, file, ...(await serveObservability(t, { ...place, ...env })) };
}

test('a file is written whole, once, and a signal goes only when that is said', async (t) => {
  const { folder, file, post, register, call, written } = await serve(t);
  const nothing = await post(apply, {});
  assert.deepEqual([nothing.status, nothing.body['error']], [422, 'validation_failed']);
  await register(log);
  await register(metric);
  const first = await post(apply, {});
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual([first.body['changed'], first.body['state']], [true, 'written']);
  const text = readFileSync(file, 'utf8');
  assert.equal((first.body['generated'] as Json)['text'], text);
  assert.equal(statSync(file).mode & 0o777, 0o640);
  const again = await post(apply, {});
  assert.deepEqual([again.body['changed'], again.body['sha256']], [false, first.body['sha256']]);
  assert.equal(again.body['state'], 'written');
  assert.equal((await written('OBSERVABILITY_COLLECTOR_CONFIG_APPLIED')).length, 1);

  await call('observability_remove_provider', { id: 'm', signalType: 'metric' });
  const silent = await post(apply, {});
  assert.equal(silent.status, 422);
  assert.match(String(silent.body['reason']), /metrics would not be taken any more/);
  assert.equal(readFileSync(file, 'utf8'), text);
  const meant = await call('observability_apply_collector_config', { allowRemoval: true });
  const { diff } = meant.structuredContent as { diff: Json };
  assert.deepEqual(diff['removedSignals'], ['metrics']);
  assert.equal(readFileSync(`${file}.last-good`, 'utf8'), text);
  assert.deepEqual(readdirSync(folder).sort(), ['collector.yaml', 'collector.yaml.last-good']);
  assert.equal((await written('OBSERVABILITY_COLLECTOR_CONFIG_REJECTED')).length, 1);
});

test('a path leads nowhere else than into the folder of the file', async (t) => {
  const { folder, post, register } = await serve(t);
  await register(log);
  for (const outputPath of [
    '../x.yaml',
    '/etc/x.yaml',
    'a/b.yaml',
    'x.sh',
    '.hidden.yaml',
    `${folder}/../y.yaml`,
  ]) {
    const { status, body } = await post(apply, { outputPath });
    assert.deepEqual([status, body['error']], [422, 'validation_failed'], outputPath);
  }
  const { body } = await post(apply, { outputPath: 'other.yaml' });
  assert.equal(body['outputPath'], join(folder, 'other.yaml'));
  assert.ok(existsSync(join(folder, 'other.yaml')));
});

test('a program that refuses the file, or is none, changes nothing', async (t) => {
  const folder = temporaryDirectory(t);
  const program = join(folder, 'otelcol');
  writeFileSync(program, '#!/bin/sh\necho "Error: $OBS_X is wrong" >&2\nexit 1\n', { mode: 0o755 });
  for (const [binary, reason] of [
    [program, /the collector refuses the file: Error: placeholder is wrong/],
    [join(folder, 'nothing'), /it does not start/],
  ] as const) {
    const { file, post, register } = await serve(t, {
      ...{ SERVICE_COLLECTOR_BINARY: binary, OBS_X: 'the-secret' },
    });
    await register({ ...log, auth: { type: 'bearer', env: 'OBS_X' } });
    const { status, body } = await post(apply, {});
    assert.equal(status, 422);
    assert.match(String(body['reason']), reason);
    assert.doesNotMatch(JSON.stringify(body), /the-secret/);
    assert.equal(existsSync(file), false);
  }
});

test('Kubernetes is told to restart the deployment, and what it refuses is taken back', async (t) => {
  const seen: { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }[] = [];
  let refuses = false;
  const api = createServer(async (request, response) => {
    const pieces = await request.toArray();
    const body = Buffer.concat(pieces as Buffer[]).toString();
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body });
    response.setHeader('content-type', 'application/json');
    if (refuses) response.writeHead(403);
    response.end(refuses ? JSON.stringify({ reason: 'Forbidden', message: 'token abc' }) : body);
  }).listen(0, '127.0.0.1');
  t.after(() => api.close());
  await once(api, 'listening');
  const { port } = api.address() as { port: number };
  const credentials = temporaryDirectory(t);
  writeFileSync(join(credentials, 'token'), 'account-token\n');
  const { file, post, register, written } = await serve(t, {
    SERVICE_COLLECTOR_RELOAD_K8S_DEPLOYMENT: 'collector',
    SERVICE_COLLECTOR_RELOAD_K8S_SERVER: `http://127.0.0.1:${port}`,
    SERVICE_COLLECTOR_RELOAD_K8S_CREDENTIALS: credentials,
  });
  await register(log);
  const { status, body } = await post(apply, {});
  assert.equal(status, 200, JSON.stringify(body));
  const { mode, status: state } = body['reload'] as Json;
  assert.deepEqual([mode, state], ['kubernetes', 'restarting']);
  const [request] = seen;
  assert.deepEqual(
    [
      request?.method,
      request?.url,
      request?.headers.authorization,
      request?.headers['content-type'],
    ],
    [
      'PATCH',
      '/apis/apps/v1/namespaces/observability/deployments/collector',
      'Bearer account-token',
      'application/strategic-merge-patch+json',
    ],
  );
  assert.match(request?.body ?? '', /"kubectl.kubernetes.io\/restartedAt":"\d{4}-/);

  refuses = true;
  const former = readFileSync(file, 'utf8');
  await register(metric);
  const refused = await post(apply, {});
  assert.deepEqual([refused.status, refused.body['error']], [502, 'reload_failed']);
  assert.match(String(refused.body['reason']), /Kubernetes answers 403 .*\(Forbidden\)/);
  assert.doesNotMatch(JSON.stringify(refused.body), /abc|account-token/);
  assert.equal(readFileSync(file, 'utf8'), former);
  assert.equal((await written('OBSERVABILITY_COLLECTOR_RELOAD_FAILED')).length, 1);
});
