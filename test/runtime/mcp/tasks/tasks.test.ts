import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Caller } from '#contract/caller';
import { InputRequired, MissingCapability } from '#contract/client';
import { ServiceError, ToolError } from '#contract/errors';
import type { AuditEvent } from '#contract/house/audit';
import { valueAt } from '#contract/json';
import type { Tool } from '#contract/tool';
import { createHouseEvents } from '../../../../generated/audit-events.ts';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { listen } from '../methods/listening.ts';
import { legacy, modern } from '../rpc.ts';
import { createTask, getTask, startTaskServer, taskIn, withTasks } from './task-server.ts';
import { done, endless, extension, freshStore, required, said } from './task-tools.ts';

async function serverWith(t: TestContext, ...tools: Tool[]) {
  return startTaskServer(t, { store: await freshStore(t), tools });
}

test('a call that becomes a task is answered with the task (Tasks, task creation)', async (t) => {
  const { url } = await serverWith(t, endless);
  const params = { name: 'endless', arguments: {}, task: { ttl: 1, pollInterval: 1 } };
  const { status, body } = await withTasks(url, { method: 'tools/call', params });
  const { taskId, createdAt, lastUpdatedAt, _meta, ...rest } = body.result ?? {};
  assert.equal(status, 200);
  assert.match(String(taskId), /^[\w-]{32}$/);
  assert.equal(lastUpdatedAt, createdAt);
  assert.equal(new Date(String(createdAt)).toISOString(), createdAt);
  assert.deepEqual(rest, {
    resultType: 'task',
    status: 'working',
    ttlMs: 60_000,
    pollIntervalMs: 1000,
  });
});

test('the extension is advertised to modern clients, and only where tasks are kept', async (t) => {
  const { url } = await serverWith(t);
  const { body } = await modern(url, { method: 'server/discover' });
  assert.deepEqual(valueAt(body.result, ['capabilities', 'extensions']), extension);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
  const old = await legacy(url, { method: 'initialize', params });
  assert.ok(valueAt(old.body.result, ['capabilities', 'tools']));
  assert.equal(valueAt(old.body.result, ['capabilities', 'extensions']), undefined);
  const without = await modern(await startInMemoryServer(t), { method: 'server/discover' });
  assert.ok(valueAt(without.body.result, ['capabilities', 'tools']));
  assert.equal(valueAt(without.body.result, ['capabilities', 'extensions']), undefined);
});

test('a client that did not declare the extension gets no task (Tasks, capability negotiation)', async (t) => {
  const maybe = toolOf({ name: 'maybe', task: 'optional' }, async () => said('at once'));
  const { url } = await serverWith(t, done, maybe);
  const needed = { requiredCapabilities: { extensions: extension } };
  const call = await modern(url, { method: 'tools/call', params: { name: 'done' } });
  assert.deepEqual([call.status, call.body.error?.code], [400, -32021]);
  assert.deepEqual(call.body.error?.data, needed);
  const taskId = await createTask(url, 'done');
  for (const [method, more] of [
    ['tasks/get', {}],
    ['tasks/update', { inputResponses: {} }],
    ['tasks/cancel', {}],
  ] as const) {
    const message = { method, params: { taskId, ...more } };
    const { status, body } = await modern(url, message);
    assert.deepEqual([method, status, body.error?.code], [method, 400, -32021]);
    assert.deepEqual(body.error?.data, needed);
  }
  const atOnce = await modern(url, { method: 'tools/call', params: { name: 'maybe' } });
  assert.deepEqual(atOnce.body.result?.['content'], said('at once').content);
});

test('methods of earlier drafts, and those of the extension in other eras, do not exist', async (t) => {
  const { url } = await serverWith(t, done);
  for (const method of ['tasks/list', 'tasks/result']) {
    const { status, body } = await withTasks(url, { method, params: { taskId: 'x' } });
    assert.deepEqual([status, body.error?.code], [404, -32601]);
  }
  const { body } = await legacy(url, { method: 'tasks/get', params: { taskId: 'x' } });
  assert.equal(body.error?.code, -32601);
});

