import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { gathered } from '../../../../runtime/surfaces/identity/records/gathered.ts';

/** Reads that the test answers itself, in the order in which they were begun. */
function reads() {
  const begun: { readonly keys: readonly string[]; answer(): void; fail(): void }[] = [];
  const find = gathered((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
    const there = keys.filter((key) => key !== 'nobody');
    begun.push({
      keys,
      answer: () => resolve(new Map(there.map((key) => [key, `row of ${key}`]))),
      fail: () => reject(new Error('the database is away')),
    });
    return promise;
  });
  return { begun, find };
}

test('what is asked for while a read is under way comes with the next one', async () => {
  const { begun, find } = reads();
  const first = find('a');
  const later = ['b', 'c', 'nobody'].map(find);
  // Asked for again: what was read before is too old for it.
  const again = find('a');
  const twice = find('a');
  assert.deepEqual(
    begun.map(({ keys }) => keys),
    [['a']],
  );
  begun[0]?.answer();
  assert.equal(await first, 'row of a');
  await turn();
  assert.deepEqual(begun[1]?.keys, ['b', 'c', 'nobody', 'a']);
  begun[1]?.answer();
  assert.deepEqual(await Promise.all(later), ['row of b', 'row of c', undefined]);
  assert.deepEqual(await Promise.all([again, twice]), ['row of a', 'row of a']);
  assert.equal(begun.length, 2);
});

test('a read asks for a power of two of keys, and for 64 at most', async () => {
  const { begun, find } = reads();
  const first = find('first');
  const keys = Array.from({ length: 67 }, (_, index) => `key ${index}`);
  const found = keys.map(find);
  begun[0]?.answer();
  await first;
  await turn();
  assert.deepEqual(begun[1]?.keys, keys.slice(0, 64));
  begun[1]?.answer();
  await found[0];
  await turn();
  assert.deepEqual(begun[2]?.keys, [...keys.slice(64), 'key 66']);
  begun[2]?.answer();
  assert.deepEqual(
    await Promise.all(found),
    keys.map((key) => `row of ${key}`),
  );
});

test('a read that fails is told to those whose it was, and the next one goes on', async () => {
  const { begun, find } = reads();
  const failing = find('a');
  const next = find('b');
  begun[0]?.fail();
  await assert.rejects(failing, /the database is away/);
  await turn();
  begun[1]?.answer();
  assert.equal(await next, 'row of b');
  await turn();
  const idle = find('c');
  begun[2]?.answer();
  assert.equal(await idle, 'row of c');
});
