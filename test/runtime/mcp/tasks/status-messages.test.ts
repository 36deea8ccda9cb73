import assert from 'node:assert/strict';
import test from 'node:test';
import { StatusMessages } from '../../../../runtime/mcp/tasks/status-messages.ts';

test('of many words in an interval the first and the newest are written', async () => {
  const written: string[] = [];
  const twice = Promise.withResolvers<void>();
  const messages = new StatusMessages(async (text) => {
    if (written.push(text) === 2) twice.resolve();
  }, 5);
  for (let done = 1; done <= 50; done++) messages.progress(done, 50);
  await twice.promise;
  assert.deepEqual(written, ['1 of 50', '50 of 50']);
  await messages.close();
});

test('messages of a tool are one short line; what is less than info is left out', async () => {
  const written: string[] = [];
  const messages = new StatusMessages(async (text) => written.push(text), 60_000);
  messages.log('debug', 'not this');
  messages.log('info', `a\u0000b\n${'\ud83d'.repeat(600)}`);
  await messages.close();
  assert.equal(written.length, 1);
  const [text = ''] = written;
  assert.match(text, /^a b \ufffd+$/);
  assert.ok(text.length <= 500);
});

test('nothing is written after the end', async () => {
  const written: string[] = [];
  const messages = new StatusMessages(async (text) => written.push(text), 60_000);
  messages.progress(1);
  messages.progress(2, undefined, 'second');
  await messages.close();
  messages.progress(3);
  assert.deepEqual(written, ['1']);
});
