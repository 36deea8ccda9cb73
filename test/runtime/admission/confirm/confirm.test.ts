import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type InputRequest, InputRequired } from '#contract/client';
import type { Tool } from '#contract/tool';
import { callInner, searchFront } from '../../../surfaces/search/search-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { sqliteDatabase } from '../../store/replicas.ts';
import {
  ask,
  type ConfirmServerOptions,
  can,
  deleting,
  ended,
  type Result,
  startConfirmServer,
} from './confirm-server.ts';

// MCP 2026-07-28, multi round-trip requests: a person agrees in a form of the client.

const call = { name: 'delete_file', arguments: { path: '/a' } };
const yes = { approval: { action: 'accept', content: { approve: true } } };

async function start(t: TestContext, options: Partial<ConfirmServerOptions> = {}) {
  const [store, other] = await (await sqliteDatabase(t)).replicas(2);
  assert.ok(store && other);
  const deleted: unknown[] = [];
  const tools = [deleting(deleted), ...(options.tools ?? [])];
  const server = await startConfirmServer(t, { store, ...options, tools });
  const replica = () => startConfirmServer(t, { store: other, ...options, tools });
  return { ...server, deleted, replica };
}

function codeOf(result: Result): string | undefined {
  assert.equal(result.isError, true, JSON.stringify(result));
  return result.structuredContent?.error?.code;
}

test('a form says what will be done, and the tool runs once it is accepted', async (t) => {
  const { url, deleted, noted } = await start(t);
  const asked = await ask(url, can.forms, call);
  const { approval } = asked.inputRequests ?? {};
  assert.deepEqual(approval?.params, {
    message:
      'Run "Delete a file" (delete_file)?\n```\nDelete a file for good\nIt is called with:\n- path: "/a"\n```',
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Approve', description: 'Do it', default: false },
      },
      required: ['approve'],
    },
  });
  assert.deepEqual(deleted, []);
  const { requestState } = asked;
  const done = await ask(url, can.forms, { ...call, inputResponses: yes, requestState });
  assert.equal(done.content?.[0]?.text, 'deleted /a');
  assert.deepEqual(deleted, ['/a']);
  assert.deepEqual(
    noted.map(({ payload }) => payload),
    [{ decision: 'approved', way: 'form', operation: 'delete_file' }],
  );
});

for (const [what, approval] of [
  ['declines', { action: 'decline' }],
  ['cancels', { action: 'cancel' }],
  ['accepts without the tick', { action: 'accept', content: { approve: false } }],
] as const) {
  test(`nothing is done where the user ${what}, also not with a later yes to the same question`, async (t) => {
    const { url, deleted, noted } = await start(t);
    const { requestState } = await ask(url, can.forms, call);
    const inputResponses = { approval };
    const refused = await ask(url, can.forms, { ...call, inputResponses, requestState });
    assert.equal(codeOf(refused), 'confirmation_required');
    assert.match(refused.content?.[0]?.text ?? '', /declined, and nothing was done/);
    assert.deepEqual([noted[0]?.outcome, noted[0]?.payload.decision], ['denied', 'declined']);
    const late = await ask(url, can.forms, { ...call, inputResponses: yes, requestState });
    assert.equal(codeOf(late), 'confirmation_required');
    assert.deepEqual(deleted, []);
  });
}

for (const [what, approval] of [
  ['no answer', undefined],
  ['no content', { action: 'accept' }],
  ['text in place of a boolean', { action: 'accept', content: { approve: 'true' } }],
  ['an unknown action', { action: 'yes', content: { approve: true } }],
] as const) {
  test(`it asks again where there is ${what}`, async (t) => {
    const { url, deleted } = await start(t);
    const { requestState } = await ask(url, can.forms, call);
    const inputResponses = approval ? { approval } : {};
    const again = await ask(url, can.forms, { ...call, inputResponses, requestState });
    assert.equal(again.resultType, 'input_required');
    assert.deepEqual(deleted, []);
  });
}

test('an answer that nobody asked for is no approval', async (t) => {
  const { url, deleted } = await start(t);
  const { resultType } = await ask(url, can.forms, { ...call, inputResponses: yes });
  assert.equal(resultType, 'input_required');
  assert.deepEqual(deleted, []);
});