test('the header Mcp-Name of a task method is its task (Tasks, routing headers)', async (t) => {
  const { url } = await serverWith(t, done);
  const taskId = await createTask(url, 'done');
  for (const given of [undefined, 'another']) {
    const message = { method: 'tasks/get', params: { taskId } };
    const { status, body } = await modern(url, message, { 'mcp-name': given });
    assert.deepEqual([status, body.error?.code], [400, -32020]);
  }
});

test('malformed parameters of task methods are refused', async (t) => {
  const { url } = await serverWith(t, done);
  const taskId = await createTask(url, 'done');
  const wrong = [undefined, null, [], 'text', { key: { long: 'x'.repeat(1_100_000) } }];
  for (const inputResponses of wrong) {
    const params = { taskId, inputResponses };
    const { body } = await withTasks(url, { method: 'tasks/update', params });
    assert.equal(body.error?.code, -32602);
  }
  const { body } = await withTasks(url, { method: 'tasks/get', params: { taskId: 7 } });
  assert.equal(body.error?.code, -32602);
});

test('a task of another subject or tenant looks like one that never was', async (t) => {
  let caller: Caller = {
    tenant: 'a',
    subject: 'ada',
    client: 'c',
    scopes: new Set(['mcp.tools']),
    transport: 'mcp',
  };
  const store = await freshStore(t);
  const { url } = await startTaskServer(t, {
    store,
    tools: [endless],
    authenticate: () => caller,
  });
  const taskId = await createTask(url, 'endless');
  const answers = async (id: string) => {
    const texts: string[] = [];
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId: id, ...(method === 'tasks/update' && { inputResponses: {} }) };
      const { status, text } = await withTasks(url, { method, params });
      texts.push(`${status} ${text}`);
    }
    return texts;
  };
  const owner = caller;
  for (const stranger of [{ subject: 'eve' }, { tenant: 'b' }]) {
    caller = { ...owner, ...stranger };
    const [get, ...others] = await answers(taskId);
    assert.match(get ?? '', /^200 .*-32602/);
    assert.deepEqual([get, ...others], await answers('A'.repeat(32)));
    assert.deepEqual([get, ...others], await answers("' or 1=1 --"));
  }
  caller = owner;
  assert.equal((await getTask(url, taskId)).status, 'working');
});

test('what goes wrong in the tool ends a task as its result, what goes wrong outside as its error', async (t) => {
  const code = (name: string, error: unknown) =>
    required(name, async () => {
      throw error;
    });
  const { url } = await serverWith(
    t,
    code('tool_error', new ToolError('not_found', 'no such thing')),
    code('service_error', new ServiceError('gone', 404, 'not there')),
    code('denied', new ServiceError('insufficient_scope', 403, 'needs more')),
    code('unforeseen', new TypeError('secret detail')),
    code('incapable', new MissingCapability({ sampling: {} })),
    code('unaskable', new InputRequired({ roots: { method: 'roots/list' } })),
    code('silent', new InputRequired({})),
    required('large', async () => said('x'.repeat(5_000_000))),
  );
  const end = async (name: string) =>
    taskIn(url, await createTask(url, name), 'completed', 'failed');
  for (const [name, errorCode] of [
    ['tool_error', 'not_found'],
    ['service_error', 'not_found'],
    ['large', 'response_too_large'],
  ] as const) {
    const { status, result } = await end(name);
    assert.equal(status, 'completed');
    assert.equal(result?.isError, true);
    assert.equal(result.structuredContent?.error?.code, errorCode);
  }
  const denied = await end('denied');
  assert.deepEqual([denied.status, denied.error?.code], ['failed', -31403]);
  const broken = await end('unforeseen');
  assert.deepEqual([broken.status, broken.error?.code], ['failed', -32603]);
  assert.equal(broken.statusMessage, 'internal error');
  assert.doesNotMatch(JSON.stringify(broken), /secret detail/);
  assert.equal((await end('silent')).error?.code, -32603);
  for (const [name, requiredCapabilities] of [
    ['incapable', { sampling: {} }],
    ['unaskable', { roots: {} }],
  ] as const) {
    const { error } = await end(name);
    assert.equal(error?.code, -32021);
    assert.deepEqual(error.data, { requiredCapabilities });
  }
});

