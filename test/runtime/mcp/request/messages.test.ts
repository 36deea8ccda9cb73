import assert from 'node:assert/strict';
import test from 'node:test';
import { logLevels } from '#contract/client';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { eventsOf, legacy, modern, type RpcAnswer } from '../rpc.ts';

// MCP 2026-07-28, logging: messages on the answer to a request that named a level.

const talking = toolOf({ name: 'test_talking' }, async (_args, { log }) => {
  for (const level of logLevels) log?.(level, { said: level }, 'talker');
  return { content: [{ type: 'text', text: 'done' }] };
});
const call = { method: 'tools/call', params: { name: 'test_talking' } };
const levelKey = 'io.modelcontextprotocol/logLevel';

function heard(answer: RpcAnswer): unknown[] {
  return eventsOf(answer).flatMap((event) =>
    'params' in event ? [(event.params as { level: string }).level] : [],
  );
}

for (const [index, level] of logLevels.entries()) {
  test(`with the level ${level} only messages from there on are sent`, async (t) => {
    const url = await startInMemoryServer(t, { tools: [talking] });
    const answer = await modern(url, { ...call, _meta: { [levelKey]: level } });
    assert.deepEqual(heard(answer), logLevels.slice(index));
    assert.equal(answer.headers['x-accel-buffering'], 'no');
    assert.deepEqual(answer.body.result?.['content'], [{ type: 'text', text: 'done' }]);
  });
}

test('a message says its level, who says it and what', async (t) => {
  const url = await startInMemoryServer(t, { tools: [talking] });
  const answer = await modern(url, { ...call, _meta: { [levelKey]: 'emergency' } });
  assert.deepEqual(eventsOf(answer)[0], {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'emergency', logger: 'talker', data: { said: 'emergency' } },
  });
});

test('without a level there are none', async (t) => {
  const url = await startInMemoryServer(t, { tools: [talking] });
  for (const answer of [await modern(url, call), await legacy(url, call)]) {
    assert.equal(answer.headers['content-type'], 'application/json');
  }
});

test('a client that takes only JSON gets the result alone', async (t) => {
  const url = await startInMemoryServer(t, { tools: [talking] });
  const message = { ...call, _meta: { [levelKey]: 'debug' } };
  const answer = await modern(url, message, { accept: 'application/json' });
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.body.result?.['resultType'], 'complete');
});
