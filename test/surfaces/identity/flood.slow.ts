import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { storeWith } from '#contract/house/store';
import type { IdentityTables } from '../../../generated/surfaces/identity/tables.ts';
import { startWholeServer } from './whole-server.ts';

const posts = 10_000;
const width = 32;
/** What the process may hold more after the flood than after the first part of it, in bytes. */
const mostMore = 32 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

test('a flood of registrations is refused, and leaves nothing behind (threat 13)', async (t) => {
  const { base, service } = await startWholeServer(t);
  const counts = new Map<number, number>();
  const body = JSON.stringify({ type: 'anonymous', client_name: 'x'.repeat(100) });
  const headers = { 'content-type': 'application/json' };
  const post = async () => {
    const answer = await fetch(`${base}/agent/identity`, { method: 'POST', headers, body });
    await answer.text();
    if (answer.status === 429) assert.ok(Number(answer.headers.get('retry-after')) > 0);
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
  };
  const flood = async (count: number) => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await post();
    };
    await Promise.all(Array.from({ length: width }, worker));
  };
  await flood(posts / 10);
  collect();
  const before = process.memoryUsage().heapUsed;
  await flood((posts * 9) / 10);
  collect();
  const more = process.memoryUsage().heapUsed - before;
  assert.ok(more < mostMore, `${more} bytes more`);
  assert.deepEqual([...counts.keys()].sort(), [200, 429]);
  assert.equal(counts.get(200), 5);
  assert.equal(counts.get(429), posts - 5);
  const { db } = storeWith<IdentityTables>(service.engines.store);
  const rows = await db.selectFrom('identity_registration').select('id').execute();
  assert.equal(rows.length, 5);
});
