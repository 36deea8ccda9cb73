import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before, beforeEach } from 'node:test';
import { createService, type Service } from '../../../runtime/main.ts';
import { ask, can, press } from '../../runtime/admission/confirm/confirm-server.ts';
import { getTask, taskIn } from '../../runtime/mcp/tasks/task-server.ts';
import { ShippedVendors } from './shipped-vendors.ts';

// The triage of issues that ships, on a whole server, before GitHub and Slack on loopback.

const vendors = new ShippedVendors();
const folder = mkdtempSync(join(tmpdir(), 'workflows-'));
let service: Service;
let url: URL;

before(async () => {
  const vendor = await vendors.start();
  service = await createService({
    SERVICE_ENABLE_WORKFLOWS: '1',
    SERVICE_PROVIDER: 'github,slack',
    SERVICE_TOOL_MODE: 'direct',
    SERVICE_PROVIDER_GITHUB_URL: vendor,
    SERVICE_PROVIDER_SLACK_URL: vendor,
    SERVICE_GITHUB_TOKEN: 'key',
    SERVICE_SLACK_TOKEN: 'key',
    SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_DATA_DIR: join(folder, 'data'),
  });
  await service.life.start();
  url = new URL('/mcp', await service.http.listen({ host: '127.0.0.1', port: 0 }));
});

after(async () => {
  vendors.stop();
  await service.http.close();
  await service.life.stop();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  vendors.seen.length = 0;
  vendors.state = 'open';
});

const args = { owner: 'a', repo: 'b', issue_number: 1, labels: ['bug'], channel: 'C1' };
const triage = (more: object = {}) => ({ name: 'issue_triage', arguments: { ...args, ...more } });
const both = { ...can.forms, ...can.tasks };

interface Told {
  readonly run: string;
  readonly state: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly plan: readonly Readonly<Record<string, unknown>>[];
}

async function runs(more: object = { operation: 'list' }) {
  const { structuredContent } = await ask(url, can.nothing, {
    name: 'workflow_runs',
    arguments: more,
  });
  const { runs: all } = structuredContent as unknown as {
    readonly runs: readonly Readonly<Record<string, string>>[];
  };
  return all;
}

/** The names of the events that tell of a run, in their order. */
async function eventsOf(run: string): Promise<readonly (string | undefined)[]> {
  await service.engines.bus.drain();
  while ((await service.engines.bus.waiting()) > 0) await new Promise(setImmediate);
  const { messages } = await service.engines.bus.read({ stream: 'SERVICE_WORKFLOW', limit: 1000 });
  return messages.filter(({ event }) => event.subject === run).map(({ name }) => name);
}

const without = [
  'GET /repos/a/b/issues/1',
  'GET /search/issues',
  'POST /repos/a/b/issues/1/labels {"labels":["bug"]}',
];
const told =
  'POST /chat.postMessage {"channel":"C1","text":"Triaged a/b#1: Crash https://github.example/1","unfurl_links":false}';

test('a workflow does its steps one after the other, and gives their outputs', async () => {
  const result = await ask(url, can.nothing, triage());
  const { run, ...rest } = result.structuredContent as unknown as Told;
  assert.equal(result.isError, true, 'a client that nobody can be asked by begins nothing');
  assert.deepEqual([run, vendors.seen], [undefined, []]);
  assert.match(JSON.stringify(rest), /asks a person to agree to its step answerIssue/);

  const done = await ask(url, can.forms, triage());
  const { run: id, state, outputs } = done.structuredContent as unknown as Told;
  assert.equal(state, 'completed');
  assert.deepEqual(outputs, {
    ...{ title: 'Crash', state: 'open', answer: null, message: '1.2' },
    similar: [{ number: 7, title: 'Old' }],
  });
  assert.deepEqual(vendors.seen, [...without, told]);
  assert.match(done.content?.[0]?.text ?? '', /written by third parties/);
  assert.deepEqual(await eventsOf(id), [
    'workflow.started',
    ...Array.from({ length: 3 }, () => 'workflow.step_completed'),
    'workflow.completed',
  ]);
});

