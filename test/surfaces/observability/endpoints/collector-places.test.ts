import assert from 'node:assert/strict';
import test from 'node:test';
import { collectorPlaces } from '../../../../runtime/surfaces/observability/endpoints/back-end-rules.ts';
import { serveObservability } from '../observing-server.ts';

const env = {
  SERVICE_COLLECTOR_GRPC_ENDPOINT: '127.0.0.1:24317',
  SERVICE_COLLECTOR_HTTP_ENDPOINT: '0.0.0.0:24318',
  SERVICE_COLLECTOR_BROWSER_ENDPOINT: '[::1]:28027',
  SERVICE_COLLECTOR_METRICS_ENDPOINT: '127.0.0.1:28888',
  SERVICE_COLLECTOR_HEALTH_URL: 'http://127.0.0.1:23133/',
};
const path = '/observability/providers';

test('nothing is sent to where the collector takes it, or tells of itself', async (t) => {
  const { post } = await serveObservability(t, env);
  const otlp = { id: 'a', signalType: 'trace', name: 'A', kind: 'otlp' };
  for (const endpoint of [
    ...['http://127.0.0.1:24317', 'http://localhost:24318', 'http://[::1]:24318'],
    ...['http://0x7f.1:24318/v1', 'http://127.0.0.1:28027', 'http://127.0.0.1:28888'],
    'http://127.0.0.1:23133',
  ]) {
    const { status, body } = await post(path, { ...otlp, endpoint });
    assert.equal(status, 422, endpoint);
    assert.match(String(body['reason']), /the collector (takes telemetry|tells of itself) there/);
    const good = { ...otlp, endpoint: 'http://127.0.0.1:4999' };
    assert.equal((await post(path, { ...good, otlpEndpoint: endpoint })).status, 422, endpoint);
  }
});

test('what a kind makes of an endpoint is checked as well', async (t) => {
  // Jaeger takes OTLP at port 4318 of its host, which is where the collector listens by default.
  const { post, register, service } = await serveObservability(t);
  const jaeger = {
    id: 'j',
    signalType: 'trace',
    kind: 'jaeger',
    endpoint: 'http://127.0.0.1:16686',
  };
  const refused = await post(path, { ...jaeger, name: 'J' });
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.body['details'], [
    {
      field: 'endpoint',
      reason:
        'the collector takes telemetry there (http://127.0.0.1:4318): name another as otlpEndpoint, or say ingest: false',
    },
  ]);
  await register({ ...jaeger, ingest: false });
  await register({ ...jaeger, id: 'k', otlpEndpoint: 'http://127.0.0.1:14318' });

  // An operator may switch one on that nobody could register.
  await register({ ...jaeger, id: 'off', enabled: false });
  const run = service.commands['observability'] ?? assert.fail();
  await run(['enable', 'trace/off'], {});
  const made = await post('/observability/collector/generate', {});
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { leftOut } = made.body['generated'] as { leftOut: object[] };
  assert.deepEqual(leftOut, [
    {
      ...{ provider: 'trace/off', field: 'endpoint' },
      reason: 'the collector takes telemetry there (http://127.0.0.1:4318)',
    },
  ]);
});

test('a collector on another machine is known by the host of its health', () => {
  const places = collectorPlaces({
    ...{ collectorGrpc: '0.0.0.0:4317', collectorHttp: '0.0.0.0:4318' },
    ...{ collectorBrowser: undefined, collectorMetrics: '0.0.0.0:8888' },
    collectorHealthUrl: 'http://otelcol.internal:13133/',
  });
  const at = places.map(({ host, port }) => `${host}:${port}`);
  for (const port of [4317, 4318, 8888, 13133]) {
    assert.ok(at.includes(`otelcol.internal:${port}`), at.join());
  }
  assert.ok(at.includes('0.0.0.0:4318'));
});