test('a tool that asks for ever is ended', async (t) => {
  const roots = { roots: { method: 'roots/list' } } as const;
  const curious = required('curious', async () => {
    throw new InputRequired(roots);
  });
  const { url } = await serverWith(t, curious);
  const capabilities = { roots: {}, extensions: extension };
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const made = await withTasks(url, { method: 'tools/call', params: { name: 'curious' }, _meta });
  const taskId = String(made.body.result?.['taskId']);
  for (let round = 1; round <= 20; round++) {
    const { inputRequests = {} } = await taskIn(url, taskId, 'input_required');
    assert.deepEqual(inputRequests, { [`${round}.roots`]: roots.roots });
    const inputResponses = { [`${round}.roots`]: { roots: [] } };
    await withTasks(url, { method: 'tasks/update', params: { taskId, inputResponses } });
  }
  assert.match((await taskIn(url, taskId, 'failed')).error?.message ?? '', /asked 20 times/);
});

test('an answer must be an object, but only where something was asked (tasks/update)', async (t) => {
  const question = { method: 'roots/list' } as const;
  const curious = required('curious', async (_args, { answers }) => {
    if (answers.responses['roots']) return said('heard');
    throw new InputRequired({ roots: question });
  });
  const { url } = await serverWith(t, curious);
  const capabilities = { roots: {}, extensions: extension };
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const made = await withTasks(url, { method: 'tools/call', params: { name: 'curious' }, _meta });
  const taskId = String(made.body.result?.['taskId']);
  await taskIn(url, taskId, 'input_required');
  const update = async (inputResponses: object) => {
    const { body } = await withTasks(url, {
      method: 'tasks/update',
      params: { taskId, inputResponses },
    });
    return body.error;
  };
  const refused = await update({ '1.roots': 'text' });
  assert.equal(refused?.code, -32602);
  assert.match(refused.message, /"1\.roots"/);
  assert.equal(await update({ never: 'text' }), undefined);
  assert.equal(await update({ '1.roots': { roots: [] }, never: 7 }), undefined);
  await taskIn(url, taskId, 'completed');
});

test('what may be a task and is done at once gives its result, and nothing is left of it', async (t) => {
  const store = await freshStore(t);
  const tools = [
    toolOf({ name: 'fast', task: 'optional' }, async () => said('fast')),
    toolOf({ name: 'slow', task: 'optional' }, () => new Promise(() => {})),
  ];
  // However slow this machine is, and without waiting for what never ends.
  const patient = await startTaskServer(t, { store, tools, limits: { patienceMs: 3_600_000 } });
  const call = { method: 'tools/call', params: { name: 'fast' } };
  const { body } = await withTasks(patient.url, call);
  assert.deepEqual(body.result?.['content'], said('fast').content);
  assert.equal(body.result['resultType'], 'complete');
  assert.deepEqual(await store.db.selectFrom('task').select('id').execute(), []);
  const { url } = await startTaskServer(t, { store, tools, limits: { patienceMs: 0 } });
  const id = await createTask(url, 'slow');
  assert.equal((await getTask(url, id)).status, 'working');
});

test('one caller may have so many open tasks and no more', async (t) => {
  const store = await freshStore(t);
  const limits = { mostOpen: 2 };
  const { url } = await startTaskServer(t, { store, limits, tools: [endless, done] });
  const first = await createTask(url, 'endless');
  await createTask(url, 'endless');
  const refused = await withTasks(url, { method: 'tools/call', params: { name: 'done' } });
  assert.equal(refused.status, 429);
  assert.equal(refused.body.error?.code, -32603);
  assert.deepEqual(refused.body.error.data, { retryAfterMs: 1000 });
  await withTasks(url, { method: 'tasks/cancel', params: { taskId: first } });
  await taskIn(url, await createTask(url, 'done'), 'completed');
});

