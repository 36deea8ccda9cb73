import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { ConsumerDefinition, Delivery } from '#contract/bus/consumer';
import { deadLetterFacts, deadLetterStream } from '#contract/bus/dead-letter';
import type { BusDriver } from '#contract/bus/driver';
import type { KeyValue } from '#contract/bus/key-value';
import { matches } from '#contract/bus/subject';
import type { MakeBus } from './make-bus.ts';
import { deadLetters, stream } from './streams.ts';

/** What a message asks of whoever handles it, and how often it is delivered then. */
const fates = { good: 1, fails: 3, recovers: 2, poison: 1 } as const;
type Fate = keyof typeof fates;

const maxDeliver = 3;
const filters = { all: '>', some: 'test.a', many: 'test.b.>' } as const;
type ConsumerName = keyof typeof filters;

interface Kept {
  readonly sequence: number;
  readonly subject: string;
  readonly id: string;
  readonly data: Fate;
  readonly isRemoved: boolean;
}

/** What a bus should know, in memory. */
interface Model {
  messages: Kept[];
  /** Up to where each consumer has come. */
  delivered: Partial<Record<ConsumerName, number>>;
  letters: string[];
  /** The newest change of each key; a deletion has no value. */
  readonly state: Map<string, { readonly revision: number; readonly value: string | undefined }>;
  newestRevision: number;
}

interface Real {
  readonly driver: BusDriver;
  readonly bucket: KeyValue;
}

type Command = fc.AsyncCommand<Model, Real>;

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

const alive = ({ messages }: Model) => messages.filter(({ isRemoved }) => !isRemoved);

function newestOf(model: Model, subject: string): number {
  return alive(model).findLast((each) => each.subject === subject)?.sequence ?? 0;
}

function publish(subject: string, data: Fate, id: string, expected: number | undefined): Command {
  return command(`publish ${subject} ${data} ${id} ${expected}`, async (model, { driver }) => {
    const message = { subject, tenant: 'default', data, id };
    const there = model.messages.find((each) => each.id === id && !each.isRemoved);
    // JetStream remembers ids of what was removed, and the store does not: nobody may rely on either.
    if (there === undefined && model.messages.some((each) => each.id === id)) return;
    // NATS 2.9 takes a subject whose newest message was removed for an empty one, others do not.
    const last = model.messages.findLast((each) => each.subject === subject);
    if (expected !== undefined && last?.isRemoved === true) return;
    const newest = newestOf(model, subject);
    const wanted = expected === undefined ? {} : { expectedLastSequence: newest + expected };
    if (there !== undefined) {
      if (expected !== undefined) return;
      const { sequence } = there;
      assert.deepEqual(await driver.publish(message), {
        stream: 'TEST',
        sequence,
        duplicate: true,
      });
      return;
    }
    if (expected !== undefined && expected !== 0) {
      await assert.rejects(driver.publish({ ...message, ...wanted }), { code: 'conflict' });
      return;
    }
    const sequence = model.messages.length + 1;
    const receipt = await driver.publish({ ...message, ...wanted });
    assert.deepEqual(receipt, { stream: 'TEST', sequence, duplicate: false });
    model.messages.push({ sequence, subject, id, data, isRemoved: false });
  });
}

function remove(place: number): Command {
  return command(`remove ${place}`, async (model, { driver }) => {
    const sequence = 1 + (place % (model.messages.length + 1));
    const isThere = alive(model).some((each) => each.sequence === sequence);
    assert.equal(await driver.remove('TEST', sequence), isThere);
    model.messages = model.messages.map((each) =>
      each.sequence === sequence ? { ...each, isRemoved: true } : each,
    );
  });
}

function read(from: number, filter: string, limit: number): Command {
  return command(`read ${from} ${filter} ${limit}`, async (model, { driver }) => {
    const fromSequence = 1 + (from % (model.messages.length + 1));
    const wanted = alive(model).filter(
      ({ sequence, subject }) => sequence >= fromSequence && matches(filter, subject),
    );
    const page = await driver.read({ stream: 'TEST', fromSequence, filters: [filter], limit });
    assert.deepEqual(
      page.messages.map(({ sequence, data }) => [sequence, data]),
      wanted.slice(0, limit).map(({ sequence, data }) => [sequence, data]),
    );
    assert.equal(page.lastSequence, model.messages.length);
    const next = wanted[limit]?.sequence;
    if (next !== undefined) {
      const reached = page.next ?? Infinity;
      assert.ok(reached <= next, `the page goes on at ${reached}, and ${next} is left`);
    }
  });
}

