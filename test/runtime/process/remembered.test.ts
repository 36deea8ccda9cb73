import assert from 'node:assert/strict';
import test from 'node:test';
import { Remembered } from '../../../runtime/process/remembered.ts';

/** Counts how often it is made; the first `failures` attempts fail. */
function counted(failures = 0) {
  let made = 0;
  return new Remembered(async () => {
    made += 1;
    if (made <= failures) throw new Error(`attempt ${made}`);
    return made;
  });
}

test('it is made for the first who asks, and all who ask get the same promise', async () => {
  const value = counted();
  assert.equal(value.get(), value.get());
  assert.equal(await value.get(), 1);
  assert.equal(await value.get(), 1);
});

test('all who waited for a failure hear of it, and the next who asks has it tried again', async () => {
  const value = counted(1);
  const waiting = await Promise.allSettled([value.get(), value.get()]);
  assert.deepEqual(
    waiting.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await value.get(), 2);
});

test('what was forgotten is made anew', async () => {
  const value = counted();
  await value.get();
  value.forget();
  assert.equal(await value.get(), 2);
});

test('a failure that comes late does not undo what was made since', async () => {
  const fail = Promise.withResolvers<string>();
  const answers = [fail.promise, Promise.resolve('new')];
  const value = new Remembered(async () => answers.shift() ?? assert.fail('made a third time'));
  const late = value.get();
  value.forget();
  assert.equal(await value.get(), 'new');
  fail.reject(new Error('late'));
  await assert.rejects(late, /late/);
  assert.equal(await value.get(), 'new');
});