test('who listens to tasks hears where they stand and of each change (Tasks, status notifications)', async (t) => {
  const form = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: {} } };
  const asking = required('asking', async (_args, { answers }) => {
    if (!answers.responses['sure']) throw new InputRequired({ sure: form as never });
    return said('sure');
  });
  const { url } = await serverWith(t, asking);
  const taskId = await createTask(url, 'asking');
  const now = await taskIn(url, taskId, 'input_required');
  const wanted = { taskIds: [taskId, 'A'.repeat(32)], toolsListChanged: true };
  const next = await listen(t, url, 'sub', wanted, { extensions: extension });
  const { params } = await next();
  assert.deepEqual(params['notifications'], { toolsListChanged: true, taskIds: [taskId] });
  const heard = await next();
  const { resultType: _, _meta: __, ...shown } = now as unknown as Record<string, unknown>;
  assert.equal(heard.method, 'notifications/tasks');
  assert.deepEqual(heard.params, {
    ...shown,
    _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' },
  });
  const inputResponses = { '1.sure': { action: 'accept' } };
  await withTasks(url, { method: 'tasks/update', params: { taskId, inputResponses } });
  const statuses = new Set<unknown>();
  for (;;) {
    const { status, result } = (await next()).params;
    statuses.add(status);
    if (status !== 'completed') continue;
    assert.deepEqual(result, said('sure'));
    break;
  }
  assert.deepEqual([...statuses], ['working', 'completed']);
});

test('who listens to tasks without the extension is refused: 400, -32021', async (t) => {
  const { url } = await serverWith(t, done);
  const taskIds = [await createTask(url, 'done')];
  const params = { notifications: { taskIds } };
  const { status, body } = await modern(url, { method: 'subscriptions/listen', params });
  assert.deepEqual([status, body.error?.code], [400, -32021]);
  assert.deepEqual(body.error?.data, { requiredCapabilities: { extensions: extension } });
});

test('what the tool says of its progress is the message of the status', async (t) => {
  const talking = required('talking', (_args, { progress, log }) => {
    progress?.(1, 4);
    log?.('info', 'half of it');
    return new Promise(() => {});
  });
  const { url } = await serverWith(t, talking);
  const id = await createTask(url, 'talking');
  const messages = new Set<string | undefined>();
  while (!messages.has('half of it')) messages.add((await getTask(url, id)).statusMessage);
  assert.ok(messages.has('1 of 4'));
});

test('a task is audited once, with what came of it', async (t) => {
  const written: AuditEvent[] = [];
  const events = createHouseEvents({
    async append(event) {
      written.push(event);
      return { seq: written.length, hash: '', ts: '' };
    },
    appendLater(event) {
      written.push(event);
    },
  });
  const form = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: {} } };
  const asking: Tool = toolOf(
    { name: 'asking', task: 'required', audit: 'outcome' },
    async (_args, { answers }) => {
      if (!answers.responses['sure']) throw new InputRequired({ sure: form as never });
      throw new ToolError('conflict', 'too late');
    },
  );
  const { url } = await startTaskServer(t, {
    store: await freshStore(t),
    tools: [asking],
    audit: { events, onLoss: (error) => assert.fail(String(error)) },
  });
  const taskId = await createTask(url, 'asking');
  await taskIn(url, taskId, 'input_required');
  const inputResponses = { '1.sure': { action: 'accept' } };
  await withTasks(url, { method: 'tasks/update', params: { taskId, inputResponses } });
  await taskIn(url, taskId, 'completed');
  assert.deepEqual(
    written.map(({ outcome, payload }) => [outcome, payload['operation'], payload['error']]),
    [['failed', 'asking', 'conflict']],
  );
});

test('nothing of the arguments is kept after the end', async (t) => {
  const store = await freshStore(t);
  const input = { type: 'object', properties: { word: { type: 'string' } } };
  const heard = toolOf({ name: 'heard', task: 'required', input }, async () => said('done'));
  const { url } = await startTaskServer(t, { store, tools: [heard] });
  await taskIn(url, await createTask(url, 'heard', { word: 'rosebud' }), 'completed');
  const rows = await store.db.selectFrom('task').selectAll().execute();
  assert.equal(rows.length, 1);
  assert.doesNotMatch(JSON.stringify(rows), /rosebud/);
});

test('the questions and the limit that came before a task are not repeated in it', async (t) => {
  let asked = 0;
  const once: Tool = {
    ...toolOf(
      { name: 'once', task: 'required', limit: { requests: 1, perMs: 3_600_000 } },
      async () => said('done'),
    ),
    async ask() {
      asked += 1;
    },
  };
  const { url } = await serverWith(t, once);
  await taskIn(url, await createTask(url, 'once'), 'completed');
  assert.equal(asked, 1);
});
