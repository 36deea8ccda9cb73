import assert from 'node:assert/strict';
import test from 'node:test';
import { InputRequired } from '#contract/client';
import type { Task } from '#contract/house/task';
import type { Tool } from '#contract/tool';
import { toolOf } from '../../in-memory-tools.ts';
import type { MakeDatabase } from '../../store/replicas.ts';
import { createTask, getTask, startTaskServer, taskIn, withTasks } from './task-server.ts';

const said = (text: string) => ({ content: [{ type: 'text', text }] as const });
const form = (message: string) =>
  ({
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties: {} } },
  }) as const;

const quick = toolOf({ name: 'quick', task: 'required' }, async () => said('done'));

/** Asks two things, and after that a third one. */
const asking = toolOf({ name: 'asking', task: 'required' }, async (_args, { answers }) => {
  const { responses, state } = answers;
  if (!responses['name'] || !responses['sure']) {
    throw new InputRequired({ name: form('Who?'), sure: form('Sure?') }, 'first');
  }
  if (state === 'first') throw new InputRequired({ name: form('Who really?') }, 'second');
  return said(JSON.stringify(answers));
});

/** What holds for tasks whatever database keeps them, with two replicas on it. */
export function tasksContract(name: string, make: MakeDatabase): void {
  test(`${name}: a task that one replica made and ran is read from either`, async (t) => {
    const [first, second] = await (await make(t)).replicas(2);
    assert.ok(first && second);
    const a = await startTaskServer(t, { store: first, tools: [quick] });
    const b = await startTaskServer(t, { store: second, tools: [quick], works: false });
    const id = await createTask(a.url, 'quick');
    assert.match((await getTask(b.url, id)).status, /working|completed/);
    for (const { url } of [a, b]) {
      const { result } = await taskIn(url, id, 'completed');
      assert.deepEqual(result, said('done'));
    }
  });

  test(`${name}: two replicas run each task once`, async (t) => {
    const stores = await (await make(t)).replicas(2);
    const runs: string[] = [];
    const counting = toolOf({ name: 'counting', task: 'required' }, async (_args, { callId }) => {
      runs.push(callId);
      return said(callId);
    });
    const servers = await Promise.all(
      stores.map((store) => startTaskServer(t, { store, tools: [counting] })),
    );
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const { url } = servers[n % 2] ?? assert.fail();
        return createTask(url, 'counting');
      }),
    );
    const url = servers[0]?.url ?? assert.fail();
    const tasks = await Promise.all(made.map((id) => taskIn(url, id, 'completed')));
    const told = tasks.map(({ result }) => result?.content[0]?.text);
    assert.equal(runs.length, 20);
    assert.deepEqual(runs.toSorted(), told.toSorted());
    assert.equal(new Set(runs).size, 20);
  });

  test(`${name}: a task that is cancelled through another replica is told to stop`, async (t) => {
    const [first, second] = await (await make(t)).replicas(2);
    assert.ok(first && second);
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<unknown>();
    const endless = toolOf({ name: 'endless', task: 'required' }, (_args, { signal }) => {
      started.resolve();
      signal.addEventListener('abort', () => stopped.resolve(signal.reason), { once: true });
      return new Promise(() => {});
    });
    const a = await startTaskServer(t, { store: first, tools: [endless] });
    const b = await startTaskServer(t, { store: second, tools: [endless], works: false });
    const id = await createTask(a.url, 'endless');
    await started.promise;
    const cancel = { method: 'tasks/cancel', params: { taskId: id } };
    const { body } = await withTasks(b.url, cancel);
    assert.deepEqual(Object.keys(body.result ?? {}).sort(), ['_meta', 'resultType']);
    assert.match(String(await stopped.promise), /cancelled/);
    assert.equal((await getTask(a.url, id)).status, 'cancelled');
    assert.equal((await withTasks(a.url, cancel)).body.result?.['resultType'], 'complete');
  });

  test(`${name}: a task asks, takes answers through any replica, and goes on when all are there`, async (t) => {
    const [first, second] = await (await make(t)).replicas(2);
    assert.ok(first && second);
    const a = await startTaskServer(t, { store: first, tools: [asking] });
    const b = await startTaskServer(t, { store: second, tools: [asking], works: false });
    const id = await createTask(a.url, 'asking');
    const answer = async (url: URL, inputResponses: object) => {
      const { body } = await withTasks(url, {
        method: 'tasks/update',
        params: { taskId: id, inputResponses },
      });
      assert.equal(body.result?.['resultType'], 'complete', JSON.stringify(body));
    };
    const asked = await taskIn(b.url, id, 'input_required');
    const [name, sure, ...rest] = Object.keys(asked.inputRequests ?? {});
    assert.ok(name !== undefined && sure !== undefined && rest.length === 0);
    assert.deepEqual(asked.inputRequests?.[name], form('Who?'));
    await answer(b.url, { unknown: { action: 'accept' } });
    await answer(b.url, { [name]: { action: 'accept', content: 1 } });
    const partly = await getTask(a.url, id);
    assert.equal(partly.status, 'input_required');
    assert.deepEqual(Object.keys(partly.inputRequests ?? {}), [sure]);
    await answer(a.url, { [sure]: { action: 'decline' }, [name]: { action: 'cancel' } });
    const again = await taskIn(a.url, id, 'input_required');
    const [third] = Object.keys(again.inputRequests ?? {});
    assert.ok(third !== undefined && third !== name, 'a key is never used twice');
    await answer(b.url, { [third]: { action: 'accept', content: 2 } });
    const { result } = await taskIn(b.url, id, 'completed');
    assert.deepEqual(JSON.parse(result?.content[0]?.text ?? ''), {
      responses: { name: { action: 'accept', content: 2 }, sure: { action: 'decline' } },
      round: 2,
      state: 'second',
    });
  });

  test(`${name}: who follows a task hears of what another replica does, each change once`, async (t) => {
    const [first, second] = await (await make(t)).replicas(2);
    assert.ok(first && second);
    const a = await startTaskServer(t, { store: first, tools: [asking] });
    const b = await startTaskServer(t, { store: second, tools: [asking] });
    const id = await createTask(a.url, 'asking');
    await taskIn(a.url, id, 'input_required');
    const caller = { ...local, transport: 'mcp' } as const;
    const heard: Task[] = [];
    const cancelled = Promise.withResolvers<void>();
    const tasks = await b.tasks.select(caller, [id, 'unknown', id]);
    assert.deepEqual(
      tasks.map((task) => [task.id, task.state]),
      [[id, 'input_required']],
    );
    assert.deepEqual(await b.tasks.select({ ...caller, subject: 'other' }, [id]), []);
    const stop = b.tasks.follow(tasks, (task) => {
      heard.push(task);
      if (task.state === 'cancelled') cancelled.resolve();
    });
    await a.tasks.cancel(caller, id);
    await cancelled.promise;
    stop();
    const versions = heard.map(({ version }) => version);
    assert.deepEqual(versions, [...new Set(versions)]);
  });

  test(`${name}: of everything that ends a task at once, one thing ends it`, async (t) => {
    const stores = await (await make(t)).replicas(2);
    const finish = Promise.withResolvers<void>();
    const held: Tool = toolOf({ name: 'held', task: 'required' }, async () => {
      await finish.promise;
      return said('done');
    });
    const servers = await Promise.all(
      stores.map((store) => startTaskServer(t, { store, tools: [held] })),
    );
    const [a, b] = servers;
    assert.ok(a && b);
    const ids = await Promise.all(Array.from({ length: 8 }, () => createTask(a.url, 'held')));
    finish.resolve();
    const cancel = (url: URL, taskId: string) =>
      withTasks(url, { method: 'tasks/cancel', params: { taskId } });
    await Promise.all(ids.flatMap((id) => [cancel(a.url, id), cancel(b.url, id)]));
    for (const id of ids) {
      const seen = await taskIn(a.url, id, 'completed', 'cancelled');
      assert.equal(seen.result !== undefined, seen.status === 'completed');
      assert.deepEqual(await getTask(b.url, id), seen);
    }
  });
}

const local = { tenant: 'default', subject: 'local', client: 'unknown', scopes: 'all' } as const;
