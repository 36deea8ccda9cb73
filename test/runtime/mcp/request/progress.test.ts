import assert from 'node:assert/strict';
import test from 'node:test';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { counting, echo, toolOf } from '../../in-memory-tools.ts';
import { eventsOf, legacy, modern, type RpcAnswer } from '../rpc.ts';

// MCP 2026-07-28, progress: notifications on the answer to the request that they belong to.

const tools = [
  counting,
  echo,
  toolOf({ name: 'test_stumbling' }, async (_args, { progress }) => {
    progress?.(1);
    throw new Error('an unforeseen failure');
  }),
];
const count = { method: 'tools/call', params: { name: 'test_counting' } };

function progressOf(answer: RpcAnswer): unknown[] {
  return eventsOf(answer).flatMap((event) =>
    'method' in event && 'params' in event ? [event.params] : [],
  );
}

for (const progressToken of ['p', 0]) {
  test(`progress names the token ${JSON.stringify(progressToken)} and only grows`, async (t) => {
    const url = await startInMemoryServer(t, { tools });
    const answer = await modern(url, { ...count, _meta: { progressToken } });
    const step = (progress: number) => ({
      progressToken,
      progress,
      total: 3,
      message: `step ${progress}`,
    });
    assert.deepEqual(progressOf(answer), [step(1), step(2), step(3)]);
  });
}

test('clients of the handshake era hear of progress too', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const params = { ...count.params, _meta: { progressToken: 'p' } };
  const answer = await legacy(url, { ...count, params });
  assert.equal(progressOf(answer).length, 3);
  assert.deepEqual(answer.body.result, { content: [{ type: 'text', text: 'counted' }] });
});

test('without a token the answer is JSON', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const answer = await modern(url, count);
  assert.equal(answer.headers['content-type'], 'application/json');
});

test('with a token and nothing to report the answer is JSON', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const params = { name: 'test_echo', arguments: { text: 'hi' } };
  const message = { method: 'tools/call', params, _meta: { progressToken: 'p' } };
  assert.equal((await modern(url, message)).headers['content-type'], 'application/json');
});

test('a client that takes only JSON gets the result alone', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const message = { ...count, _meta: { progressToken: 'p' } };
  const answer = await modern(url, message, { accept: 'application/json' });
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.deepEqual(answer.body.result?.['content'], [{ type: 'text', text: 'counted' }]);
});

test('a failure after progress ends the stream with the error', async (t) => {
  const url = await startInMemoryServer(t, { tools });
  const message = { method: 'tools/call', params: { name: 'test_stumbling' } };
  const answer = await modern(url, { ...message, _meta: { progressToken: 'p' } });
  assert.equal(answer.status, 200);
  assert.equal(eventsOf(answer).length, 2);
  assert.equal(answer.body.error?.code, -32603);
});
