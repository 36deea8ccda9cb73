import assert from 'node:assert/strict';
import test from 'node:test';
import { post } from './agent.ts';
import { startWholeServer } from './whole-server.ts';

test('behind a trusted proxy each network has its own quota, and elsewhere nobody makes up one', async (t) => {
  const register = (base: string, from: string) =>
    post(`${base}/agent/identity`, { type: 'anonymous' }, { 'x-forwarded-for': from });
  const one = { SERVICE_PROVIDER: 'osv', SERVICE_REGISTRATIONS_PER_NETWORK: '1' };
  const behind = await startWholeServer(t, { ...one, SERVICE_TRUSTED_PROXIES: '127.0.0.1' });
  const statuses = [];
  for (const from of ['203.0.113.1', '203.0.113.2', '6.6.6.6, 203.0.113.1']) {
    statuses.push((await register(behind.base, from)).status);
  }
  assert.deepEqual(statuses, [200, 200, 429]);
  const direct = await startWholeServer(t, one);
  assert.equal((await register(direct.base, '203.0.113.1')).status, 200);
  assert.equal((await register(direct.base, '203.0.113.2')).status, 429);
});
