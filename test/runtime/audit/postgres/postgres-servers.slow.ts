import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { serve } from '../../cli/served.ts';
import { PostgresServer } from '../../store/postgres-server.ts';
import { temporaryFolder } from '../audit-note.ts';

const server = await PostgresServer.start();
after(() => server.stop());

test('two servers write one log, and their readiness follows the database', async (t) => {
  const folder = temporaryFolder(t);
  const databaseUrl = await server.createDatabase();
  const start = (name: string) =>
    serve(t, {
      SERVICE_DATABASE_URL: databaseUrl,
      SERVICE_DATA_DIR: join(folder, name, 'data'),
      SERVICE_AUDIT_KEY: Buffer.alloc(32, 7).toString('base64'),
      SERVICE_PROVIDER: 'osv',
    });
  const servers = [await start('a'), await start('b')];
  const sequence: number[] = [];
  for (const [number, { url }] of [...servers, ...servers].entries()) {
    const { seq, total } = await append(url, number);
    assert.equal(total >= seq + 1, true);
    sequence.push(seq);
  }
  // What the servers write of their own accord may stand between them.
  const ascending = sequence.toSorted((a, b) => a - b);
  assert.deepEqual(sequence, ascending);
  assert.equal(new Set(sequence).size, sequence.length);
  const vkeys = servers.map(async ({ url }) => (await fetch(new URL('/audit/vkey', url))).text());
  assert.equal(new Set(await Promise.all(vkeys)).size, 1);

  const [first] = servers;
  assert.ok(first);
  assert.equal(await auditIsReady(first.url), true);
  await server.kill();
  while (await auditIsReady(first.url));
  await server.run();
  while (!(await auditIsReady(first.url)));
  const { seq } = await append(first.url, 5);
  assert.ok(seq > (sequence.at(-1) ?? 0));
});

async function append(url: URL, number: number): Promise<{ seq: number; total: number }> {
  const note = { category: 'plan', action: 'decided', summary: `note ${number}` };
  const call = { name: 'audit', arguments: { operation: 'append', ...note } };
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  // As the output schema of the tool has it.
  const { result } = (await reply.json()) as { result: { structuredContent: never } };
  return result.structuredContent;
}

async function auditIsReady(url: URL): Promise<boolean | undefined> {
  const reply = await fetch(new URL('/readyz', url));
  // As specs/surfaces/platform has it.
  const { checks } = (await reply.json()) as { checks: { name: string; ok: boolean }[] };
  return checks.find(({ name }) => name === 'audit')?.ok;
}
