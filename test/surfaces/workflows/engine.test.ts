import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { NewEvent } from '#contract/bus/bus';
import type { EventDoor } from '#contract/bus/events';
import type { CallContext } from '#contract/caller';
import type { Workflow } from '#contract/workflow/workflow';
import { createEvents } from '../../../generated/events.ts';
import { WorkflowEngine } from '../../../runtime/surfaces/workflows/engine.ts';
import { endAbandoned } from '../../../runtime/surfaces/workflows/expiry.ts';
import { abandonedMs, RunTable } from '../../../runtime/surfaces/workflows/run-table.ts';
import { sqliteDatabase } from '../../runtime/store/replicas.ts';
import { outputsOf, stepOf, workflowOf } from './test-workflows.ts';

type Call = (args: Readonly<Record<string, unknown>>, context: CallContext) => unknown;

/** Engines that share one store, as replicas do, and what their tools do. */
async function start(
  t: TestContext,
  tools: Readonly<Record<string, Call>>,
  all: readonly Workflow[],
) {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  const told: string[] = [];
  const publish = async (_: unknown, { name, data }: NewEvent) => {
    told.push(`${name} ${data['step']}`);
  };
  const door = { publish } as unknown as EventDoor;
  let clock = 1_000_000;
  const now = () => clock;
  const table = new RunTable({ store, events: createEvents(door), now });
  const calls: string[] = [];
  const replica = () =>
    new WorkflowEngine({
      ...{ table, now, onStart: () => {}, onStep: () => {}, onEnd: () => {} },
      find: async (name) => all.find(({ definition }) => definition.name === name),
      confirm: {
        require: () => Promise.reject(new Error('nobody is asked')),
        withdraw: async () => {},
      },
      tools: {
        definition: async () => undefined,
        call: async (name, args, context) => {
          calls.push(name);
          const structuredContent = (await tools[name]?.(args, context)) ?? { name };
          return { content: [], structuredContent };
        },
      },
    });
  const advance = (ms: number) => {
    clock += ms;
  };
  return { table, replica, calls, told, advance };
}

/** A call as a task makes it; the same id in each attempt. */
function contextOf(callId: string, more: Partial<CallContext> = {}): CallContext {
  return {
    caller: { tenant: 'default', subject: 'ada', client: 'test', scopes: 'all', transport: 'mcp' },
    ...{ signal: new AbortController().signal, callId, inTask: true, client: { capabilities: {} } },
    answers: { responses: {}, round: 0 },
    ...more,
  };
}

const outputs = outputsOf(['name']);
const two = workflowOf(
  'test_two',
  [stepOf({ id: 'a', outputs }), stepOf({ id: 'b', repeat: 'once', outputs })],
  { last: '$steps.b.outputs.name' },
);

test('a run goes on where it was, at whichever replica', async (t) => {
  let isBroken = true;
  const fail = () => {
    if (isBroken) throw new TypeError('the process ends here');
    return { name: 'done' };
  };
  const safe = workflowOf(
    'test_two',
    [stepOf({ id: 'a', outputs }), stepOf({ id: 'b', outputs })],
    { last: '$steps.b.outputs.name' },
  );
  const { replica, calls, told } = await start(t, { test_b: fail }, [safe]);
  await assert.rejects(replica().run(safe, {}, contextOf('1')), TypeError);
  isBroken = false;
  const { state } = await replica().run(safe, {}, contextOf('1'));
  assert.deepEqual(state.result, { last: 'done' });
  assert.deepEqual(calls, ['test_a', 'test_b', 'test_b']);
  assert.deepEqual(told, [
    'workflow.started a',
    'workflow.step_completed a',
    'workflow.resumed b',
    'workflow.completed b',
  ]);
  await replica().run(safe, {}, contextOf('1'));
  assert.equal(calls.length, 3, 'a run that has ended does nothing');
});

test('what may not be done twice is not, where nobody knows whether it was done', async (t) => {
  const fail = () => {
    throw new TypeError('the process ends here');
  };
  const { replica, calls } = await start(t, { test_b: fail }, [two]);
  await assert.rejects(replica().run(two, {}, contextOf('1')), TypeError);
  const { state } = await replica().run(two, {}, contextOf('1'));
  assert.equal(state.status, 'failed');
  assert.match(state.failure?.message ?? '', /check whether it took effect/);
  assert.deepEqual(calls, ['test_a', 'test_b']);
});

test('whoever has lost a run to another replica does nothing more', async (t) => {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  let isFirst = true;
  const hold = async () => {
    if (!isFirst) return { name: 'quick' };
    isFirst = false;
    arrived.resolve();
    await held.promise;
    return { name: 'late' };
  };
  const { replica, calls } = await start(t, { test_a: hold }, [two]);
  const late = replica().run(two, {}, contextOf('1'));
  await arrived.promise;
  const { state } = await replica().run(two, {}, contextOf('1'));
  assert.equal(state.status, 'completed');
  held.resolve();
  await assert.rejects(late, { code: 'conflict', message: /somebody else goes on with the run/ });
  assert.deepEqual(calls, ['test_a', 'test_a', 'test_b'], 'the last step was done once');
});

