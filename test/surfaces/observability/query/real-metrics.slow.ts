import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveObservability } from '../observing-server.ts';
import { startPrometheus, startVictoriaMetrics } from '../real/back-ends.ts';

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

/** What the Prometheus API of a back end answers itself. */
async function ownSeries(url: string, query: object): Promise<readonly Series[]> {
  const reply = await fetch(`${url}/api/v1/query_range`, {
    method: 'POST',
    body: new URLSearchParams(query as Record<string, string>),
  });
  const { data } = (await reply.json()) as { data: { result: readonly Series[] } };
  return data.result;
}

async function hasSeries(url: string, query: string, count: number): Promise<boolean> {
  const reply = await fetch(`${url}/api/v1/query?query=${query}`);
  const { data } = (await reply.json()) as { data: { result: readonly unknown[] } };
  return data.result.length >= count;
}

test('metrics of Prometheus and VictoriaMetrics: side by side, as each gives them itself', async (t) => {
  const [prometheus, victoria] = await Promise.all([startPrometheus(t), startVictoriaMetrics(t)]);
  const { register, post, call } = await serveObservability(t);
  const base = { signalType: 'metric' };
  await register({ ...base, id: 'prom', kind: 'prometheus', endpoint: prometheus.url });
  await register({ ...base, id: 'vm', kind: 'victoriametrics', endpoint: victoria.url });
  const now = Date.now();
  const lines = [0, 60, 120, 180].map(
    (ago, index) =>
      `jobs_done_total{job="checkout",pod="a-${index % 2}"} ${40 - index} ${now - ago * 1000}`,
  );
  const imported = await fetch(`${victoria.url}/api/v1/import/prometheus`, {
    ...{ method: 'POST', body: lines.join('\n') },
  });
  assert.equal(imported.status, 204);
  // Until Prometheus has looked at itself, and VictoriaMetrics has written what it was given.
  while (!(await hasSeries(prometheus.url, 'up', 1))) await sleep(100);
  while (!(await hasSeries(victoria.url, 'jobs_done_total', 2))) await sleep(100);
  const end = Date.now();
  const timeRange = { startMs: end - 600_000, endMs: end };
  const asked = { start: String(timeRange.startMs / 1000), end: String(end / 1000), step: '60' };

  await t.test('the series of each are those of its own API', async () => {
    for (const [providerId, url, promql] of [
      ['prom', prometheus.url, 'up'],
      ['prom', prometheus.url, 'rate(prometheus_http_requests_total[1m])'],
      ['vm', victoria.url, 'sum by (pod) (jobs_done_total)'],
    ] as const) {
      const { body } = await post('/observability/query/metrics', {
        ...{ promql, timeRange, stepSeconds: 60, selection: { mode: 'one', providerId } },
      });
      const theirs = await ownSeries(url, { ...asked, query: promql });
      const ours = (body['data'] as Series[]).map(
        ({ metric: { provider_id, ...metric }, values }) => {
          assert.equal(provider_id, providerId);
          return { metric, values };
        },
      );
      assert.deepEqual(ours, theirs);
    }
  });

  await t.test('all of them at once, each series with its provider', async () => {
    const { body } = await post('/observability/query/metrics', {
      ...{ promql: 'count({job=~".+"}) by (job)', timeRange, selection: { mode: 'all' } },
    });
    const found = (body['data'] as Series[]).map(({ metric }) => metric);
    assert.deepEqual(found, [
      { job: 'itself', provider_id: 'prom' },
      { job: 'checkout', provider_id: 'vm' },
    ]);
  });

  await t.test('a neutral filter names a metric and its labels', async () => {
    const filter = { text: 'jobs_done_total', service: 'checkout', attributes: { pod: 'a-1' } };
    const { structuredContent } = await call('observability_query_metrics', {
      ...{ filter, timeRange, selection: { mode: 'all' }, format: 'summary' },
    });
    const { summary } = structuredContent as unknown as {
      summary: { series: { max: number; last: number }[] };
    };
    assert.deepEqual(
      summary.series.map(({ max }) => max),
      [39],
    );
  });

  await t.test('what each says of a query that it does not understand', async () => {
    const wrong = { promql: 'sum(', timeRange };
    for (const providerId of ['prom', 'vm']) {
      const selection = { mode: 'one', providerId };
      const { status, body } = await post('/observability/query/metrics', { ...wrong, selection });
      assert.deepEqual([status, body['error']], [400, 'invalid_query'], JSON.stringify(body));
      assert.match(String(body['reason']), /does not understand the query: .*(parse|unexpected)/);
    }
  });

  await t.test('Prometheus is spared what MetricsQL alone can say, and says why', async () => {
    const { body } = await post('/observability/query/metrics', {
      ...{ query: 'jobs_done_total default 0', language: 'metricsql', timeRange },
      selection: { mode: 'all' },
    });
    const [first, second] = body['providers'] as { status: string; reason?: string }[];
    assert.deepEqual(
      [first?.status, first?.reason, second?.status],
      ['skipped', 'it speaks promql, not metricsql', 'ok'],
    );
  });
});