function consume(name: ConsumerName): Command {
  return command(`consume ${name}`, async (model, { driver }) => {
    const from = model.delivered[name] ?? 0;
    const wanted = alive(model).filter(
      ({ sequence, subject }) => sequence > from && matches(filters[name], subject),
    );
    const expected = wanted.flatMap(({ sequence, data }) =>
      Array.from({ length: fates[data] }, (_, index) => `${sequence}/${index + 1}`),
    );
    const given: string[] = [];
    const enough = Promise.withResolvers<void>();
    if (expected.length === 0) enough.resolve();
    const definition: ConsumerDefinition = {
      ...{
        stream: 'TEST',
        name: `test_${name}`,
        filter: filters[name],
        maxDeliver,
        backoffMs: [0],
      },
    };
    const running = await driver.consume(definition, async (delivery) => {
      given.push(`${delivery.message.sequence}/${delivery.deliveries}`);
      if (given.length >= expected.length) enough.resolve();
      await meet(delivery);
    });
    await enough.promise;
    await running.stop();
    assert.deepEqual(given.toSorted(), expected.toSorted());
    const firsts = given.filter((each) => each.endsWith('/1'));
    assert.deepEqual(
      firsts,
      expected.filter((each) => each.endsWith('/1')),
    );
    model.delivered = { ...model.delivered, [name]: model.messages.length };
    model.letters.push(
      ...wanted
        .filter(({ data }) => data === 'fails' || data === 'poison')
        .map(({ sequence }) => `test_${name}/${sequence}`),
    );
    const page = await driver.read({ stream: deadLetterStream, limit: 1000 });
    const letters = page.messages.map((letter) => {
      const { consumer, sequence } = deadLetterFacts(letter) ?? {};
      return `${consumer}/${sequence}`;
    });
    assert.deepEqual(letters.toSorted(), model.letters.toSorted());
  });
}

async function meet({ message, deliveries, term }: Delivery): Promise<void> {
  if (message.data === 'poison') return term();
  if (message.data === 'fails' || (message.data === 'recovers' && deliveries === 1)) {
    throw new Error('not now');
  }
}

/** Write to a key: whatever is there, where nothing is, or after a revision. */
function write(key: string, value: string, how: 'put' | 'create' | 'update' | 'late'): Command {
  return command(`${how} ${key}`, async (model, { bucket }) => {
    const found = model.state.get(key);
    const isThere = found?.value !== undefined;
    const fits = { put: true, create: !isThere, update: isThere, late: false }[how];
    const at = (found?.revision ?? 1) + (how === 'late' ? 1 : 0);
    const act = () => {
      if (how === 'put') return bucket.put(key, value);
      if (how === 'create') return bucket.create(key, value);
      return bucket.update(key, value, at);
    };
    if (!fits) {
      await assert.rejects(act(), { code: 'conflict' });
      return;
    }
    const revision = await act();
    assert.ok(revision > model.newestRevision, `${revision} after ${model.newestRevision}`);
    model.newestRevision = revision;
    model.state.set(key, { revision, value });
  });
}

function forget(key: string): Command {
  return command(`delete ${key}`, async (model, { bucket }) => {
    const { revision = 0 } = model.state.get(key) ?? {};
    if (revision === 0) return;
    await bucket.delete(key, revision);
    const [last] = (await bucket.history(key)).slice(-1);
    assert.equal(last?.kind, 'delete');
    model.newestRevision = last.revision;
    model.state.set(key, { revision: last.revision, value: undefined });
  });
}

function look(key: string): Command {
  return command(`look ${key}`, async (model, { bucket }) => {
    const found = model.state.get(key);
    const entry = await bucket.get(key);
    assert.deepEqual(
      [entry?.value, entry?.value && entry.revision],
      [found?.value, found?.value && found.revision],
    );
    const keys = [...model.state].flatMap(([each, { value }]) =>
      value === undefined ? [] : [each],
    );
    assert.deepEqual((await bucket.keys()).toSorted(), keys.toSorted());
  });
}

const subject = fc.constantFrom('test.a', 'test.b.one', 'test.b.two');
const key = fc.constantFrom('a', 'b.c');
const number = fc.nat({ max: 20 });

const commands = fc.commands(
  [
    fc
      .tuple(
        subject,
        fc.constantFrom(...(Object.keys(fates) as Fate[])),
        fc.nat({ max: 30 }).map(String),
        fc.option(fc.nat({ max: 1 }), { nil: undefined, freq: 4 }),
      )
      .map((given) => publish(...given)),
    number.map(remove),
    fc
      .tuple(number, fc.constantFrom('>', 'test.*', 'test.b.>'), fc.integer({ min: 1, max: 5 }))
      .map((given) => read(...given)),
    fc.constantFrom(...(Object.keys(filters) as ConsumerName[])).map(consume),
    fc
      .tuple(
        key,
        fc.constantFrom('', 'one', 'two'),
        fc.constantFrom('put', 'create', 'update', 'late'),
      )
      .map((given) => write(...given)),
    key.map(forget),
    key.map(look),
  ],
  { maxCommands: 60 },
);

/** Whatever is done to a bus, in whatever order, it answers as its model says. */
export function busModel(name: string, make: MakeBus, numRuns: number): void {
  test(`${name}: it does what its model does`, async (t) => {
    await fc.assert(
      fc.asyncProperty(commands, async (steps) => {
        const [driver] = await make(t, [stream(), deadLetters]);
        assert.ok(driver);
        const bucket = driver.bucket({ name: 'TEST_MODEL', history: 5, maxBytes: 10_000_000 });
        const model: Model = {
          ...{ messages: [], delivered: {}, letters: [], state: new Map(), newestRevision: 0 },
        };
        try {
          await fc.asyncModelRun(() => ({ model, real: { driver, bucket } }), steps);
        } finally {
          // What it still had to do would be done in the streams of the next one.
          await driver.stop();
        }
      }),
      { numRuns, endOnFailure: false },
    );
  });
}