test('a workflow ends where an action says so', async () => {
  vendors.state = 'closed';
  const { structuredContent } = await ask(url, can.forms, triage());
  const { outputs } = structuredContent as unknown as Told;
  assert.deepEqual([outputs['state'], outputs['message']], ['closed', null]);
  assert.deepEqual(vendors.seen, ['GET /repos/a/b/issues/1']);
});

test('a dry run says what would be done, and does nothing', async () => {
  const before = await runs();
  const { structuredContent } = await ask(url, can.nothing, triage({ dry_run: true, answer: 'A' }));
  const { state, plan } = structuredContent as unknown as Told;
  assert.equal(state, 'dry_run');
  assert.deepEqual(
    plan.map(({ step }) => step),
    ['readIssue', 'findSimilar', 'label', 'answerIssue', 'announce'],
  );
  assert.deepEqual(plan[3]?.['arguments'], { owner: 'a', repo: 'b', issue_number: 1, body: 'A' });
  assert.match(String(plan[3]?.['asks']), /Answer "\{\$steps\.readIssue\.outputs\.title\}"/);
  assert.deepEqual(vendors.seen, []);
  assert.deepEqual(await runs(), before);
});

test('a client answers in the middle, and what was done before is not done again', async () => {
  const call = triage({ answer: 'Thank you' });
  const asked = await ask(url, can.forms, call);
  assert.match(JSON.stringify(asked.inputRequests), /Answer .+Crash.+ \(https:\/\/github\.example/);
  const [waiting] = await runs({ operation: 'list', status: 'waiting' });
  assert.deepEqual(
    [waiting?.['step'], waiting?.['waits_for']],
    ['answerIssue', 'an answer of the client'],
  );
  const inputResponses = { approval: { action: 'accept', content: { approve: true } } };
  const { requestState } = asked;
  const done = await ask(url, can.forms, { ...call, inputResponses, requestState });
  const { run, outputs } = done.structuredContent as unknown as Told;
  assert.equal(run, waiting?.['run']);
  assert.equal(outputs['answer'], 'https://github.example/1#c');
  const answered = 'POST /repos/a/b/issues/1/comments {"body":"Thank you"}';
  assert.deepEqual(vendors.seen, [...without, answered, told]);
  assert.deepEqual((await eventsOf(run)).slice(4), [
    'workflow.waiting',
    'workflow.resumed',
    'workflow.step_completed',
    'workflow.completed',
  ]);
  // The same answer again finds a run that has ended.
  const again = await ask(url, can.forms, { ...call, inputResponses, requestState });
  assert.equal((again.structuredContent as unknown as Told).run, run);
  assert.equal(vendors.seen.length, 5);
});

/** Where a task asks for an approval. */
async function pageOf(taskId: string): Promise<string> {
  for (;;) {
    const { statusMessage = '' } = await getTask(url, taskId);
    const page = /approval at (http:\S+)/.exec(statusMessage)?.[1];
    if (page !== undefined) return page;
  }
}

test('a task waits for the page on which a person agrees', async () => {
  const { taskId = '' } = await ask(url, can.tasks, triage({ answer: 'Page' }));
  const page = await pageOf(taskId);
  assert.deepEqual(vendors.seen, without);
  await press(page, 'approved');
  const { result } = await taskIn(url, taskId, 'completed');
  assert.equal(result?.isError, undefined, JSON.stringify(result));
  assert.deepEqual(vendors.seen.slice(3), [
    'POST /repos/a/b/issues/1/comments {"body":"Page"}',
    told,
  ]);
});

test('a task fails when a person declines on the page', async () => {
  const { taskId = '' } = await ask(url, can.tasks, triage({ answer: 'Declined page' }));
  await press(await pageOf(taskId), 'declined');
  const { result } = await taskIn(url, taskId, 'completed');
  assert.equal(result?.isError, true);
  assert.match(result?.content?.[0]?.text ?? '', /failed at answerIssue: .+ was declined/);
  assert.deepEqual(vendors.seen, without);
  const [failed] = await runs({ operation: 'list', status: 'failed', limit: 1 });
  assert.match(failed?.['error'] ?? '', /^confirmation_required: /);
});

test('a run that is cancelled takes its question back, and ends its task', async () => {
  const call = triage({ answer: 'Withdrawn' });
  const { taskId = '' } = await ask(url, can.tasks, call);
  const page = await pageOf(taskId);
  const [waiting] = await waitingRuns();
  await runs({ operation: 'cancel', run: waiting?.['run'] });
  assert.equal((await fetch(page)).status, 404);
  const { result } = await taskIn(url, taskId, 'completed');
  assert.match(result?.content?.[0]?.text ?? '', /was cancelled/);
  const next = await ask(url, can.tasks, call);
  assert.notEqual(await pageOf(next.taskId ?? ''), page);
  assert.deepEqual(vendors.seen, [...without, ...without]);
  await ask(url, can.tasks, { taskId: next.taskId ?? '' }, 'tasks/cancel');
});

/** A task says that it waits a moment before its run is stored as one that does. */
async function waitingRuns() {
  for (;;) {
    const all = await runs({ operation: 'list', status: 'waiting', limit: 1 });
    if (all.length > 0) return all;
  }
}

test('what a person refuses is not done, and the run has failed', async () => {
  const call = triage({ answer: 'No' });
  const { requestState } = await ask(url, can.forms, call);
  const inputResponses = { approval: { action: 'decline' } };
  const result = await ask(url, can.forms, { ...call, inputResponses, requestState });
  assert.equal(result.isError, true);
  const text = result.content?.[0]?.text ?? '';
  assert.match(
    text,
    /issue_triage failed at answerIssue: github_issues_create_comment was declined/,
  );
  assert.deepEqual(vendors.seen, without);
  const [failed] = await runs({ operation: 'list', status: 'failed', limit: 1 });
  assert.match(failed?.['error'] ?? '', /^confirmation_required: /);
});

test('a task that is cancelled cancels its run, and goes no further', async () => {
  const arrived = vendors.hold();
  const { taskId = '' } = await ask(url, both, triage());
  await arrived;
  const [running] = await runs({ operation: 'list', status: 'running', limit: 1 });
  await ask(url, both, { taskId }, 'tasks/cancel');
  let cancelled: Readonly<Record<string, string>> | undefined;
  while (cancelled === undefined) {
    const ended = await runs({ operation: 'list', status: 'cancelled' });
    cancelled = ended.find(({ run }) => run === running?.['run']);
  }
  vendors.release();
  assert.equal(cancelled['step'], 'label');
  assert.deepEqual(vendors.seen, without);
  assert.equal((await eventsOf(cancelled['run'] ?? '')).at(-1), 'workflow.cancelled');
});

test('a run that waits can be cancelled by its id, and goes no further then', async () => {
  const call = triage({ answer: 'Later' });
  const { requestState } = await ask(url, can.forms, call);
  const [waiting] = await runs({ operation: 'list', status: 'waiting', limit: 1 });
  const [cancelled] = await runs({ operation: 'cancel', run: waiting?.['run'] });
  assert.equal(cancelled?.['status'], 'cancelled');
  const inputResponses = { approval: { action: 'accept', content: { approve: true } } };
  const result = await ask(url, can.forms, { ...call, inputResponses, requestState });
  assert.match(result.content?.[0]?.text ?? '', /was cancelled/);
  assert.deepEqual(vendors.seen, without);
});

test('wrong questions about runs are answered exactly', async () => {
  const problem = async (more: object) => {
    const params = { name: 'workflow_runs', arguments: more };
    return ask(url, can.nothing, params).then(JSON.stringify, String);
  };
  assert.match(await problem({ operation: 'get' }), /run is missing: it is the id that list gives/);
  assert.match(
    await problem({ operation: 'get', run: 'none' }),
    /there is no run \\*"none\\*" of yours/,
  );
});

test('workflows whose vendors are not enabled are not offered', async () => {
  const names = [...service.offer.catalogue.names()];
  assert.ok(names.includes('issue_triage'));
  assert.ok(!names.includes('research_digest'));
});
