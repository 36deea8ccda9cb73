import assert from 'node:assert/strict';
import test from 'node:test';
import { Sandbox } from '../../../runtime/sandbox/sandbox.ts';
import { ThreadShares } from '../../../runtime/sandbox/thread-shares.ts';
import { echoHost, failure, returned } from './try-script.ts';

const { signal } = new AbortController();

test('nobody holds more than half of the threads while others wait', () => {
  const shares = new ThreadShares(4);
  shares.take('greedy');
  shares.take('greedy');
  assert.equal(shares.mayTake('greedy', true), false);
  assert.equal(shares.mayTake('greedy', false), true);
  assert.equal(shares.mayTake('other', false), true);
});

test('one thread alone serves one after the other', () => {
  const shares = new ThreadShares(1);
  const giveBack = shares.take('a');
  assert.equal(shares.mayTake('b', false), false);
  giveBack();
  assert.equal(shares.mayTake('b', false), true);
});

test('beside callers whose scripts never end, the script of another one is not kept waiting', async (t) => {
  const sandbox = new Sandbox({ threads: 2, limits: { cpuMs: 100 } });
  t.after(() => sandbox.close());
  const endless = (owner: string) => sandbox.run('while (true);', echoHost, signal, owner);
  const hostile = ['a', 'b', 'c', 'd'];
  // From now on each of them has held a thread for long.
  await Promise.all(hostile.map(endless));
  const ended: string[] = [];
  const attacks = Promise.all(
    [...hostile, ...hostile].map(async (owner) => {
      await endless(owner);
      ended.push(owner);
    }),
  );
  for (let count = 0; count < 3; count += 1) {
    assert.equal(returned(await sandbox.run('1 + 1', echoHost, signal, 'other')), 2);
  }
  // Each of the three has waited for the end of one script on either thread at most.
  assert.ok(ended.length < 2 * hostile.length, `${ended.length} had ended before`);
  await attacks;
});

test('a loop inside the interpreter is stopped by the time that its thread has computed', async (t) => {
  const sandbox = new Sandbox({ threads: 1, limits: { cpuMs: 100, memoryBytes: 256 * 2 ** 20 } });
  t.after(() => sandbox.close());
  const native = '"x".repeat(2 ** 20).replace(/(x+x+)+y/, "")';
  const { reason, message } = failure(await sandbox.run(native, echoHost, signal));
  assert.equal(reason, 'limit');
  assert.match(message, /computed for longer than 100 ms/);
});
