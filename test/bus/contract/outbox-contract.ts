import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { AnyTransaction, Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import type { startReplicas } from '../running-bus.ts';

type Replica = Awaited<ReturnType<typeof startReplicas>>[number];

/** Replicas of a server, each with the event bus, which share what they write. */
export type MakeReplicas = (t: TestContext, count: number) => Promise<readonly Replica[]>;

const stream = 'SERVICE_AGENT';
const tenant = 'default';

/** What holds for events that are published in a transaction (transactional outbox), at every driver. */
export function outboxContract(name: string, make: MakeReplicas): void {
  const start = async (t: TestContext, count = 1) => {
    const replicas = await make(t, count);
    const [first, second = first] = replicas;
    assert.ok(first && second);
    return { first, second };
  };

  test(`${name}: a row and its event are committed together, or neither is`, async (t) => {
    const { first } = await start(t);
    const undone = write(first, 'undone', async () => {
      throw new Error('changed my mind');
    });
    await assert.rejects(undone, /changed my mind/);
    await write(first, 'done');
    assert.deepEqual(await published(first, 1), ['done']);
    assert.deepEqual(await rows(first.store), ['done']);
    assert.equal(await first.bus.waiting(), 0);
  });

  test(`${name}: nothing is seen of an event before its transaction ends`, async (t) => {
    const { first, second } = await start(t, 2);
    const mayEnd = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const work = write(first, 'one', async () => {
      written.resolve();
      await mayEnd.promise;
    });
    await written.promise;
    assert.deepEqual((await second.bus.read({ stream, limit: 10 })).messages, []);
    mayEnd.resolve();
    await work;
    assert.deepEqual(await published(second, 1), ['one']);
  });

  test(`${name}: of many transactions of two replicas, those that are committed are told of once`, async (t) => {
    const { first, second } = await start(t, 2);
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    // Each writer does one after the other, and changes its mind at every third.
    const writers = [first, second, first].map(async (replica, writer) => {
      for (const number of numbers) {
        const isUndone = number % 3 === 2;
        const work = write(replica, `${writer}.${number}`, async () => {
          if (isUndone) throw new Error('no');
        });
        await (isUndone ? assert.rejects(work, /^Error: no$/) : work);
      }
    });
    await Promise.all(writers);
    const kept = numbers.filter((number) => number % 3 !== 2);
    const told = await published(second, writers.length * kept.length);
    for (const writer of writers.keys()) {
      const own = told.filter((id) => id.startsWith(`${writer}.`));
      assert.deepEqual(
        own,
        kept.map((number) => `${writer}.${number}`),
        'in the order in which it wrote them, each once',
      );
    }
    assert.deepEqual((await rows(first.store)).toSorted(), told.toSorted());
  });

  test(`${name}: an id that is written twice is one event`, async (t) => {
    const { first, second } = await start(t, 2);
    await tell(first, 'same');
    assert.deepEqual(await published(first, 1), ['same']);
    await tell(second, 'same');
    await tell(second, 'next');
    assert.deepEqual(await published(second, 2), ['same', 'next']);
  });

  test(`${name}: what a replica has left behind, another one publishes`, async (t) => {
    const { first, second } = await start(t, 2);
    // As one that dies right after its commit.
    await second.stop();
    await tell(second, 'left');
    await tell(first, 'own');
    assert.deepEqual(await published(first, 2), ['left', 'own']);
  });

  test(`${name}: a transaction takes no event that its stream would not`, async (t) => {
    const { first } = await start(t);
    const { store, bus } = first;
    const event = { name: 'agent.state', tenant, data: { agent_id: '1' } };
    const refused = (more: object) =>
      store.transaction((tx) => bus.publish(tx, { ...event, ...more }));
    await assert.rejects(refused({ expectedLastSequence: 0 }), { code: 'invalid_params' });
    const long = { task_id: '1', kind: 'test', input: { text: 'a'.repeat(300_000) } };
    const tooLong = refused({ name: 'edge.assigned', data: long });
    await assert.rejects(tooLong, { code: 'bus_payload_too_large', status: 413 });
    assert.equal(await bus.waiting(), 0);
  });
}

/** Write a row and the event that tells of it, and then do `more` before the end of the transaction. */
async function write(replica: Replica, id: string, more = async () => {}): Promise<void> {
  await replica.store.transaction(async (tx) => {
    const row = { tenant, id, expires_at: 0 };
    await tx.insertInto('used_answer').values(row).execute();
    await publish(replica, tx, id);
    await more();
  });
}

function tell(replica: Replica, id: string): Promise<void> {
  return replica.store.transaction((tx) => publish(replica, tx, id));
}

function publish({ events }: Replica, tx: AnyTransaction, id: string): Promise<void> {
  return events.agent.state.within(tx, { tenant, id, data: { agent_id: id } });
}

async function rows(store: Store<Tables>): Promise<readonly string[]> {
  const all = await store.db.selectFrom('used_answer').select('id').execute();
  return all.map(({ id }) => id);
}

/** The ids of all events, as soon as there are so many and nothing waits any more. */
async function published({ bus }: Replica, count: number): Promise<readonly string[]> {
  const stop = new AbortController();
  let seen = 0;
  for await (const _ of bus.follow({ stream }, stop.signal)) {
    seen += 1;
    if (seen >= count) break;
  }
  while ((await bus.waiting()) > 0) await new Promise(setImmediate);
  const { messages } = await bus.read({ stream, limit: 1000 });
  return messages.map(({ event }) => event.id);
}
