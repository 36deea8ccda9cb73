import assert from 'node:assert/strict';
import test from 'node:test';
import { metricJumps } from '../../../../runtime/surfaces/observability/investigate/metric-jumps.ts';
import { createQueries } from '../../../../runtime/surfaces/observability/query/queries.ts';
import { serveObservability } from '../observing-server.ts';
import { answered, federationOf } from './federation.ts';

type Json = Record<string, unknown>;

test('one call says what went wrong, and who says so', async (t) => {
  const { call, post, service } = await serveObservability(t, { SERVICE_LOG_LEVEL: 'info' });
  const traceId = 'e'.repeat(32);
  for (const card of [1, 2, 3]) {
    service.engines.log.error({ traceId }, `card ${card} was declined`);
  }
  service.engines.log.error('the disk is full');
  await call('observability_health', {});

  const { status, body } = await post('/observability/investigate', {
    service: 'agent-tool-server',
  });
  assert.equal(status, 200, JSON.stringify(body));
  const [first, second, ...others] = body['errors'] as Json[];
  assert.deepEqual(others, []);
  assert.deepEqual([first?.['count'], second?.['count']], [3, 1]);
  assert.deepEqual([first?.['traceIds'], first?.['providerIds']], [[traceId], ['this-server']]);
  const related = body['relatedLogs'] as Json[];
  assert.equal(related.filter((line) => line['traceId'] === traceId).length, 3);
  assert.ok((body['slowTraces'] as Json[]).length > 0);
  const providers = (body['providers'] as Json[]).map((each) => [
    each['signalType'],
    each['status'],
  ]);
  assert.deepEqual(providers, [
    ['log', 'ok'],
    ['trace', 'ok'],
    ['metric', 'ok'],
  ]);
  assert.deepEqual([body['missing'], body['partial'], body['leftOut']], [[], false, 0]);

  const small = await call('observability_investigate', { maxBytes: 2048 });
  const found = small.structuredContent as unknown as Json;
  assert.ok(Number(found['leftOut']) >= 0);
  assert.match(String(small.content[0]?.text), /^Data from back ends of telemetry/);
});

test('who may see logs alone is told what is missing', async () => {
  const line = ['1789999999000000000', 'it failed'];
  const stream = { service_name: 'a', level: 'error' };
  const result = [{ stream, values: [line] }];
  const body = JSON.stringify({ status: 'success', data: { resultType: 'streams', result } });
  const { parts, context, requests } = federationOf('log', [
    { id: 'logs', kind: 'loki', answers: () => answered(body) },
  ]);
  const queries = createQueries(parts, { folder: undefined, exportRequested: async () => {} });
  const caller = { ...context.caller, scopes: new Set(['observability:query_logs']) };
  const found = await queries.investigate({ service: 'a' }, { ...context, caller });
  assert.deepEqual(
    found.missing.map((each) => each['signalType']),
    ['trace', 'metric'],
  );
  assert.deepEqual([found.partial, found.errors.length, requests.length], [true, 1, 2]);
});

test('counters that grow twice as fast, or half as fast, have jumped', () => {
  const series = (name: string, values: readonly number[]) => ({
    metric: { __name__: name, provider_id: 'm' },
    values: values.map((value, place) => [place * 60, String(value)] as const),
  });
  const found = metricJumps(
    [
      series('steady_total', [0, 60, 120, 180, 240]),
      series('more_total', [0, 60, 120, 360, 600]),
      series('new_total', [0, 0, 0, 600, 1200]),
      series('restarted_total', [600, 660, 720, 60, 120]),
    ],
    120,
  );
  assert.deepEqual(found, [
    { metric: 'new_total{}', before: 0, after: 10, providerId: 'm' },
    { metric: 'more_total{}', before: 1, after: 4, providerId: 'm' },
  ]);
});
