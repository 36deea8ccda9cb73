import assert from 'node:assert/strict';
import test from 'node:test';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { SessionEvents } from '../../../../runtime/mcp/sessions/session-events.ts';

const listening = 'listening';
const note = (text: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { text },
});
const answer: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: {} };
const mark = {} as JSONRPCMessage;
const million = 'x'.repeat(1_000_000);

function create(left = 100_000_000) {
  const budget = { left };
  return { budget, events: new SessionEvents(budget, listening) };
}

test('what followed an event of one stream comes back in its order', async () => {
  const { events } = create();
  const first = await events.storeEvent('a', mark);
  await events.storeEvent('b', note('other'));
  const second = await events.storeEvent('a', note('one'));
  const third = await events.storeEvent('a', note('two'));
  assert.deepEqual(
    events.after(first)?.events.map(({ id }) => id),
    [second, third],
  );
  assert.deepEqual(events.after(third), { isAnswered: false, events: [] });
  const sent: [string, unknown][] = [];
  const send = async (id: string, message: unknown) => void sent.push([id, message]);
  assert.equal(await events.replayEventsAfter(second, { send }), 'a');
  assert.deepEqual(sent, [[third, note('two')]]);
});

test('marks are places to come back to, and never sent', async () => {
  const { events } = create();
  const first = await events.storeEvent(listening, mark);
  await events.storeEvent(listening, mark);
  assert.deepEqual(events.after(first)?.events, []);
});

test('a stream with its answer is complete', async () => {
  const { events } = create();
  const first = await events.storeEvent('a', mark);
  await events.storeEvent('a', answer);
  assert.equal(events.after(first)?.isAnswered, true);
});

test('at most a thousand events are kept: who missed some of a request gets nothing of it', async () => {
  const { events } = create();
  const first = await events.storeEvent('a', mark);
  const second = await events.storeEvent('a', note('one'));
  for (let count = 0; count < 1000; count++) await events.storeEvent('a', note('more'));
  assert.equal(events.after(first), undefined);
  assert.equal(events.after(second)?.events.length, 1000);
});

test('the stream that belongs to no request goes on with what is left', async () => {
  const { events } = create();
  const first = await events.storeEvent(listening, mark);
  for (let count = 0; count < 1001; count++) await events.storeEvent(listening, note('more'));
  assert.equal(events.after(first)?.events.length, 1000);
});

test('at most four million characters of a session are kept, and none of a longer message', async () => {
  const { budget, events } = create();
  const first = await events.storeEvent('a', mark);
  for (let count = 0; count < 5; count++) await events.storeEvent('a', note(million));
  assert.equal(events.after(first), undefined);
  const kept = 100_000_000 - budget.left;
  assert.ok(kept > 3_900_000 && kept <= 4 * 1024 * 1024);
  const late = await events.storeEvent('b', mark);
  await events.storeEvent('b', note(million.repeat(5)));
  assert.equal(events.after(late), undefined);
});

test('all sessions share one budget, which the end of one gives back', async () => {
  const budget = { left: 2_500_000 };
  const one = new SessionEvents(budget, listening);
  const two = new SessionEvents(budget, listening);
  const first = await one.storeEvent('a', mark);
  await one.storeEvent('a', note(million));
  await one.storeEvent('a', note(million));
  const second = await two.storeEvent('a', mark);
  await two.storeEvent('a', note(million));
  assert.equal(one.after(first)?.events.length, 2);
  assert.equal(two.after(second), undefined);
  assert.ok(budget.left >= 0);
  one.clear();
  two.clear();
  assert.equal(budget.left, 2_500_000);
  await one.storeEvent('a', note(million));
  assert.equal(budget.left, 2_500_000);
});

test('answered streams are forgotten with their last event', async () => {
  const { events } = create();
  const ids: string[] = [];
  for (let count = 0; count < 1500; count++) ids.push(await events.storeEvent(`${count}`, answer));
  assert.equal(events.after(ids[0] ?? ''), undefined);
  assert.ok(events.after(ids.at(-1) ?? ''));
});
