import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveObservability } from '../observing-server.ts';

const signals = ['logs', 'metrics', 'traces', 'profiles'] as const;

test('observability:query_* stands for the four scopes of queries, and for no other', async (t) => {
  const { address, service } = await serveObservability(t, { SERVICE_AUTH: 'required' });
  const statusesWith = async (scope: string) => {
    const token = await service.commands['token']?.([], { scope });
    const ask = async (path: string) => {
      const reply = await fetch(`${address()}/observability/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      await reply.arrayBuffer();
      return reply.status === 403 ? 'denied' : 'allowed';
    };
    const paths = [...signals.map((signal) => `query/${signal}`), 'collector/generate'];
    return Promise.all(paths.map(ask));
  };
  assert.deepEqual(await statusesWith('observability:query_*'), [
    ...signals.map(() => 'allowed'),
    'denied',
  ]);
  assert.deepEqual(await statusesWith('observability:query_logs'), [
    ...['allowed', 'denied', 'denied', 'denied', 'denied'],
  ]);
  assert.deepEqual(await statusesWith('observability:configure'), [
    ...['denied', 'denied', 'denied', 'denied', 'allowed'],
  ]);
});
