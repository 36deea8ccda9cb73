import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Caller } from '#contract/caller';
import { InputRequired } from '#contract/client';
import type { AuditEvent } from '#contract/house/audit';
import { createHouseEvents } from '../../../generated/audit-events.ts';
import { createMetrics } from '../../../runtime/observe/metrics.ts';
import { type ServerOptions, startInMemoryServer } from '../../runtime/in-memory-server.ts';
import { broken, counting, echo, failing, toolOf } from '../../runtime/in-memory-tools.ts';
import { eventsOf, modern } from '../../runtime/mcp/rpc.ts';
import { startTaskServer, taskIn, withTasks } from '../../runtime/mcp/tasks/task-server.ts';
import { openStore } from '../../runtime/store/replicas.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { callInner, callTool, searchFront } from './search-server.ts';

const said = (text: string) => ({ content: [{ type: 'text', text }] as const });

function callerWith(scopes: Caller['scopes']): Caller {
  return { tenant: 'acme', subject: 'agent', client: 'c', scopes, transport: 'mcp' };
}

function start(t: TestContext, options: ServerOptions): Promise<URL> {
  return startInMemoryServer(t, { front: searchFront, ...options });
}

test('the result of the inner tool comes back as it is', async (t) => {
  const url = await start(t, { tools: [echo] });
  const through = await callInner(url, 'test_echo', {}, { text: 'hello' });
  const params = { name: 'test_echo', arguments: { text: 'hello' } };
  const direct = await modern(url, { method: 'tools/call', params });
  assert.deepEqual(through.body.result, direct.body.result);
});

test('wrong arguments are explained in the terms of the inner tool', async (t) => {
  const url = await start(t, { tools: [echo] });
  const args = { name: 'test_echo', arguments: { txt: 1 } };
  const { isError, structuredContent } = await callTool(url, 'tool_call', args);
  assert.equal(isError, true);
  assert.match(String(structuredContent?.error?.message), /^Invalid arguments for test_echo:/);
});

test('errors of the inner tool are those of a direct call', async (t) => {
  const url = await start(t, { tools: [failing, broken] });
  const failed = await callTool(url, 'tool_call', { name: 'test_failing' });
  assert.deepEqual(failed, await callTool(url, 'test_failing'));
  const { body } = await callInner(url, 'test_broken');
  assert.equal(body.error?.code, -32603);
  assert.equal(body.error.message, 'internal error');
});

test('a name that no tool has is answered with names that some have', async (t) => {
  const url = await start(t, { tools: [echo, toolOf({ name: 'acme_notes_create' })] });
  const cases: readonly [name: string, meant: RegExp][] = [
    ['acme_create_note', /did you mean acme_notes_create/],
    ['test_ech', /did you mean .*test_echo/],
    ['tool_call', /there is no tool called "tool_call" that can be called here$/],
    [
      'acme_run',
      /there is no tool called "acme_run" that can be called here; did you mean acme_notes_create\?$/,
    ],
    ['zulu_run', /there is no tool called "zulu_run" that can be called here$/],
    ['__proto__', /there is no tool/],
  ];
  for (const [name, meant] of cases) {
    const { isError, structuredContent } = await callTool(url, 'tool_call', { name });
    assert.equal(isError, true, name);
    assert.equal(structuredContent?.error?.code, 'invalid_arguments');
    assert.match(structuredContent.error.message, meant);
  }
});

test('the scopes of the inner tool decide, whoever may search', async (t) => {
  const secret = toolOf({ name: 'acme_secret', access: ['provider:acme:read'] });
  const authenticate = () => callerWith(new Set(['mcp.tools']));
  const grantable = () => new Set(['provider:acme:read']);
  const url = await start(t, { tools: [secret, echo], authenticate, grantable });
  const found = await callTool(url, 'tool_search', { query: 'secret' });
  assert.equal(found.structuredContent?.tools?.[0]?.['name'], 'acme_secret');
  assert.deepEqual(found.structuredContent.tools[0]['requires_scope'], ['provider:acme:read']);
  const refused = await callInner(url, 'acme_secret');
  assert.equal(refused.status, 403);
  assert.match(String(refused.headers['www-authenticate']), /provider:acme:read/);
  const allowed = await callInner(url, 'test_echo', {}, { text: 'a' });
  assert.equal(allowed.status, 200);
});

test('a caller without any scope gets nowhere through it', async (t) => {
  const url = await start(t, { tools: [echo], authenticate: () => callerWith(new Set()) });
  const { status } = await callInner(url, 'test_echo', {}, { text: 'a' });
  assert.equal(status, 403);
});

