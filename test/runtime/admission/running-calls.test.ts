import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Caller } from '#contract/caller';
import { ServiceError, ToolError } from '#contract/errors';
import { Call, ClientGone, type Peer } from '../../../runtime/admission/call.ts';
import { terminalArrival } from '../../../runtime/admission/http-arrival.ts';
import { authenticateLocal } from '../../../runtime/admission/local-caller.ts';
import { RunningCalls } from '../../../runtime/admission/running-calls.ts';

const caller = authenticateLocal(terminalArrival);
const never = () => new Promise<never>(() => {});

test('a call that ends is forgotten, whichever way it ends', async () => {
  const running = new RunningCalls(50);
  assert.equal(await running.settle(new Call(caller), Promise.resolve(7)), 7);
  const failing = running.settle(new Call(caller), Promise.reject(new Error('no')));
  await assert.rejects(failing, /no/);
  const late = running.settle(new Call(caller), never());
  assert.equal(running.size, 1);
  await assert.rejects(late, ToolError);
  assert.equal(running.size, 0);
});

test('each call has the whole time, also one that begins later', async () => {
  const timeoutMs = 100;
  const running = new RunningCalls(timeoutMs);
  const lasted = async () => {
    const start = performance.now();
    await assert.rejects(running.settle(new Call(caller), never()), ToolError);
    return performance.now() - start;
  };
  const first = lasted();
  await sleep(30);
  const second = lasted();
  assert.ok((await first) >= timeoutMs);
  assert.ok((await second) >= timeoutMs);
  // The timer has to start again after nothing was left to wait for.
  assert.ok((await lasted()) >= timeoutMs);
});

test('one caller has half of all calls, and another one the rest', async () => {
  const running = new RunningCalls(10_000, 4);
  const of = (subject: string): Caller => ({ ...caller, subject, scopes: new Set() });
  const begun: Call[] = [];
  const begin = (who: Caller) => {
    running.requireRoom(who);
    const call = new Call(who);
    begun.push(call);
    running.settle(call, never()).catch(() => {});
  };
  begin(of('greedy'));
  begin(of('greedy'));
  assert.throws(() => begin(of('greedy')), { code: 'too_many_calls', status: 429 });
  begin(of('other'));
  begin(of('other'));
  assert.throws(() => begin(of('other')), { code: 'too_many_calls' });
  begin(caller);
  begun[0]?.abort(new Error('over'));
  begin(of('greedy'));
  running.abortAll();
});

test('the signal tells why a call was aborted, also when it is asked for later', async () => {
  const running = new RunningCalls(10_000);
  const [early, later] = [new Call(caller), new Call(caller)];
  const signal = early.signal;
  const calls = [early, later].map((call) => running.settle(call, never()));
  running.abortAll();
  for (const call of calls) await assert.rejects(call, ServiceError);
  assert.ok(signal.reason instanceof ServiceError);
  assert.ok(later.signal.aborted);
  assert.equal(running.size, 0);
});

test('who asked to hear of the end of a call hears it once, and not after taking that back', () => {
  const peer: Peer & EventEmitter = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableEnded: false,
  });
  const call = new Call(caller, peer);
  const heard: string[] = [];
  call.whenAborted(() => heard.push('one'));
  call.whenAborted(() => heard.push('two'))();
  const { signal } = call;
  peer.emit('close');
  call.abort(new Error('again'));
  assert.deepEqual(heard, ['one']);
  assert.ok(signal.reason instanceof ClientGone);
  call.whenAborted(() => heard.push('late'));
  assert.deepEqual(heard, ['one', 'late']);
});

test('a call whose client has left before it began is over at once', () => {
  const peer = Object.assign(new EventEmitter(), { destroyed: true, writableEnded: false });
  const heard: string[] = [];
  new Call(caller, peer).whenAborted(() => heard.push('gone'));
  assert.deepEqual(heard, ['gone']);
});

test('only the first reason to abort counts', () => {
  const call = new Call(caller);
  call.abort(new Error('one'));
  call.abort(new Error('two'));
  assert.match(String(call.signal.reason), /one/);
});

test('a call that was aborted is over when its work is, which may have an outcome to write', async () => {
  const running = new RunningCalls(10_000);
  const work = Promise.withResolvers<void>();
  const aborted = running.settle(new Call(caller), work.promise);
  running.abortAll();
  await assert.rejects(aborted, /stopping/);
  let over = false;
  const ended = running.ended().then(() => {
    over = true;
  });
  await new Promise(setImmediate);
  assert.equal(over, false);
  work.reject(new Error('given up'));
  await ended;
  await running.ended();
});

test('a call that only waits takes the place of no other one, and has its whole time afterwards', async () => {
  const running = new RunningCalls(100, 2);
  const of = (subject: string): Caller => ({ ...caller, subject, scopes: new Set() });
  const call = new Call(of('one'));
  const news = Promise.withResolvers<number>();
  const waited = running.settle(
    call,
    sleep(0).then(() => call.rest(() => news.promise)),
  );
  assert.equal(running.timed, 1);
  while (running.timed > 0) await sleep(1);
  assert.equal(running.size, 1);
  running.requireRoom(of('one'));
  // Its deadline does not pass while it waits.
  await sleep(150);
  news.resolve(7);
  assert.equal(await waited, 7);
  assert.equal(running.size, 0);

  const left = new Call(of('one'));
  const over = running.settle(left, never());
  left.onRest?.(true);
  running.abortLong();
  await assert.rejects(over, { code: 'stopping' });
  assert.equal(running.size, 0);

  const slow = new Call(of('one'));
  const late = running.settle(slow, never());
  slow.onRest?.(true);
  slow.onRest?.(false);
  assert.equal(running.timed, 1);
  await assert.rejects(late, ToolError);
});

test('what has ended is young: nothing of it waits until everything is collected', async () => {
  const thread = new Worker(new URL('./ended-calls.ts', import.meta.url));
  const [each] = await once(thread, 'message');
  assert.ok(each < 60, `each call has left ${each} bytes among the old objects`);
});

test('a call that is stopped says whether something may have been done, and whether it may be made again', async () => {
  const stopped = async (mayBeDone: Call['mayBeDone']) => {
    const call = new Call(caller);
    call.mayBeDone = mayBeDone;
    try {
      return await new RunningCalls(1).settle(call, never());
    } catch (error) {
      assert.ok(error instanceof ToolError);
      const { message, detail } = error;
      return [message.replace(/^.* and was stopped/, ''), detail.retryable, detail.mayBeDone];
    }
  };
  const unknown = '; what was asked for may have been done';
  assert.deepEqual(await stopped(undefined), ['', true, undefined]);
  assert.deepEqual(await stopped('repeatable'), [unknown, true, true]);
  assert.deepEqual(await stopped('once'), [unknown, false, true]);

  const running = new RunningCalls(10_000);
  const call = new Call(caller);
  call.mayBeDone = 'once';
  const settled = running.settle(call, never());
  running.abortAll();
  await assert.rejects(settled, {
    code: 'upstream_error',
    message: 'the server is stopping; what was asked for may have been done',
    detail: { retryable: false, mayBeDone: true, upstreamCode: 'stopping' },
  });
});
