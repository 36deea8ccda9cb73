import assert from 'node:assert/strict';
import test from 'node:test';
import type { TellOfTask } from '../../../../runtime/mcp/tasks/task-events.ts';
import { createMetrics } from '../../../../runtime/observe/metrics.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { createTask, getTask, startTaskServer, taskIn, withTasks } from './task-server.ts';
import { done, endless, extension, freshStore, required, said } from './task-tools.ts';

test('what has expired is gone, and what has not stays', async (t) => {
  const store = await freshStore(t);
  const { url } = await startTaskServer(t, { store, works: false, tools: [endless] });
  const [old, young] = [await createTask(url, 'endless'), await createTask(url, 'endless')];
  const expired = store.db.updateTable('task').set({ expires_at: Date.now() - 1 });
  await expired.where('id', '=', old).execute();
  const { body } = await withTasks(url, { method: 'tasks/get', params: { taskId: old } });
  assert.equal(body.error?.code, -32602);
  const next = await startTaskServer(t, { store, tools: [endless] });
  const rows = () => store.db.selectFrom('task').select('id').execute();
  while ((await rows()).length > 1) await getTask(next.url, young);
  assert.deepEqual(
    (await rows()).map(({ id }) => id),
    [young],
  );
});

test('a task whose client left before it heard of it is cancelled', async (t) => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const slow = toolOf({ name: 'slow', task: 'optional' }, (_args, { signal }) => {
    started.resolve();
    signal.addEventListener('abort', () => stopped.resolve(), { once: true });
    return new Promise(() => {});
  });
  const store = await freshStore(t);
  const { url } = await startTaskServer(t, { store, tools: [slow] });
  const gone = new AbortController();
  const left = fetch(url, {
    method: 'POST',
    signal: gone.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'slow',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'slow',
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': { extensions: extension },
        },
      },
    }),
  });
  await started.promise;
  gone.abort();
  await assert.rejects(left);
  await stopped.promise;
  const rows = await store.db.selectFrom('task').select('state').execute();
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['cancelled'],
  );
});

test('a server that stops lets what must not be done twice come to its end', async (t) => {
  const store = await freshStore(t);
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const annotations = { readOnlyHint: false, idempotentHint: false, openWorldHint: false };
  const paying = toolOf({ name: 'paying', task: 'required', annotations }, async (_args, call) => {
    started.resolve();
    await finish.promise;
    assert.ok(!call.signal.aborted);
    return said('paid');
  });
  const limits = { graceMs: 60_000 };
  const first = await startTaskServer(t, { store, limits, tools: [paying] });
  const id = await createTask(first.url, 'paying');
  await started.promise;
  const stopped = first.jobs.stop();
  finish.resolve();
  await stopped;
  assert.deepEqual((await getTask(first.url, id)).result, said('paid'));
});

test('a server that stops leaves what may be done twice to the next one', async (t) => {
  const store = await freshStore(t);
  const started = Promise.withResolvers<void>();
  const held = required('held', () => {
    started.resolve();
    return new Promise(() => {});
  });
  const limits = { graceMs: 60_000 };
  const first = await startTaskServer(t, { store, limits, tools: [held] });
  const id = await createTask(first.url, 'held');
  await started.promise;
  await first.jobs.stop();
  const next = await startTaskServer(t, {
    store,
    tools: [required('held', async () => said('b'))],
  });
  assert.deepEqual((await taskIn(next.url, id, 'completed')).result, said('b'));
});

test('a tool that ends every server that runs it is given up', async (t) => {
  const store = await freshStore(t);
  const { url, jobs } = await startTaskServer(t, { store, works: false, tools: [done] });
  const id = await createTask(url, 'done');
  await store.db.updateTable('job').set({ attempt: 5 }).where('name', '=', 'task').execute();
  await jobs.start();
  assert.match((await taskIn(url, id, 'failed')).error?.message ?? '', /5 attempts/);
});

test('each task that has ended is counted once, whatever ended it', async (t) => {
  const metrics = createMetrics();
  const store = await freshStore(t);
  const { url } = await startTaskServer(t, { store, metrics, tools: [done, endless] });
  await taskIn(url, await createTask(url, 'done'), 'completed');
  const taskId = await createTask(url, 'endless');
  for (const method of ['tasks/cancel', 'tasks/cancel']) {
    await withTasks(url, { method, params: { taskId } });
  }
  const { text } = await metrics.expose('');
  const counts = text.match(/^mcp_server_task_duration_seconds_count.*$/gm);
  assert.deepEqual(counts, [
    'mcp_server_task_duration_seconds_count{gen_ai_tool_name="done",mcp_task_status="completed"} 1',
    'mcp_server_task_duration_seconds_count{gen_ai_tool_name="endless",mcp_task_status="cancelled"} 1',
  ]);
});

test('a task whose tool is gone fails', async (t) => {
  const store = await freshStore(t);
  const first = await startTaskServer(t, { store, works: false, tools: [done] });
  const id = await createTask(first.url, 'done');
  const { url } = await startTaskServer(t, { store });
  assert.match((await taskIn(url, id, 'failed')).error?.message ?? '', /no tool called done/);
});

test('each state of a task is told with the row that has it, or neither is stored', async (t) => {
  const store = await freshStore(t);
  const told: unknown[] = [];
  let fails = false;
  const tell: TellOfTask = async (tx, { id, state }, before) => {
    const rows = await tx.selectFrom('task').select('state').where('id', '=', id).execute();
    told.push([before, state, rows.map((row) => row.state)]);
    if (fails) throw new Error('the bus takes nothing');
  };
  const { url } = await startTaskServer(t, { store, limits: { tell }, tools: [done, endless] });
  await taskIn(url, await createTask(url, 'done'), 'completed');
  assert.deepEqual(told, [
    [undefined, 'working', ['working']],
    ['working', 'completed', ['completed']],
  ]);
  fails = true;
  const params = { name: 'endless', arguments: {} };
  const { body } = await withTasks(url, { method: 'tools/call', params });
  assert.equal(body.error?.code, -32603);
  const rows = await store.db.selectFrom('task').select('tool').execute();
  assert.deepEqual(rows, [{ tool: 'done' }]);
});
