import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveObservability } from './observing-server.ts';

type Json = Record<string, unknown>;

test('where it is switched off its routes say so, and those of nobody do not', async (t) => {
  const server = await serveObservability(t, { SERVICE_ENABLE_OBSERVABILITY: '0' });
  const asked = await server.post('/observability/query/logs', {});
  assert.deepEqual([asked.status, asked.body['error']], [404, 'observability_disabled']);
  assert.match(String(asked.body['reason']), /SERVICE_ENABLE_OBSERVABILITY/);
  const other = await server.get('/observability-of-others');
  assert.deepEqual([other.status, other.body['code']], [404, 'not_found']);
});

test('where it is on, a path of nobody is only that', async (t) => {
  const server = await serveObservability(t);
  const { status, body } = await server.get('/observability/nothing');
  assert.deepEqual([status, body['error']], [404, 'not_found']);
});

test('what became of a file of the collector is counted in the words of the runbook', async (t) => {
  const server = await serveObservability(t);
  await server.register({
    ...{ id: 'a', signalType: 'log', kind: 'loki', endpoint: 'http://127.0.0.1:3100' },
  });
  const refused = await server.post('/observability/collector/apply', {});
  assert.deepEqual([refused.status, refused.body['error']], [422, 'validation_failed']);
  const { text } = await server.service.engines.metrics.expose('text/plain');
  const found = /^service_observability_collector_apply_total\{(.*)\} 1$/m.exec(text)?.[1];
  assert.equal(found, 'outcome="rejected"');
  const { body } = await server.get('/observability/alerts');
  const rules = (body['events'] as Json[]).filter(({ alert }) => alert === 'CollectorConfigFailed');
  assert.match(JSON.stringify(rules), /outcome!=\\"applied\\"/);
});
