import assert from 'node:assert/strict';
import test from 'node:test';
import type { CallContext, Caller } from '#contract/caller';
import { MissingCapability } from '#contract/client';
import { deferWork } from '../../../runtime/admission/steps/defer.ts';

function contextOf(transport: Caller['transport'], more: Partial<CallContext> = {}): CallContext {
  return {
    caller: { tenant: 'a', subject: 'b', client: 'c', scopes: 'all', transport },
    signal: new AbortController().signal,
    callId: 'call-1',
    client: { capabilities: {} },
    answers: { responses: {}, round: 0 },
    ...more,
  };
}

const handler = async () => 'done';
const deferred = new Error('deferred');

test('what is never a task runs at once, with no step in front of it', () => {
  assert.equal(deferWork({ name: 'plain', access: 'public' }, handler), handler);
});

test('work that may or must be a task becomes one where the client can wait for it', async () => {
  for (const task of ['optional', 'required'] as const) {
    const operation = { name: 'export', access: 'public', task } as const;
    const run = deferWork(operation, handler);
    const made: unknown[] = [];
    const defer: CallContext['defer'] = async (...call) => {
      made.push(call);
      throw deferred;
    };
    await assert.rejects(run({ a: 1 }, contextOf('mcp', { defer })), deferred);
    assert.deepEqual(made, [[operation, { a: 1 }]]);
    assert.equal(await run({}, contextOf('mcp', { defer, inTask: true })), 'done');
  }
});

test('what must be a task needs a client that knows tasks; at a terminal one waits', async () => {
  const operation = { name: 'export', access: 'public', task: 'required' } as const;
  const run = deferWork(operation, handler);
  await assert.rejects(run({}, contextOf('mcp')), (error) => {
    assert.ok(error instanceof MissingCapability);
    assert.deepEqual(error.required, { extensions: { 'io.modelcontextprotocol/tasks': {} } });
    return true;
  });
  assert.equal(await run({}, contextOf('cli')), 'done');
  const optional = deferWork({ ...operation, task: 'optional' }, handler);
  assert.equal(await optional({}, contextOf('mcp')), 'done');
});
