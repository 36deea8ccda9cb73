import assert from 'node:assert/strict';
import test from 'node:test';
import { filterFault } from '../../../runtime/surfaces/observability/registry/span-condition.ts';
import { serveObservability } from './observing-server.ts';
import { badConditions, goodConditions } from './span-conditions.ts';

const trace = { id: 'a', signalType: 'trace', name: 'A', kind: 'otlp' };

test('a filter that the collector could not read is refused with its place', async (t) => {
  const { post, register } = await serveObservability(t);
  const entry = { ...trace, endpoint: 'http://127.0.0.1:4999' };
  for (const [spanFilter, reason] of badConditions) {
    const { status, body } = await post('/observability/providers', { ...entry, spanFilter });
    assert.equal(status, 422, spanFilter);
    const [{ field, reason: said } = { field: '', reason: '' }] = body['details'] as {
      field: string;
      reason: string;
    }[];
    assert.equal(field, 'spanFilter');
    assert.ok(said.includes(reason), said);
  }
  await register({ ...entry, spanFilter: goodConditions[0] });
});

test('what the collector can read is taken', () => {
  for (const condition of goodConditions) assert.equal(filterFault(condition), undefined);
});
