import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createJobs } from '../../../../runtime/jobs/index.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { sqliteDatabase } from '../../store/replicas.ts';
import {
  ask,
  type ConfirmServerOptions,
  can,
  deleting,
  ended,
  getTask,
  openPage,
  press,
  startConfirmServer,
} from './confirm-server.ts';

// MCP, Tasks extension: a client that cannot ask its user, but waits for a task.

const call = { name: 'delete_file', arguments: { path: '/a' } };

async function start(t: TestContext, options: Partial<ConfirmServerOptions> = {}) {
  const [store, other] = await (await sqliteDatabase(t)).replicas(2);
  assert.ok(store && other);
  const deleted: unknown[] = [];
  const tools = [deleting(deleted)];
  const server = await startConfirmServer(t, { store, tools, ...options });
  const replica = () => startConfirmServer(t, { store: other, tools, ...options });
  return { ...server, deleted, replica };
}

/** Make a task that waits; gives its id and the address of the page. */
async function waitingTask(url: URL) {
  const { resultType, taskId = '', statusMessage = '' } = await ask(url, can.tasks, call);
  assert.equal(resultType, 'task');
  const page = /http:\S+/.exec(statusMessage)?.[0] ?? '';
  assert.match((await openPage(page)).text, /delete_file/);
  return { taskId, page };
}

test('a task waits for the page, and does its work once, on any replica', async (t) => {
  const { url, deleted, replica } = await start(t);
  const other = await replica();
  const { taskId, page } = await waitingTask(url);
  const waiting = await getTask(other.url, taskId);
  assert.equal(waiting.status, 'working');
  assert.match(waiting.statusMessage ?? '', /waiting for a person's approval/);
  assert.deepEqual(deleted, []);
  await press(new URL(new URL(page).pathname, other.url).href, 'approved');
  const { status, result } = await ended(url, taskId);
  assert.deepEqual([status, result?.content[0]?.text], ['completed', 'deleted /a']);
  assert.deepEqual(deleted, ['/a']);
  // The approval belongs to the task alone.
  assert.equal((await ask(url, can.nothing, call)).isError, true);
  assert.deepEqual(deleted, ['/a']);
});

test('a task that is declined ends, and has done nothing', async (t) => {
  const { url, deleted } = await start(t);
  const { taskId, page } = await waitingTask(url);
  await press(page, 'declined');
  const { result } = await ended(url, taskId);
  assert.match(result?.content[0]?.text ?? '', /confirmation_required.*declined/);
  assert.deepEqual(deleted, []);
});

test('a task for which nobody decides in time ends, and has done nothing', async (t) => {
  let now = Date.now();
  const { url, deleted, approvals } = await start(t, { now: () => now });
  const { taskId } = await waitingTask(url);
  now += 600_001;
  await approvals.removeExpired();
  const { result } = await ended(url, taskId);
  assert.match(result?.content[0]?.text ?? '', /nobody has approved delete_file in time/);
  assert.deepEqual(deleted, []);
});

test('a task that was cancelled stays so, and takes its question back', async (t) => {
  const { url, deleted } = await start(t);
  const { taskId, page } = await waitingTask(url);
  await ask(url, can.tasks, { taskId }, 'tasks/cancel');
  assert.equal((await fetch(page)).status, 404, 'nobody is asked any more');
  assert.equal((await ended(url, taskId)).status, 'cancelled');
  assert.equal((await ask(url, can.nothing, call)).isError, true);
  assert.deepEqual(deleted, []);
});

test('work that begins without approval inside of a task asks there', async (t) => {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  const deleted: unknown[] = [];
  const inner = deleting(deleted);
  const { createAdmission } = await import('../../../../runtime/admission/admission.ts');
  const { Approvals } = await import('../../../../runtime/admission/confirm/approvals.ts');
  const jobs = createJobs(store, { log: { warn: () => {} } });
  const note = async () => ({ seq: 0 });
  const approvals = new Approvals({ store, jobs, events: { approvalDecided: note as never } });
  const confirm = {
    ...{ approvals, patienceMs: 0, pageOf: () => undefined },
    tokens: { seal: () => '', open: () => undefined },
    people: { nobodyDecides: () => undefined },
  };
  const run = createAdmission({ callRate: 0, confirm }).admit(inner.definition, inner.call);
  const outer = toolOf({ name: 'outer', task: 'required' }, (_args, context) =>
    run({ path: '/a' }, context),
  );
  const { url } = await startConfirmServer(t, { store, tools: [outer] });
  const able = { ...can.forms, ...can.tasks };
  const { taskId = '' } = await ask(url, able, { name: 'outer' });
  const asked = await ended(url, taskId);
  assert.equal(asked.status, 'input_required');
  assert.deepEqual(deleted, []);
  const { inputRequests } = await ask(url, able, { taskId }, 'tasks/get');
  const [key = ''] = Object.keys(inputRequests ?? {});
  const inputResponses = { [key]: { action: 'accept', content: { approve: true } } };
  await ask(url, able, { taskId, inputResponses }, 'tasks/update');
  assert.equal((await ended(url, taskId)).status, 'completed');
  assert.deepEqual(deleted, ['/a']);
});
