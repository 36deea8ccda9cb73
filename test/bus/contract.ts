import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { ConsumerDefinition, Delivery } from '#contract/bus/consumer';
import { deadLetterFacts, deadLetterStream } from '#contract/bus/dead-letter';
import type { BusDriver } from '#contract/bus/driver';
import type { StoredMessage } from '#contract/bus/message';
import type { StreamDefinition } from '#contract/bus/stream';
import { keyValueContract } from './key-value-contract.ts';
import { deadLetters, stream } from './streams.ts';

/** A fresh bus with these streams, of which so many drivers are started: each as if in a process. */
export type MakeBus = (
  t: TestContext,
  streams: readonly StreamDefinition[],
  replicas?: number,
) => Promise<readonly BusDriver[]>;

/** Collects what a consumer is given, and lets a test wait for it. */
export class Collected {
  readonly deliveries: Delivery[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly add = (delivery: Delivery): void => {
    this.deliveries.push(delivery);
    for (const look of this.#waiting) look();
  };

  /** Resolves when so many have come; there is no time after which it gives up. */
  async until(count: number): Promise<readonly Delivery[]> {
    const enough = Promise.withResolvers<void>();
    const look = () => {
      if (this.deliveries.length >= count) enough.resolve();
    };
    this.#waiting.push(look);
    look();
    await enough.promise;
    return this.deliveries;
  }

  get texts(): readonly string[] {
    return this.deliveries.map(({ message }) => message.data);
  }
}

const consumer: ConsumerDefinition = { stream: 'TEST', name: 'test_reader' };

/** What holds for every driver. */
export function busContract(name: string, make: MakeBus): void {
  const one = async (t: TestContext, more: Partial<StreamDefinition> = {}) => {
    const [driver] = await make(t, [stream(more), deadLetters]);
    assert.ok(driver);
    return driver;
  };
  const publish = (driver: BusDriver, data: string, subject = 'test.a') =>
    driver.publish({ subject, tenant: 'default', data });

  test(`${name}: what was published is read back as it was`, async (t) => {
    const driver = await one(t);
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
      texts.map((text, index) => publish(index % 2 === 0 ? first : second, text)),
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
    const driver = await one(t);
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

  test(`${name}: nothing is published where the subject has moved on`, async (t) => {
    const driver = await one(t);
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
    const driver = await one(t, { maxMessageBytes: 2000 });
    const cases = [
      ['test.*', 'invalid_params'],
      ['test', 'not_found'],
      ['other.a', 'not_found'],
    ] as const;
    for (const [subject, code] of cases)
      await assert.rejects(publish(driver, '', subject), { code });
    const large = publish(driver, 'ä'.repeat(1000));
    await assert.rejects(large, { code: 'bus_payload_too_large', status: 413 });
    await assert.rejects(driver.read({ stream: 'NONE', limit: 1 }), { code: 'not_found' });
    await assert.rejects(driver.read({ stream: 'TEST', limit: 1, filters: ['a.>.b'] }), {
      code: 'invalid_params',
    });
    assert.equal((await publish(driver, 'a'.repeat(1000))).sequence, 1);
  });

  test(`${name}: pages follow each other without a gap, by subject, tenant and time`, async (t) => {
    const driver = await one(t);
    for (let index = 0; index < 6; index++) {
      const subject = index % 2 === 0 ? 'test.even' : 'test.odd.more';
      await driver.publish({ subject, tenant: index < 4 ? 'acme' : 'globex', data: `${index}` });
    }
    const all = async (query: object) => {
      const texts: string[] = [];
      for (let from: number | undefined = 1; from !== undefined; ) {
        const page: Awaited<ReturnType<BusDriver['read']>> = await driver.read({
          ...{ stream: 'TEST', limit: 2, fromSequence: from, ...query },
        });
        texts.push(...page.messages.map(({ data }) => data));
        from = page.next;
      }
      return texts.join('');
    };
    assert.equal(await all({}), '012345');
    assert.equal(await all({ filters: ['test.*'] }), '024');
    assert.equal(await all({ filters: ['test.odd.>', 'test.even'] }), '012345');
    assert.equal(await all({ filters: ['test.odd.>'], tenant: 'globex' }), '5');
    assert.equal(await all({ filters: ['test.none'] }), '');
    const { messages } = await driver.read({ stream: 'TEST', limit: 10 });
    const third = messages[2]?.storedAt ?? 0;
    const since = messages.filter(({ storedAt }) => storedAt >= third).map(({ data }) => data);
    assert.equal(await all({ fromTime: third }), since.join(''));
    assert.equal(await all({ fromTime: Date.now() + 3_600_000 }), '');
  });

  test(`${name}: whoever follows a stream gets all of it, in order, also what comes later`, async (t) => {
    const [writer, reader] = await make(t, [stream(), deadLetters], 2);
    assert.ok(writer && reader);
    await publish(writer, '0');
    const stop = new AbortController();
    const texts: string[] = [];
    for await (const { data } of reader.follow({ stream: 'TEST' }, stop.signal)) {
      texts.push(data);
      if (texts.length === 5) stop.abort();
      else await publish(writer, String(texts.length));
    }
    assert.deepEqual(texts, ['0', '1', '2', '3', '4']);
  });

  test(`${name}: a consumer gets all that it wants in order, and goes on where it was`, async (t) => {
    const driver = await one(t);
    for (const text of ['0', '1', '2']) await publish(driver, text);
    await publish(driver, 'other', 'test.b');
    const first = new Collected();
    const wanted = { ...consumer, filter: 'test.a' };
    const running = await driver.consume(wanted, async (delivery) => first.add(delivery));
    await first.until(3);
    await running.stop();
    assert.deepEqual(first.texts, ['0', '1', '2']);
    assert.deepEqual(
      first.deliveries.map(({ deliveries }) => deliveries),
      [1, 1, 1],
    );
    await publish(driver, '3');
    const second = new Collected();
    const again = await driver.consume(wanted, async (delivery) => second.add(delivery));
    await second.until(1);
    await publish(driver, '4');
    await second.until(2);
    await again.stop();
    assert.deepEqual(second.texts, ['3', '4']);
    const state = (await driver.states()).find(({ name: each }) => each === 'TEST');
    const { pending, name: id } = state?.consumers[0] ?? {};
    assert.deepEqual([pending, id], [0, 'test_reader']);
  });

  test(`${name}: a consumer that begins with what is new is not given what is old`, async (t) => {
    const driver = await one(t);
    await publish(driver, 'old');
    const got = new Collected();
    const running = await driver.consume({ ...consumer, begin: 'new' }, async (delivery) =>
      got.add(delivery),
    );
    await publish(driver, 'new');
    await got.until(1);
    await running.stop();
    assert.deepEqual(got.texts, ['new']);
  });

  test(`${name}: processes share the messages of one consumer`, async (t) => {
    const replicas = await make(t, [stream(), deadLetters], 2);
    const got = new Collected();
    const running = await Promise.all(
      replicas.map((driver) => driver.consume(consumer, async (delivery) => got.add(delivery))),
    );
    const [driver] = replicas;
    assert.ok(driver);
    const texts = Array.from({ length: 100 }, (_, index) => String(index));
    await Promise.all(texts.map((text) => publish(driver, text)));
    await got.until(100);
    await Promise.all(running.map((each) => each.stop()));
    assert.deepEqual(got.texts.toSorted(), texts.toSorted());
  });

  test(`${name}: what failed comes again, and in the end lies with the dead letters`, async (t) => {
    const driver = await one(t);
    await driver.publish({
      subject: 'test.a',
      tenant: 'acme',
      data: 'bad',
      id: 'x',
      headers: { a: 'b' },
    });
    await publish(driver, 'good');
    const got = new Collected();
    const running = await driver.consume(
      { ...consumer, backoffMs: [1], maxDeliver: 3 },
      async (delivery) => {
        got.add(delivery);
        if (delivery.message.data === 'bad') throw new Error('no');
      },
    );
    const letter = await firstLetter(driver);
    await got.until(4);
    await running.stop();
    const bad = got.deliveries.filter(({ message }) => message.data === 'bad');
    assert.deepEqual(
      bad.map(({ deliveries }) => deliveries),
      [1, 2, 3],
    );
    const { data, tenant, headers, subject } = letter;
    assert.deepEqual([data, tenant, headers['a']], ['bad', 'acme', 'b']);
    assert.equal(subject, 'service_dlq.TEST.test_reader');
    const { reason, ...facts } = deadLetterFacts(letter) ?? { reason: '' };
    assert.deepEqual(facts, {
      ...{ stream: 'TEST', subject: 'test.a', consumer: 'test_reader', sequence: 1, deliveries: 3 },
    });
    assert.match(reason, /3 deliveries/);
  });

  test(`${name}: what is terminated is a dead letter at once`, async (t) => {
    const driver = await one(t);
    await publish(driver, 'poison');
    let handled = 0;
    const running = await driver.consume(consumer, async ({ term }) => {
      handled += 1;
      await term('it is poison');
    });
    const letter = await firstLetter(driver);
    await running.stop();
    const { deliveries, reason } = deadLetterFacts(letter) ?? {};
    assert.deepEqual([handled, deliveries, reason], [1, 1, 'it is poison']);
  });

  test(`${name}: whoever says nothing is given the message again, unless it says that it works`, async (t) => {
    const driver = await one(t);
    await publish(driver, 'slow');
    const got = new Collected();
    const running = await driver.consume(
      { ...consumer, ackWaitMs: 200, parallel: 2 },
      async (delivery) => {
        got.add(delivery);
        // The first one never ends by itself.
        if (delivery.deliveries === 1) await got.until(2);
      },
    );
    const deliveries = await got.until(2);
    await running.stop();
    assert.deepEqual(
      deliveries.map(({ deliveries: count }) => count),
      [1, 2],
    );
  });

  test(`${name}: a delay is waited for, and an acknowledgement is final`, async (t) => {
    const driver = await one(t);
    await publish(driver, 'later');
    const times: number[] = [];
    const twice = Promise.withResolvers<void>();
    const running = await driver.consume(consumer, async ({ nak, ack }) => {
      times.push(performance.now());
      if (times.length === 1) return nak(300);
      await ack();
      // Too late to change it.
      await nak(0);
      twice.resolve();
    });
    await twice.promise;
    await running.stop();
    const [first = 0, second = 0] = times;
    assert.ok(second - first >= 290, `it came back after ${second - first} ms`);
    assert.equal((await driver.read({ stream: deadLetterStream, limit: 1 })).messages.length, 0);
    const got = new Collected();
    const again = await driver.consume(consumer, async (delivery) => got.add(delivery));
    await publish(driver, 'next');
    await got.until(1);
    await again.stop();
    assert.deepEqual(got.texts, ['next']);
  });

  test(`${name}: no more is given out than may be unacknowledged`, async (t) => {
    const driver = await one(t);
    await Promise.all(Array.from({ length: 10 }, (_, index) => publish(driver, String(index))));
    const got = new Collected();
    const open = Promise.withResolvers<void>();
    const running = await driver.consume(
      { ...consumer, maxAckPending: 3, parallel: 10 },
      async (delivery) => {
        got.add(delivery);
        await open.promise;
      },
    );
    await got.until(3);
    await publish(driver, 'one more');
    const state = (await driver.states()).find(({ name: each }) => each === 'TEST');
    assert.equal(state?.consumers[0]?.pending, 3);
    assert.equal(got.deliveries.length, 3);
    open.resolve();
    await got.until(11);
    await running.stop();
  });

  test(`${name}: a consumer that is removed begins anew`, async (t) => {
    const driver = await one(t);
    await publish(driver, '0');
    for (let round = 0; round < 2; round++) {
      const got = new Collected();
      const running = await driver.consume(consumer, async (delivery) => got.add(delivery));
      await got.until(1);
      await running.stop();
      assert.equal(await driver.removeConsumer('TEST', 'test_reader'), true);
    }
    assert.equal(await driver.removeConsumer('TEST', 'test_reader'), false);
  });

  test(`${name}: a stream that is full loses its oldest messages, or takes no more`, async (t) => {
    const full = { maxBytes: 5000, maxMessageBytes: 5000 };
    const other = stream({ ...full, name: 'KEPT', subjects: ['kept.>'], discard: 'new' });
    const [driver] = await make(t, [stream(full), other, deadLetters]);
    assert.ok(driver);
    const text = 'a'.repeat(1000);
    for (let index = 0; index < 8; index++) await publish(driver, text);
    const { messages, lastSequence } = await driver.read({ stream: 'TEST', limit: 100 });
    assert.equal(lastSequence, 8);
    assert.equal(messages.at(-1)?.sequence, 8);
    assert.ok(messages.length > 1 && messages.length < 5, `${messages.length} are left`);
    const refused = (async () => {
      for (;;) await publish(driver, text, 'kept.a');
    })();
    await assert.rejects(refused, { code: 'bus_backpressure', status: 503 });
    const kept = await driver.read({ stream: 'KEPT', limit: 100 });
    assert.equal(kept.messages[0]?.sequence, 1);
  });

  test(`${name}: a message that is removed is not read any more, and its number is not given again`, async (t) => {
    const driver = await one(t);
    for (const text of ['0', '1', '2']) await publish(driver, text);
    assert.equal(await driver.remove('TEST', 2), true);
    assert.equal(await driver.remove('TEST', 2), false);
    await driver.remove('TEST', 3);
    assert.equal((await publish(driver, '3')).sequence, 4);
    const { messages } = await driver.read({ stream: 'TEST', limit: 10 });
    assert.deepEqual(
      messages.map(({ data }) => data),
      ['0', '3'],
    );
  });

  test(`${name}: a batch is published in its order up to what cannot be`, async (t) => {
    const driver = await one(t, { maxMessageBytes: 2000 });
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

  keyValueContract(name, make);
}

async function firstLetter(driver: BusDriver): Promise<StoredMessage> {
  const stop = new AbortController();
  for await (const letter of driver.follow({ stream: deadLetterStream }, stop.signal))
    return letter;
  throw new Error('the stream of the dead letters has ended');
}
