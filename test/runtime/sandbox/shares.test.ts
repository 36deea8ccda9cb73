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

test('the last thread is for those whose scripts are known to be short', () => {
  const shares = new ThreadShares(3);
  shares.take('known').giveBack();
  shares.take('stranger');
  shares.take('other stranger');
  assert.equal(shares.mayTake('third stranger', false), false);
  assert.equal(shares.mayTake('known', false), true);
});

test('one thread alone serves one after the other', () => {
  const shares = new ThreadShares(1);
  const { giveBack } = shares.take('a');
  assert.equal(shares.mayTake('b', false), false);
  giveBack();
  assert.equal(shares.mayTake('b', false), true);
});

test('beside callers whose scripts never end, the script of another one is not kept waiting', async (t) => {
  let now = 0;
  const shares = new ThreadShares(2, () => now);
  const sandbox = new Sandbox({ threads: 2, limits: { cpuMs: 100 } }, shares);
  t.after(() => sandbox.close());
  const taken: string[] = [];
  const take = shares.take.bind(shares);
  // How long they hold a thread is said here, as a machine that has much to do would tell something else.
  t.mock.method(shares, 'take', (owner: string) => {
    taken.push(owner);
    const { began, giveBack } = take(owner);
    if (owner === 'other') return { began, giveBack };
    const giveBackLate = () => {
      now += 1000;
      giveBack();
      now -= 1000;
    };
    return { began, giveBack: giveBackLate };
  });
  const endless = (owner: string) => sandbox.run('while (true);', echoHost, signal, owner);
  const hostile = ['a', 'b', 'c', 'd'];
  // From now on each of them has held a thread for long.
  await Promise.all(hostile.map(endless));
  const attacks = Promise.all([...hostile, ...hostile].map(endless));
  for (let count = 0; count < 3; count += 1) {
    const before = taken.length;
    const ran = sandbox.run('1 + 1', echoHost, signal, 'other');
    assert.equal(returned(await ran), 2);
    // It has waited for the end of one script on either thread at most.
    assert.ok(taken.indexOf('other', before) - before <= 2, taken.slice(before).join(', '));
  }
  await attacks;
});

test('who has held threads for less time comes first, however short the scripts of the others are', async (t) => {
  let now = 0;
  const shares = new ThreadShares(1, () => {
    now += 1;
    return now;
  });
  const sandbox = new Sandbox({ threads: 1, limits: {} }, shares);
  t.after(() => sandbox.close());
  const ended: string[] = [];
  const run = async (owner: string, code: string) => {
    await sandbox.run(code, echoHost, signal, owner);
    ended.push(owner);
  };
  await run('busy', 'for (let i = 0; i < 1e5; i++);');
  const runs = ['busy', 'busy', 'busy'].map((owner) =>
    run(owner, 'for (let i = 0; i < 1e5; i++);'),
  );
  await Promise.all([...runs, run('other', '1 + 1')]);
  assert.deepEqual(ended, ['busy', 'busy', 'other', 'busy', 'busy']);
});

test('one caller with a full queue keeps no other one out of it', async (t) => {
  const sandbox = new Sandbox({ threads: 1, limits: { cpuMs: 100 } });
  t.after(() => sandbox.close());
  await sandbox.warm();
  const stop = new AbortController();
  const greedy = Array.from({ length: 102 }, () =>
    sandbox.run('while (true);', echoHost, stop.signal, 'greedy').then(
      () => 'ended',
      (cause) => cause.code ?? 'stopped',
    ),
  );
  assert.equal(await greedy[101], 'rate_limited_local');
  const other = sandbox.run('1 + 1', echoHost, signal, 'other');
  // The newest that waits has given up its place.
  assert.equal(await greedy[100], 'rate_limited_local');
  assert.equal(returned(await other), 2);
  stop.abort(new Error('enough'));
  assert.equal((await Promise.all(greedy)).filter((end) => end === 'rate_limited_local').length, 2);
});

test('a thread that has nothing to do for long ends, but the last one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sandbox = new Sandbox({ threads: 2, limits: {} });
  t.after(() => sandbox.close());
  const run = (owner: string) => sandbox.run('1 + 1', echoHost, signal, owner);
  await run('a');
  await Promise.all(['b', 'a'].map(run));
  assert.equal(sandbox.threads, 2);
  t.mock.timers.tick(30_000);
  while (sandbox.threads > 1) await new Promise((resolve) => setImmediate(resolve));
  t.mock.timers.tick(30_000);
  assert.equal(returned(await sandbox.run('1 + 1', echoHost, signal, 'a')), 2);
  assert.equal(sandbox.threads, 1);
});

test('a loop inside the interpreter is stopped by the time that its thread has computed', async (t) => {
  const sandbox = new Sandbox({ threads: 1, limits: { cpuMs: 100, memoryBytes: 256 * 2 ** 20 } });
  t.after(() => sandbox.close());
  const native = '"x".repeat(2 ** 20).replace(/(x+x+)+y/, "")';
  const { reason, message } = failure(await sandbox.run(native, echoHost, signal));
  assert.equal(reason, 'limit');
  assert.match(message, /computed for longer than 100 ms/);
});