test('an approval counts once, whichever replica gets it again, and at the same time', async (t) => {
  const { url, deleted, replica } = await start(t);
  const other = await replica();
  const { requestState } = await ask(url, can.forms, call);
  const answer = { ...call, inputResponses: yes, requestState };
  const urls = [url, other.url, url, other.url, other.url, url];
  const results = await Promise.all(urls.map((each) => ask(each, can.forms, answer)));
  assert.equal(results.filter(({ isError }) => !isError).length, 1);
  assert.deepEqual(deleted, ['/a']);
});

test('an approval is worth nothing for other arguments, another caller, or a changed state', async (t) => {
  let subject = 's';
  const { url, deleted } = await start(t, { subject: () => subject });
  const { requestState = '' } = await ask(url, can.forms, call);
  const answer = { ...call, inputResponses: yes, requestState };
  const other = { ...answer, arguments: { path: '/b' } };
  await assert.rejects(ask(url, can.forms, other), /requestState/);
  const changed = requestState.replace(/^./, (first) => (first === 'e' ? 'f' : 'e'));
  await assert.rejects(ask(url, can.forms, { ...answer, requestState: changed }), /requestState/);
  subject = 'somebody else';
  await assert.rejects(ask(url, can.forms, answer), /requestState/);
  assert.deepEqual(deleted, []);
});

test('nothing runs on an approval that cannot be written down', async (t) => {
  const note = () => {
    throw new Error('the disk is full');
  };
  const { url, deleted } = await start(t, { note });
  const { requestState } = await ask(url, can.forms, call);
  await assert.rejects(ask(url, can.forms, { ...call, inputResponses: yes, requestState }));
  assert.deepEqual(deleted, []);
});

const colour: InputRequest = {
  method: 'elicitation/create',
  params: { message: 'Colour?', requestedSchema: { type: 'object', properties: {} } },
};

/** Asks something of its own once it is approved. */
function painting(painted: unknown[]): Tool {
  const definition = { name: 'paint', confirm: 'elicitation', task: 'optional' } as const;
  const tool = toolOf(definition, async () => {
    painted.push(1);
    return { content: [{ type: 'text', text: 'painted' }] };
  });
  return {
    ...tool,
    async ask(_args, { answers }) {
      if (!answers.responses['colour']) throw new InputRequired({ colour }, 'kept');
    },
  };
}

test('what the tool itself asks after that does not ask for approval again, and counts once', async (t) => {
  const painted: unknown[] = [];
  const { url } = await start(t, { tools: [painting(painted)] });
  const paint = { name: 'paint' };
  const first = await ask(url, can.forms, paint);
  const { requestState: approved } = first;
  const second = await ask(url, can.forms, {
    ...paint,
    inputResponses: yes,
    requestState: approved,
  });
  assert.deepEqual(Object.keys(second.inputRequests ?? {}), ['colour']);
  const inputResponses = { colour: { action: 'accept', content: {} } };
  const last = { ...paint, inputResponses, requestState: second.requestState };
  assert.equal((await ask(url, can.forms, last)).content?.[0]?.text, 'painted');
  assert.equal(codeOf(await ask(url, can.forms, last)), 'confirmation_required');
  assert.deepEqual(painted, [1]);
});

test('a client that knows tasks is asked first, and the task does not ask again', async (t) => {
  const painted: unknown[] = [];
  const { url } = await start(t, { tools: [painting(painted)] });
  const able = { ...can.forms, ...can.tasks };
  const paint = { name: 'paint' };
  const { requestState } = await ask(url, able, paint);
  const colours = { colour: { action: 'accept', content: {} } };
  const answer = { ...paint, inputResponses: { ...yes, ...colours }, requestState };
  const told = await ask(url, able, answer);
  // On a slow machine the task comes before its result.
  const { content } = told.taskId ? ((await ended(url, told.taskId)).result ?? {}) : told;
  assert.equal(content?.[0]?.text, 'painted');
  assert.equal(codeOf(await ask(url, able, answer)), 'confirmation_required');
  assert.deepEqual(painted, [1]);
});

test('a tool that is called through tool_call asks as well', async (t) => {
  const { url, deleted } = await start(t, { front: searchFront });
  const args = { path: '/a' };
  const { body } = await callInner(url, 'delete_file', {}, args);
  assert.equal(body.result?.['resultType'], 'input_required');
  assert.deepEqual(deleted, []);
  const more = { inputResponses: yes, requestState: body.result['requestState'] };
  const done = await callInner(url, 'delete_file', more, args);
  assert.equal(done.body.result?.['isError'], undefined);
  assert.deepEqual(deleted, ['/a']);
});
