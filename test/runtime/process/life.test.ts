import assert from 'node:assert/strict';
import test from 'node:test';
import { Life, type Part } from '../../../runtime/process/life.ts';

/** A part that tells what is done with it. */
function told(name: string, events: string[], more: Partial<Part> = {}): Part {
  return {
    start: async () => void events.push(`start ${name}`),
    stop: async () => void events.push(`stop ${name}`),
    ...more,
  };
}

test('steps start one after the other and stop in reverse', async () => {
  const events: string[] = [];
  const life = new Life([[told('a', events), told('b', events)], [told('c', events)]]);
  await life.start();
  await life.stop();
  assert.deepEqual(events, ['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});

test('a start waits for no part to be ready; who asks for that hears of what failed meanwhile', async () => {
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const slow = told('slow', events, { ready: () => gate.promise });
  const life = new Life([[slow], [told('next', events)]]);
  await life.start();
  assert.deepEqual(events, ['start slow', 'start next']);
  const ready = life.ready();
  gate.reject(new Error('the disk is full'));
  await assert.rejects(ready, /the disk is full/);
});

test('a part that cannot start stops all the others', async () => {
  const events: string[] = [];
  const start = async () => {
    throw new Error('locked');
  };
  const life = new Life([[told('a', events), told('b', events, { start })], [told('c', events)]]);
  await assert.rejects(life.start(), /locked/);
  assert.deepEqual(events, ['start a', 'stop c', 'stop b', 'stop a']);
});
