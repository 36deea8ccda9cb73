import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { KeyValue, KeyValueChange } from '#contract/bus/key-value';
import type { MakeBus } from './make-bus.ts';
import { deadLetters } from './streams.ts';

const definition = { name: 'TEST_STATE', history: 3, maxBytes: 10_000_000 };

/** What holds for state that replicas share. */
export function keyValueContract(name: string, make: MakeBus): void {
  const bucket = async (t: TestContext): Promise<KeyValue> => {
    const [driver] = await make(t, [deadLetters]);
    assert.ok(driver);
    return driver.bucket(definition);
  };

  test(`${name}: a value is read as it was written, and is gone when it is deleted`, async (t) => {
    const state = await bucket(t);
    assert.equal(await state.get('a.b'), undefined);
    const revision = await state.put('a.b', 'ü "1"');
    const entry = await state.get('a.b');
    assert.deepEqual([entry?.key, entry?.value, entry?.revision], ['a.b', 'ü "1"', revision]);
    await state.put('a.b', '');
    assert.equal((await state.get('a.b'))?.value, '');
    await state.delete('a.b');
    assert.equal(await state.get('a.b'), undefined);
    await assert.rejects(state.get('a.*'), { code: 'invalid_params' });
    await assert.rejects(state.put('', 'x'), { code: 'invalid_params' });
  });

  test(`${name}: of those who write after the same revision, one succeeds`, async (t) => {
    const state = await bucket(t);
    const conflict = { code: 'conflict', status: 409 };
    const made = await Promise.allSettled([1, 2, 3].map((each) => state.create('a', `${each}`)));
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
    const { revision = 0 } = (await state.get('a')) ?? {};
    const next = await state.update('a', 'next', revision);
    assert.ok(next > revision);
    await assert.rejects(state.update('a', 'late', revision), conflict);
    await assert.rejects(state.create('a', 'again'), conflict);
    await assert.rejects(state.delete('a', revision), conflict);
    await state.delete('a', next);
    await assert.rejects(state.update('a', 'gone', next), conflict);
    const mark = (await state.history('a')).at(-1)?.revision ?? 0;
    await assert.rejects(state.update('a', 'back', mark), conflict);
    assert.ok((await state.create('a', 'anew')) > next);
    await assert.rejects(state.update('none', 'x', 1), conflict);
  });

  test(`${name}: as many changes of a key are kept as the bucket says`, async (t) => {
    const state = await bucket(t);
    for (const value of ['1', '2', '3', '4']) await state.put('a', value);
    await state.delete('a');
    await state.put('b', '1');
    const history = await state.history('a');
    assert.deepEqual(
      history.map((change) => (change.kind === 'put' ? change.value : change.kind)),
      ['3', '4', 'delete'],
    );
    assert.deepEqual(await state.keys(), ['b']);
    await state.put('c.d', '1');
    assert.deepEqual((await state.keys('c.>')).toSorted(), ['c.d']);
  });

  test(`${name}: a watcher hears of what is there and of every change, in order`, async (t) => {
    const [writer, reader] = await make(t, [deadLetters], 2);
    assert.ok(writer && reader);
    const state = writer.bucket(definition);
    await state.put('a.1', 'there');
    await state.put('b.1', 'other');
    await state.put('a.2', 'gone');
    await state.delete('a.2');
    const stop = new AbortController();
    const heard: KeyValueChange[] = [];
    for await (const change of reader.bucket(definition).watch(stop.signal, 'a.*')) {
      heard.push(change);
      if (heard.length === 1) await state.put('a.2', 'back');
      if (heard.length === 2) {
        await state.put('b.1', 'not wanted');
        await state.delete('a.1');
      }
      if (heard.length === 3) stop.abort();
    }
    assert.deepEqual(
      heard.map((change) => [change.key, change.kind === 'put' ? change.value : change.kind]),
      [
        ['a.1', 'there'],
        ['a.2', 'back'],
        ['a.1', 'delete'],
      ],
    );
  });
}
