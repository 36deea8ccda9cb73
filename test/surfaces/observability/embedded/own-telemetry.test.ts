import assert from 'node:assert/strict';
import test from 'node:test';
import { serveObservability } from '../observing-server.ts';

type Json = Record<string, unknown>;

test('without any back end the server is asked for what it has done itself', async (t) => {
  const server = await serveObservability(t, { SERVICE_LOG_LEVEL: 'info' });
  const { post, get, call, written, service } = server;
  service.engines.log.warn({ city: 'Oslo', traceId: 'a'.repeat(32) }, 'the tide is high');
  await call('observability_health', {});

  await t.test('it stands among the back ends, and is well', async () => {
    const { body } = await get('/observability/health');
    const shown = (body['providers'] as Json[]).map(({ providerId, signalType, kind }) => [
      ...[providerId, signalType, kind],
    ]);
    assert.deepEqual(shown, [
      ['this-server', 'log', 'embedded'],
      ['this-server', 'metric', 'embedded'],
      ['this-server', 'trace', 'embedded'],
    ]);
  });

  await t.test('its log answers LogQL and neutral filters', async () => {
    const asked = [
      { logql: '{service_name="agent-tool-server", level="warn"} |= "tide" | city="Oslo"' },
      { filter: { level: 'warn', text: 'tide', attributes: { city: 'Oslo' } } },
      { filter: { traceId: 'a'.repeat(32) } },
    ];
    for (const each of asked) {
      const { status, body } = await post('/observability/query/logs', each);
      assert.equal(status, 200, JSON.stringify(body));
      const [line, ...others] = body['data'] as Json[];
      assert.deepEqual(others, []);
      assert.deepEqual(
        [line?.['body'], line?.['severity'], line?.['service'], line?.['traceId']],
        ['the tide is high', 'WARN', 'agent-tool-server', 'a'.repeat(32)],
      );
    }
    const counted = await post('/observability/query/logs', {
      logql: 'sum by (level) (count_over_time({service_name=~".+"} |= "tide" [1h]))',
    });
    const [series] = counted.body['data'] as { metric: Json }[];
    assert.equal(series?.metric['level'], 'warn');
  });

  await t.test('what is not supported is refused, with what and where', async () => {
    const refused: readonly (readonly [string, object, RegExp])[] = [
      ['logs', { logql: '{a="b"} | line_format "x"' }, /line_format is not supported/],
      ['logs', { logql: '{a=~".*"}' }, /not every stream/],
      ['metrics', { promql: 'rate(x[5m:1m])' }, /subquery is not supported.*character/],
      ['metrics', { promql: 'label_replace(x, "a", "b", "c", "d")' }, /label_replace is not/],
      ['traces', { traceql: '{ } >> { }' }, /nothing is supported/],
    ];
    for (const [signal, asked, words] of refused) {
      const { status, body } = await post(`/observability/query/${signal}`, asked);
      assert.deepEqual([status, body['error']], [400, 'invalid_query'], JSON.stringify(body));
      assert.match(String(body['reason']), words);
    }
  });

  await t.test('its metrics answer PromQL', async () => {
    const promql = 'process_start_time_seconds{job="agent-tool-server"}';
    const { status, body } = await post('/observability/query/metrics', { promql });
    assert.equal(status, 200, JSON.stringify(body));
    const [series] = body['data'] as { values: [number, string][] }[];
    const [[, value] = []] = series?.values.slice(-1) ?? [];
    assert.ok(Number(value) > 1_600_000_000, String(value));
  });

  await t.test('its spans answer TraceQL and neutral filters', async () => {
    const asked = [
      { traceql: '{ name = "tools/call observability_health" && kind = server }' },
      { filter: { service: 'agent-tool-server', text: 'observability_health' } },
    ];
    for (const each of asked) {
      const { status, body } = await post('/observability/query/traces', each);
      assert.equal(status, 200, JSON.stringify(body));
      const [trace, ...others] = body['data'] as Json[];
      assert.deepEqual(others, []);
      assert.equal(trace?.['rootName'], 'tools/call observability_health');
      const flame = await get(`/observability/flame/trace/${trace?.['traceId']}`);
      assert.equal(flame.body['spanCount'], 1);
    }
  });

  await t.test('reading it is written down as with any other back end', async () => {
    const [entry] = await written('OBSERVABILITY_RAW_DATA_ACCESSED');
    assert.equal(entry?.subject, 'trace/this-server');
  });
});

test('what was kept is there again after a restart', async (t) => {
  const first = await serveObservability(t, { SERVICE_LOG_LEVEL: 'info' });
  const { dataDir } = first.service.config;
  first.service.engines.log.info('before the restart');
  await first.call('observability_health', {});
  await first.stop();

  const second = await serveObservability(t, {
    ...{ SERVICE_LOG_LEVEL: 'silent', SERVICE_DATA_DIR: dataDir },
  });
  const lines = await second.post('/observability/query/logs', { filter: { text: 'before the' } });
  assert.equal((lines.body['data'] as Json[]).length, 1);
  const traces = await second.post('/observability/query/traces', {
    traceql: '{ .gen_ai.tool.name = "observability_health" }',
  });
  assert.equal((traces.body['data'] as Json[]).length, 1);
  const promql = 'count_over_time(process_start_time_seconds[10m])';
  const metrics = await second.post('/observability/query/metrics', { promql });
  const [series] = metrics.body['data'] as { values: [number, string][] }[];
  const [[, count] = []] = series?.values.slice(-1) ?? [];
  assert.equal(count, '2');
});

test('a tenant sees nothing of the telemetry of another one', async (t) => {
  const tenants = [{ id: 'east' }];
  const server = await serveObservability(t, {
    ...{ SERVICE_LOG_LEVEL: 'info', SERVICE_TENANTS: JSON.stringify(tenants) },
  });
  server.service.engines.log.info('for the operator alone');
  const asked = { filter: { text: 'operator' } };
  const own = await server.post('/observability/query/logs', asked);
  assert.equal((own.body['data'] as Json[]).length, 1);
  const other = await server.post('/t/east/observability/query/logs', asked);
  assert.deepEqual([other.status, other.body['data']], [200, []], JSON.stringify(other.body));
  const metrics = await server.post('/t/east/observability/query/metrics', { promql: 'up' });
  assert.equal(metrics.status, 404);
});