test('a step gets the same id of its call in each attempt, and another one each time it is reached', async (t) => {
  const seen: string[] = [];
  const again = { name: 'again', kind: 'goto', step: 'a', limit: 1, criteria: [] } as const;
  const looping = workflowOf('test_loop', [stepOf({ id: 'a', onSuccess: [again] })]);
  let isBroken = true;
  const note: Call = (_, { callId }) => {
    seen.push(callId);
    if (isBroken) throw new TypeError('the process ends here');
  };
  const { replica } = await start(t, { test_a: note }, [looping]);
  await assert.rejects(replica().run(looping, {}, contextOf('1')));
  isBroken = false;
  await replica().run(looping, {}, contextOf('1'));
  const [first, second, third] = seen;
  assert.equal(seen.length, 3);
  assert.equal(second, first);
  assert.notEqual(third, first);
});

test('a workflow runs another one, which goes on where it was', async (t) => {
  let isBroken = true;
  const last = () => {
    if (isBroken) throw new TypeError('the process ends here');
  };
  const inner = workflowOf(
    'test_inner',
    [
      stepOf({ id: 'a', arguments: { text: '$inputs.text' }, outputs }),
      stepOf({ id: 'b', outputs }),
    ],
    { name: '$steps.a.outputs.name' },
  );
  const outer = workflowOf(
    'test_outer',
    [
      stepOf({
        id: 'run',
        workflow: 'test_inner',
        arguments: { text: '{$inputs.text}!' },
        outputs: { name: '$outputs.name' },
      }),
      stepOf({ id: 'c' }),
    ],
    { name: '$steps.run.outputs.name' },
  );
  const greet: Call = ({ text }) => ({ name: `Hello ${text}` });
  const { replica, table, calls } = await start(t, { test_a: greet, test_b: last }, [inner, outer]);
  await assert.rejects(replica().run(outer, { text: 'Ada' }, contextOf('1')), TypeError);
  isBroken = false;
  const { state } = await replica().run(outer, { text: 'Ada' }, contextOf('1'));
  assert.deepEqual(state.result, { name: 'Hello Ada!' });
  assert.deepEqual(calls, ['test_a', 'test_b', 'test_b', 'test_c']);
  const owner = { tenant: 'default', subject: 'ada' };
  const listed = await table.list(owner, { limit: 10 });
  assert.deepEqual(
    listed.map(({ workflow }) => workflow),
    ['test_outer'],
  );
});

test('a run goes on only with the steps that it began with', async (t) => {
  const fail = () => {
    throw new TypeError('the process ends here');
  };
  const { replica } = await start(t, { test_a: fail }, [two]);
  await assert.rejects(replica().run(two, {}, contextOf('1')));
  const changed = { ...two, revision: 'two' };
  const { state } = await replica().run(changed, {}, contextOf('1'));
  assert.equal(
    state.failure?.message,
    'its workflow has changed since it began, so it does not go on',
  );
});

test('a call that is not a task cancels its run when it is stopped; a task goes on later', async (t) => {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error('the server stops'));
  const { replica, table } = await start(t, { test_a: stop }, [two]);
  const owner = { tenant: 'default', subject: 'ada' };
  const { signal } = controller;
  await assert.rejects(replica().run(two, {}, contextOf('task', { signal })), /the server stops/);
  assert.equal((await table.list(owner, { limit: 1 }))[0]?.state.status, 'running');
  const { inTask: _, ...call } = contextOf('call', {
    signal: AbortSignal.abort(new Error('left')),
  });
  await assert.rejects(replica().run(two, {}, call), /left/);
  const cancelled = await table.list(owner, { status: 'cancelled', limit: 10 });
  assert.equal(cancelled.length, 1);
});

test('runs are those of their callers, and end when nobody goes on with them', async (t) => {
  const fail = () => {
    throw new TypeError('the process ends here');
  };
  const { replica, table, advance } = await start(t, { test_a: fail }, [two]);
  await assert.rejects(replica().run(two, {}, contextOf('1')));
  assert.deepEqual(await table.list({ tenant: 'default', subject: 'eve' }, { limit: 10 }), []);
  assert.deepEqual(await table.list({ tenant: 'other', subject: 'ada' }, { limit: 10 }), []);
  const owner = { tenant: 'default', subject: 'ada' };
  await endAbandoned(table);
  assert.equal((await table.list(owner, { status: 'running', limit: 10 })).length, 1);
  advance(abandonedMs);
  await endAbandoned(table);
  const [failed] = await table.list(owner, { limit: 10 });
  assert.equal(failed?.state.failure?.message, 'nobody has gone on with it for 24 hours');
  advance(8 * abandonedMs);
  await endAbandoned(table);
  assert.deepEqual(await table.list(owner, { limit: 10 }), []);
});

test('a call that is stopped knows that a step of its run, or of one within it, may have been done', async (t) => {
  const inner = workflowOf('test_inner', [stepOf({ id: 'write', repeat: 'once' })], {});
  const outer = workflowOf(
    'test_outer',
    [stepOf({ id: 'read' }), stepOf({ id: 'within', workflow: 'test_inner' })],
    {},
  );
  const seen: Record<string, CallContext['mayBeDone']> = {};
  const context = contextOf('stopped');
  const note = (name: string) => () => {
    seen[name] = context.mayBeDone;
  };
  const tools = { test_read: note('read'), test_write: note('write') };
  const { replica } = await start(t, tools, [outer, inner]);
  await replica().run(outer, {}, context);
  assert.deepEqual(seen, { read: undefined, write: 'once' });
});