test('a call counts once against the common limit, and against that of the inner tool', async (t) => {
  const limited = toolOf({ name: 'limited', limit: { requests: 1, perMs: 60_000 } });
  const url = await start(t, { tools: [echo, limited], callRate: 2 });
  const first = await callInner(url, 'limited');
  const second = await callInner(url, 'limited');
  assert.deepEqual([first.status, second.status], [200, 429]);
  const other = await start(t, { tools: [echo], callRate: 2 });
  const statuses = [];
  for (let call = 0; call < 3; call++) {
    statuses.push((await callInner(other, 'test_echo', {}, { text: 'a' })).status);
  }
  assert.deepEqual(statuses, [200, 200, 429]);
});

test('audit records name the inner tool, and there is one for each call', async (t) => {
  const events: AuditEvent[] = [];
  const settled = { seq: 0, hash: 'a'.repeat(64), ts: '2026-01-01T00:00:00.000Z' };
  const log = {
    append: async (event: AuditEvent) => {
      events.push(event);
      return settled;
    },
    appendLater: (event: AuditEvent) => {
      events.push(event);
    },
  };
  const audit = { events: createHouseEvents(log), onLoss: () => assert.fail() };
  const noted = toolOf({ name: 'acme_pay', audit: 'intent' });
  const url = await start(t, { tools: [noted], audit });
  await callInner(url, 'acme_pay');
  assert.deepEqual(
    events.map(({ outcome, payload }) => [outcome, payload?.['operation']]),
    [
      ['intent', 'acme_pay'],
      ['ok', 'acme_pay'],
    ],
  );
});

test('metrics name the inner tool, with what became of it', async (t) => {
  const metrics = createMetrics();
  const url = await start(t, { tools: [echo, failing], metrics });
  await callInner(url, 'test_echo', {}, { text: 'a' });
  await callInner(url, 'test_failing');
  const { text } = await metrics.expose('');
  assert.match(text, /duration_seconds_count\{.*"test_echo",error_type="",.* 1$/m);
  assert.match(text, /duration_seconds_count\{.*"test_failing",error_type="tool_error",.* 1$/m);
});

test('what the inner tool asks is asked, and the answer reaches it (MRTR)', async (t) => {
  const form = {
    method: 'elicitation/create',
    params: { message: '?', requestedSchema: {} },
  } as const;
  const asking = toolOf({ name: 'asking' }, async (_args, { answers }) => {
    if (!answers.responses['ok']) throw new InputRequired({ ok: form }, { secret: 42 });
    return { ...said('answered'), structuredContent: { state: answers.state } };
  });
  const url = await start(t, { tools: [asking, echo] });
  const { body } = await callInner(url, 'asking');
  assert.equal(body.result?.['resultType'], 'input_required');
  assert.deepEqual(body.result['inputRequests'], { ok: form });
  const { requestState } = body.result;
  const more = { inputResponses: { ok: { action: 'accept' } }, requestState };
  const answered = await callInner(url, 'asking', more);
  assert.deepEqual(answered.body.result?.['structuredContent'], { state: { secret: 42 } });
  const elsewhere = await callInner(url, 'test_echo', more, { text: 'a' });
  assert.equal(elsewhere.body.error?.code, -32602);
});

test('progress of the inner tool goes to the client', async (t) => {
  const url = await start(t, { tools: [counting] });
  const params = { name: 'tool_call', arguments: { name: 'test_counting' } };
  const _meta = { progressToken: 'p' };
  const answer = await modern(url, { method: 'tools/call', params, _meta });
  const done = eventsOf(answer).flatMap((event) =>
    'params' in event ? [(event.params as { progress: number }).progress] : [],
  );
  assert.deepEqual(done, [1, 2, 3]);
});

test('an inner tool that becomes a task is one under its own name (Tasks)', async (t) => {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const slow = toolOf({ name: 'slow', task: 'required' }, async (_args, { inTask }) =>
    said(`in a task: ${inTask}`),
  );
  const { url } = await startTaskServer(t, { store, tools: [slow], front: searchFront });
  const params = { name: 'tool_call', arguments: { name: 'slow' } };
  const { body } = await withTasks(url, { method: 'tools/call', params });
  assert.equal(body.result?.['resultType'], 'task');
  const id = String(body.result['taskId']);
  const task = await taskIn(url, id, 'completed');
  assert.equal(task.result?.content[0]?.text, 'in a task: true');
  const unable = await callInner(url, 'slow');
  assert.equal(unable.body.error?.code, -32021);
});
