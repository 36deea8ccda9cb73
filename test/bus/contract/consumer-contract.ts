import assert from 'node:assert/strict';
import test from 'node:test';
import type { ConsumerDefinition } from '#contract/bus/consumer';
import { deadLetterFacts, deadLetterStream } from '#contract/bus/dead-letter';
import type { BusDriver } from '#contract/bus/driver';
import type { StoredMessage } from '#contract/bus/message';
import { Collected } from './collected.ts';
import { type MakeBus, oneDriver, say } from './make-bus.ts';
import { deadLetters, stream } from './streams.ts';

const consumer: ConsumerDefinition = { stream: 'TEST', name: 'test_reader' };

/** What holds for durable consumers, at every driver. */
export function consumerContract(name: string, make: MakeBus): void {
  test(`${name}: a consumer gets all that it wants in order, and goes on where it was`, async (t) => {
    const driver = await oneDriver(make, t);
    for (const text of ['0', '1', '2']) await say(driver, text);
    await say(driver, 'other', 'test.b');
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
    await say(driver, '3');
    const second = new Collected();
    const again = await driver.consume(wanted, async (delivery) => second.add(delivery));
    await second.until(1);
    await say(driver, '4');
    await second.until(2);
    await again.stop();
    assert.deepEqual(second.texts, ['3', '4']);
    const state = (await driver.states()).find(({ name: each }) => each === 'TEST');
    const { pending, name: id } = state?.consumers[0] ?? {};
    assert.deepEqual([pending, id], [0, 'test_reader']);
  });

  test(`${name}: a consumer that begins with what is new is not given what is old`, async (t) => {
    const driver = await oneDriver(make, t);
    await say(driver, 'old');
    const got = new Collected();
    const running = await driver.consume({ ...consumer, begin: 'new' }, async (delivery) =>
      got.add(delivery),
    );
    await say(driver, 'new');
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
    await Promise.all(texts.map((text) => say(driver, text)));
    await got.until(100);
    await Promise.all(running.map((each) => each.stop()));
    assert.deepEqual(got.texts.toSorted(), texts.toSorted());
  });

  test(`${name}: what failed comes again, and in the end lies with the dead letters`, async (t) => {
    const driver = await oneDriver(make, t);
    await driver.publish({
      subject: 'test.a',
      tenant: 'acme',
      data: 'bad',
      id: 'x',
      headers: { a: 'b' },
    });
    await say(driver, 'good');
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
    const driver = await oneDriver(make, t);
    await say(driver, 'poison');
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
    const driver = await oneDriver(make, t);
    await say(driver, 'slow');
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
    const driver = await oneDriver(make, t);
    await say(driver, 'later');
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
    await say(driver, 'next');
    await got.until(1);
    await again.stop();
    assert.deepEqual(got.texts, ['next']);
  });

  test(`${name}: no more is given out than may be unacknowledged`, async (t) => {
    const driver = await oneDriver(make, t);
    await Promise.all(Array.from({ length: 10 }, (_, index) => say(driver, String(index))));
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
    await say(driver, 'one more');
    const state = (await driver.states()).find(({ name: each }) => each === 'TEST');
    assert.equal(state?.consumers[0]?.pending, 3);
    assert.equal(got.deliveries.length, 3);
    open.resolve();
    await got.until(11);
    await running.stop();
  });

  test(`${name}: a consumer that is removed begins anew`, async (t) => {
    const driver = await oneDriver(make, t);
    await say(driver, '0');
    for (let round = 0; round < 2; round++) {
      const got = new Collected();
      const running = await driver.consume(consumer, async (delivery) => got.add(delivery));
      await got.until(1);
      await running.stop();
      assert.equal(await driver.removeConsumer('TEST', 'test_reader'), true);
    }
    assert.equal(await driver.removeConsumer('TEST', 'test_reader'), false);
  });
}

async function firstLetter(driver: BusDriver): Promise<StoredMessage> {
  const stop = new AbortController();
  for await (const letter of driver.follow({ stream: deadLetterStream }, stop.signal))
    return letter;
  throw new Error('the stream of the dead letters has ended');
}
