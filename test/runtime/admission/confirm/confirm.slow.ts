import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '../../store/postgres-server.ts';
import { ask, can, deleting, openPage, press, startConfirmServer } from './confirm-server.ts';

const server = await PostgresServer.start();
after(() => server.stop());

const call = { name: 'delete_file', arguments: { path: '/a' } };
const yes = { approval: { action: 'accept', content: { approve: true } } };

test('PostgreSQL: two replicas use each approval once, in forms, on pages and in tasks', async (t) => {
  const [first, second] = await (await server.database(t)).replicas(2);
  assert.ok(first && second);
  let now = Date.now();
  const deleted: unknown[] = [];
  const options = { tools: [deleting(deleted)], now: () => now };
  const a = await startConfirmServer(t, { store: first, ...options });
  const b = await startConfirmServer(t, { store: second, ...options });
  const everywhere = [a.url, b.url, a.url, b.url];

  const { requestState } = await ask(a.url, can.forms, call);
  const answer = { ...call, inputResponses: yes, requestState };
  const forms = await Promise.all(everywhere.map((url) => ask(url, can.forms, answer)));
  assert.equal(forms.filter(({ isError }) => !isError).length, 1);
  assert.deepEqual(deleted.splice(0), ['/a']);

  const asked = await Promise.all(everywhere.map((url) => ask(url, can.nothing, call)));
  for (const { structuredContent } of asked) {
    const page = structuredContent?.error?.approval_url ?? assert.fail();
    if ((await openPage(page)).text.includes('<form')) await press(page, 'approved');
  }
  const pages = new Set(
    asked.map(({ structuredContent }) => structuredContent?.error?.approval_url?.slice(-32)),
  );
  await Promise.all(Array.from({ length: 8 }, () => ask(b.url, can.nothing, call)));
  assert.deepEqual(deleted.splice(0), Array(pages.size).fill('/a'));

  const { taskId = '', statusMessage = '' } = await ask(a.url, can.tasks, call);
  await press(/http:\S+/.exec(statusMessage)?.[0] ?? '', 'approved');
  const get = () => ask(b.url, can.tasks, { taskId }, 'tasks/get') as Promise<object>;
  while (JSON.stringify(await get()).includes('"working"')) await sleep(10);
  assert.match(JSON.stringify(await get()), /deleted \/a/);
  assert.deepEqual(deleted.splice(0), ['/a']);

  now += 3_600_000;
  await Promise.all([a.approvals.removeExpired(), b.approvals.removeExpired()]);
  assert.deepEqual(await first.db.selectFrom('approval').select('id').execute(), []);
  assert.deepEqual(await first.db.selectFrom('used_answer').select('id').execute(), []);
});
