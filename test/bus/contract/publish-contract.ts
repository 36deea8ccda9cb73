import assert from 'node:assert/strict';
import test from 'node:test';
import { type MakeBus, oneDriver, say } from './make-bus.ts';
import { deadLetters, stream } from './streams.ts';

/** What holds for what is published, at every driver. */
export function publishContract(name: string, make: MakeBus): void {
  test(`${name}: what was published is read back as it was`, async (t) => {
    const driver = await oneDriver(make, t);
    const headers = { 'ce-type': 'a.b.v1', 'ce-subject': 'W%C3%B6rker' };
    const data = '{"text":"ü\u{1F600}\\u0000\\n"}';
    const receipt = await driver.publish({
      subject: 'test.a',
      tenant: 'acme',
      data,
      id: '1',
      headers,
    });
    assert.deepEqual(receipt, { stream: 'TEST', sequence: 1, duplicate: false });
    const before = Date.now();
    const { messages, next, lastSequence } = await driver.read({ stream: 'TEST', limit: 10 });
    const [{ storedAt, ...message } = { storedAt: 0 }] = messages;
    assert.deepEqual(message, {
      ...{ stream: 'TEST', sequence: 1, subject: 'test.a', tenant: 'acme', id: '1', headers, data },
    });
    assert.ok(Math.abs(before - storedAt) < 3_600_000, `stored at ${storedAt}`);
    assert.deepEqual([next, lastSequence, messages.length], [undefined, 1, 1]);
  });

  test(`${name}: sequences are those of one stream, however many publish at a time`, async (t) => {
    const [first, second] = await make(t, [stream(), deadLetters], 2);
    assert.ok(first && second);
    const texts = Array.from({ length: 200 }, (_, index) => String(index));
    const receipts = await Promise.all(
      texts.map((text, index) => say(index % 2 === 0 ? first : second, text)),
    );
    const sequences = receipts.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
    assert.deepEqual(
      sequences,
      texts.map((_, index) => index + 1),
    );
    const { messages } = await second.read({ stream: 'TEST', limit: 1000 });
    for (const { data, sequence } of messages) {
      assert.equal(receipts[Number(data)]?.sequence, sequence);
    }
  });

  test(`${name}: the same id within the window is the same message`, async (t) => {
    const driver = await oneDriver(make, t);
    const message = { subject: 'test.a', tenant: 'default', id: 'same' };
    const first = await driver.publish({ ...message, data: 'first' });
    assert.deepEqual(await driver.publish({ ...message, data: 'again' }), {
      ...first,
      duplicate: true,
    });
    const both = await Promise.all(
      ['one', 'two'].map((data) => driver.publish({ ...message, id: 'other', data })),
    );
    assert.deepEqual(both.map(({ duplicate }) => duplicate).sort(), [false, true]);
    const { messages } = await driver.read({ stream: 'TEST', limit: 10 });
    assert.equal(messages.length, 2);
    assert.equal(messages[0]?.data, 'first');
  });

  test(`${name}: the same id of another tenant is another message`, async (t) => {
    const driver = await oneDriver(make, t);
    const say = (tenant: string, id: string) =>
      driver.publish({ subject: 'test.a', tenant, id, data: `${tenant} ${id}` });
    const whose = [
      ['acme', 'same'],
      ['globex', 'same'],
      ['default', 'same'],
      // What it would be if tenant and id were put together.
      ['default', 'acme/same'],
      ['acme', 'acme/same'],
      ['globex', 'a%0Ab'],
    ] as const;
    const receipts = [];
    for (const [tenant, id] of whose) receipts.push(await say(tenant, id));
    assert.deepEqual(
      receipts.map(({ sequence, duplicate }) => [sequence, duplicate]),
      whose.map((_, index) => [index + 1, false]),
    );
    for (const [index, [tenant, id]] of whose.entries()) {
      assert.deepEqual(await say(tenant, id), { ...receipts[index], duplicate: true });
    }
    const batch = await driver.publishAll(
      ['acme', 'globex', 'acme'].map((tenant) => {
        return { subject: 'test.a', tenant, id: 'batch', data: tenant };
      }),
    );
    assert.deepEqual(
      batch.receipts.map(({ duplicate }) => duplicate),
      [false, false, true],
    );
    const { messages } = await driver.read({ stream: 'TEST', limit: 20 });
    assert.deepEqual(
      messages.map(({ tenant, id }) => [tenant, id]),
      [...whose, ['acme', 'batch'], ['globex', 'batch']],
    );
  });

  test(`${name}: nothing is published where the subject has moved on`, async (t) => {
    const driver = await oneDriver(make, t);
    const expecting = (expectedLastSequence: number, subject = 'test.a') =>
      driver.publish({ subject, tenant: 'default', data: '', expectedLastSequence });
    await assert.rejects(expecting(1), { code: 'conflict', status: 409 });
    assert.equal((await expecting(0)).sequence, 1);
    assert.equal((await expecting(0, 'test.b')).sequence, 2);
    assert.equal((await expecting(1)).sequence, 3);
    await assert.rejects(expecting(1), { code: 'conflict' });
    const rivals = await Promise.allSettled(Array.from({ length: 5 }, () => expecting(3)));
    assert.equal(rivals.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test(`${name}: what no stream takes is refused with what is wrong`, async (t) => {
    const driver = await oneDriver(make, t, { maxMessageBytes: 2000 });
    const cases = [
      ['test.*', 'invalid_params'],
      ['test', 'not_found'],
      ['other.a', 'not_found'],
    ] as const;
    for (const [subject, code] of cases) await assert.rejects(say(driver, '', subject), { code });
    const large = say(driver, 'ä'.repeat(1000));
    await assert.rejects(large, { code: 'bus_payload_too_large', status: 413 });
    await assert.rejects(driver.read({ stream: 'NONE', limit: 1 }), { code: 'not_found' });
    await assert.rejects(driver.read({ stream: 'TEST', limit: 1, filters: ['a.>.b'] }), {
      code: 'invalid_params',
    });
    assert.equal((await say(driver, 'a'.repeat(1000))).sequence, 1);
  });

  test(`${name}: a stream that is full loses its oldest messages, or takes no more`, async (t) => {
    const full = { maxBytes: 5000, maxMessageBytes: 5000 };
    const other = stream({ ...full, name: 'KEPT', subjects: ['kept.>'], discard: 'new' });
    const [driver] = await make(t, [stream(full), other, deadLetters]);
    assert.ok(driver);
    const text = 'a'.repeat(1000);
    for (let index = 0; index < 8; index++) await say(driver, text);
    const { messages, lastSequence } = await driver.read({ stream: 'TEST', limit: 100 });
    assert.equal(lastSequence, 8);
    assert.equal(messages.at(-1)?.sequence, 8);
    assert.ok(messages.length > 1 && messages.length < 5, `${messages.length} are left`);
    const refused = (async () => {
      for (;;) await say(driver, text, 'kept.a');
    })();
    await assert.rejects(refused, { code: 'bus_backpressure', status: 503 });
    const kept = await driver.read({ stream: 'KEPT', limit: 100 });
    assert.equal(kept.messages[0]?.sequence, 1);
  });

  test(`${name}: a message that is removed is not read any more, and its number is not given again`, async (t) => {
    const driver = await oneDriver(make, t);
    for (const text of ['0', '1', '2']) await say(driver, text);
    assert.equal(await driver.remove('TEST', 2), true);
    assert.equal(await driver.remove('TEST', 2), false);
    await driver.remove('TEST', 3);
    assert.equal((await say(driver, '3')).sequence, 4);
    const { messages } = await driver.read({ stream: 'TEST', limit: 10 });
    assert.deepEqual(
      messages.map(({ data }) => data),
      ['0', '3'],
    );
  });

  test(`${name}: a batch is published in its order up to what cannot be`, async (t) => {
    const driver = await oneDriver(make, t, { maxMessageBytes: 2000 });
    const message = (data: string) => ({ subject: 'test.a', tenant: 'default', data, id: data });
    const texts = ['0', '1', '2'].map(message);
    const { receipts, failure } = await driver.publishAll(texts);
    assert.deepEqual(
      receipts.map(({ sequence }) => sequence),
      [1, 2, 3],
    );
    assert.equal(failure, undefined);
    const long = message('a'.repeat(3000));
    const stopped = await driver.publishAll([message('2'), message('3'), long, message('4')]);
    assert.deepEqual(
      stopped.receipts.map(({ duplicate }) => duplicate),
      [true, false],
    );
    assert.equal((stopped.failure as { code?: string }).code, 'bus_payload_too_large');
    const { messages } = await driver.read({ stream: 'TEST', limit: 10 });
    assert.deepEqual(
      messages.map(({ data }) => data),
      ['0', '1', '2', '3'],
    );
  });

  test(`${name}: a batch keeps its order while others publish to the same stream`, async (t) => {
    const [first, second] = await make(t, [stream(), deadLetters], 2);
    assert.ok(first && second);
    const texts = Array.from({ length: 150 }, (_, index) => String(index));
    const batch = texts.map((data) => ({ subject: 'test.a', tenant: 'default', data, id: data }));
    const rivals = texts.slice(0, 30).map((text) => () => say(second, text, 'test.rival'));
    const [{ receipts, failure }] = await Promise.all([
      first.publishAll(batch),
      // One after the other, so that they come in between.
      rivals.reduce((before, next) => before.then(next).then(() => {}), Promise.resolve()),
    ]);
    assert.equal(failure, undefined);
    assert.equal(receipts.length, texts.length);
    const { messages } = await first.read({ stream: 'TEST', limit: 1000, filters: ['test.a'] });
    assert.deepEqual(
      messages.map(({ data }) => data),
      texts,
    );
  });
}
