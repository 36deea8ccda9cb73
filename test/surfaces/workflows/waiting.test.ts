import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { EventDoor } from '#contract/bus/events';
import type { CallContext } from '#contract/caller';
import { ToolError } from '#contract/errors';
import type { Workflow } from '#contract/workflow/workflow';
import { createEvents } from '../../../generated/events.ts';
import { WorkflowEngine } from '../../../runtime/surfaces/workflows/engine.ts';
import { createWorkflowsHandlers } from '../../../runtime/surfaces/workflows/handlers.ts';
import { RunTable } from '../../../runtime/surfaces/workflows/run-table.ts';
import { sqliteDatabase } from '../../runtime/store/replicas.ts';
import { stepOf, workflowOf } from './test-workflows.ts';

// What ends a run that waits for a person, and what is said of one that was cancelled.

const owner = { tenant: 'default', subject: 'ada' };

async function start(t: TestContext, all: readonly Workflow[], call = async () => {}) {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  const door = { publish: async () => {} } as unknown as EventDoor;
  const table = new RunTable({ store, events: createEvents(door), now: Date.now });
  const asked = Promise.withResolvers<void>();
  const person: { decision: 'none' | 'declined' } = { decision: 'none' };
  const require = async () => {
    if (person.decision === 'declined')
      throw new ToolError('confirmation_required', 'a was declined');
    asked.resolve();
    throw new ToolError('confirmation_required', 'ask', { approvalUrl: 'http://page' });
  };
  const withdrawn: string[] = [];
  const withdraw = async (_: string, page: string) => {
    withdrawn.push(page);
  };
  const confirm = { require, withdraw };
  const engine = new WorkflowEngine({
    ...{ table, now: Date.now, onStart: () => {}, onStep: () => {}, onEnd: () => {} },
    find: async (name) => all.find(({ definition }) => definition.name === name),
    confirm,
    tools: {
      definition: async (name) => ({ ...all[0]?.definition, name }) as never,
      call: async (name) => {
        await call();
        return { content: [], structuredContent: { name } };
      },
    },
  });
  const waits = async () => {
    await asked.promise;
    while ((await table.list(owner, { status: 'waiting', limit: 1 })).length === 0) {
      await new Promise(setImmediate);
    }
  };
  const cancel = async () => {
    const [run] = await table.list(owner, { limit: 1 });
    const { workflowRuns } = createWorkflowsHandlers(table, confirm);
    return workflowRuns({ operation: 'cancel', run: run?.id ?? '' }, contextOf());
  };
  return { engine, table, person, waits, cancel, withdrawn };
}

function contextOf(more: Partial<CallContext> = {}): CallContext {
  return {
    caller: { ...owner, client: 'test', scopes: 'all', transport: 'mcp' },
    ...{ signal: new AbortController().signal, callId: '1', inTask: true },
    ...{ client: { capabilities: {} }, answers: { responses: {}, round: 0 } },
    ...more,
  };
}

const asking = workflowOf('test_asking', [stepOf({ id: 'a', approval: 'Do a', repeat: 'once' })]);
const outer = workflowOf('test_outer', [stepOf({ id: 'run', workflow: 'test_asking' })]);

test('a run whose step is declined on the page fails', async (t) => {
  const { engine, person, waits } = await start(t, [asking]);
  const work = engine.run(asking, {}, contextOf());
  await waits();
  person.decision = 'declined';
  const { state } = await work;
  assert.deepEqual([state.status, state.failure?.message], ['failed', 'a was declined']);
});

test('a run that waits stops with its server, and goes on later', async (t) => {
  const { engine, table, person } = await start(t, [asking, outer]);
  const stopping = new AbortController();
  const work = engine.run(outer, {}, contextOf({ stopping: stopping.signal }));
  await waitsInside(table);
  stopping.abort(new Error('the server is stopping'));
  await assert.rejects(work, /the server is stopping/);
  person.decision = 'declined';
  const { state } = await engine.run(outer, {}, contextOf());
  assert.match(state.failure?.message ?? '', /a was declined/);
});

test('a run that waits ends once it is cancelled, with those that it runs', async (t) => {
  const { engine, table, cancel, withdrawn } = await start(t, [asking, outer]);
  const work = engine.run(outer, {}, contextOf());
  await waitsInside(table);
  await cancel();
  await assert.rejects(work, { code: 'conflict', message: /was cancelled/ });
  assert.deepEqual(withdrawn, ['http://page']);
});

test('a run that is cancelled while a step is done says that this may have taken effect', async (t) => {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const plain = workflowOf('test_plain', [stepOf({ id: 'a', repeat: 'once' })]);
  const { engine, cancel } = await start(t, [plain], () => {
    arrived.resolve();
    return held.promise;
  });
  const work = engine.run(plain, {}, contextOf());
  await arrived.promise;
  const { structuredContent, _meta } = await cancel();
  held.resolve();
  await assert.rejects(work, /was cancelled/);
  assert.match(JSON.stringify(structuredContent), /the step a had begun and may have taken effect/);
  assert.equal(_meta, undefined);
});

/** The run inside waits; the one around it goes on meanwhile. */
async function waitsInside(table: RunTable): Promise<void> {
  for (;;) {
    const [run] = await table.list(owner, { limit: 1 });
    const [inner] = run ? await table.inside(run) : [];
    if (inner?.state.status === 'waiting') return;
    await new Promise(setImmediate);
  }
}
