import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import test, { after, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, headers } from 'nats';
import type { BusDriver } from '#contract/bus/driver';
import type { StoredMessage } from '#contract/bus/message';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../generated/tables.ts';
import { streamsFor } from '../../runtime/bus/create-bus.ts';
import { EmbeddedDriver } from '../../runtime/bus/embedded/embedded-driver.ts';
import { NatsDriver } from '../../runtime/bus/nats/nats-driver.ts';
import { Outbox } from '../../runtime/bus/outbox.ts';
import { createStore } from '../../runtime/store/index.ts';
import { runCli, startCli } from '../runtime/cli/run-cli.ts';
import { serve } from '../runtime/cli/served.ts';
import { PostgresServer } from '../runtime/store/postgres-server.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { NatsServer, natsServers } from './nats-server.ts';

const streams = streamsFor(false);
const bucket = { name: 'SERVICE_STATE', history: 5, maxBytes: 1_048_576 };
const deadLetters = 'SERVICE_DLQ';
const edge = 'SERVICE_EDGE';

async function startNats(
  t: TestContext,
  binary = natsServers['newest'] ?? '',
): Promise<NatsServer> {
  const nats = await NatsServer.start({ binary });
  t.after(() => nats.stop());
  return nats;
}

/** Do something with the embedded bus on a data directory, and let go of it. */
async function onStore(
  options: { readonly dataDir: string; readonly databaseUrl?: string },
  work: (driver: BusDriver, store: Store<Tables>) => Promise<void>,
): Promise<void> {
  const store = createStore(options);
  await store.open();
  const driver = new EmbeddedDriver({
    ...{ store, streams, owner: randomUUID() },
    onFailure: (_, error) => assert.fail(String(error)),
  });
  await driver.start();
  try {
    await work(driver, store);
  } finally {
    await driver.stop();
    await store.close();
  }
}

function natsDriver(t: TestContext, url: string): NatsDriver {
  const driver = new NatsDriver({
    ...{ streams, address: { url }, isPersistent: true, replicas: 1 },
    onFailure: (message, error) => t.diagnostic(`${message}: ${error}`),
  });
  t.after(() => driver.stop());
  return driver;
}

async function allOf(driver: BusDriver, stream: string): Promise<readonly StoredMessage[]> {
  const all: StoredMessage[] = [];
  for (let from: number | undefined = 1; from !== undefined; ) {
    const page = await driver.read({ stream, fromSequence: from, limit: 1000 });
    all.push(...page.messages);
    from = page.next;
  }
  return all;
}

/** What must be the same on both sides; when it was stored is not. */
const told = ({ subject, tenant, id, headers, data }: StoredMessage) => ({
  ...{ subject, tenant, id, headers, data },
});

const move = (dataDir: string, url: string, more: Readonly<Record<string, string>> = {}) =>
  runCli(['bus', 'move', '--to', url], {
    ...{ SERVICE_DATA_DIR: dataDir, SERVICE_BUS_PERSISTENT: '1', ...more },
  });

const status = 'service.edge.status';
const say = (driver: BusDriver, data: string, more: object = {}) =>
  driver.publish({ subject: status, tenant: 'default', data, headers: { 'ce-a': data }, ...more });

const database = await PostgresServer.start();
after(() => database.stop());

for (const [name, binary] of Object.entries(natsServers)) {
  test(`NATS ${name}: streams, consumers, dead letters and buckets arrive as they were`, async (t) => {
    const dataDir = temporaryDirectory(t);
    let kept: Record<string, readonly StoredMessage[]> = {};
    await onStore({ dataDir }, async (driver, store) => {
      // Numbers begin at 4, and one is missing between them.
      for (let count = 1; count <= 30; count++) await say(driver, `${count}`, { id: `m${count}` });
      for (const sequence of [1, 2, 3, 20]) await driver.remove(edge, sequence);
      // An id that is used again after its window.
      await store.db.updateTable('bus_message').set({ stored_at: 1 }).execute();
      await say(driver, 'again', { id: 'm5' });
      await store.db.updateTable('bus_message').set({ stored_at: Date.now() }).execute();
      const asked = new Map<string, number>();
      const gone = Promise.withResolvers<void>();
      const definition = { stream: edge, name: 'test_move', filter: 'service.edge.*' };
      const consumer = await driver.consume(
        { ...definition, maxDeliver: 3, backoffMs: [1, 1, 1] },
        async ({ message: { data }, deliveries, nak, term }) => {
          asked.set(data, deliveries);
          if (data === '6') await term('never');
          // It is due in a while, and has two deliveries behind it.
          else if (data === '8') await nak(deliveries === 1 ? 1 : 2000);
          else if (data === '12') gone.resolve();
          // All of these come again: the consumer may stop before it has had them, or after.
          else if (data === 'again' || Number(data) > 12) await nak(2000);
        },
      );
      await gone.promise;
      while (asked.get('8') !== 2) await sleep(5);
      await consumer.stop();
      const state = driver.bucket(bucket);
      for (let count = 1; count <= 8; count++) await state.put('edge.a', `${count}`);
      await state.put('edge.b', 'b');
      await state.delete('edge.b');
      await state.create('workflow.c', 'ü'.repeat(1000));
      const waiting = { subject: 'service.agent.registered', tenant: 'default', data: '{}' };
      await store.transaction((tx) => new Outbox(store).add(tx, { ...waiting, id: 'waits' }));
      kept = {
        [edge]: await allOf(driver, edge),
        [deadLetters]: await allOf(driver, deadLetters),
      };
    });
    const nats = await startNats(t, binary);
    const { stdout, stderr, code } = await move(dataDir, nats.url);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^SERVICE_EDGE: 27 messages, 1 consumer$/m);
    // Streams of the old one begin with 1.
    const numbers =
      name === 'newest'
        ? /^ {2}4 to 19 are 4 to 19 now\n {2}21 to 31 are 20 to 30 now$/m
        : /^ {2}4 to 19 are 1 to 16 now\n {2}21 to 31 are 17 to 27 now$/m;
    assert.match(stdout, numbers);
    assert.match(stdout, /^SERVICE_DLQ: 1 message, with the same numbers, 0 consumers$/m);
    assert.match(stdout, /everything is in NATS/);

    const driver = natsDriver(t, nats.url);
    await driver.start();
    for (const [stream, messages] of Object.entries(kept)) {
      assert.deepEqual((await allOf(driver, stream)).map(told), messages.map(told), stream);
    }
    const [agent] = await allOf(driver, 'SERVICE_AGENT');
    assert.equal(agent?.id, 'waits');
    const state = driver.bucket(bucket);
    assert.equal((await state.get('edge.a'))?.value, '8');
    const connection = await connect({ servers: nats.url });
    const manager = await connection.jetstreamManager();
    const { config } = await manager.streams.info('KV_SERVICE_STATE');
    // Before its server ends: it would ask for that without end.
    await connection.close();
    // With its first use, its limits hold.
    const { max_bytes: maxBytes, max_msgs_per_subject: history } = config;
    assert.deepEqual({ maxBytes, history }, { maxBytes: bucket.maxBytes, history: 5 });
    const values = (await state.history('edge.a')).map((each) => 'value' in each && each.value);
    assert.deepEqual(values, ['4', '5', '6', '7', '8']);
    assert.deepEqual((await state.keys()).toSorted(), ['edge.a', 'workflow.c']);
    await assert.rejects(state.create('edge.a', 'no'), /expected/);
    await state.create('edge.b', 'anew');

    // Where the consumer stood, it goes on.
    const heard: [string, number][] = [];
    const all = Promise.withResolvers<void>();
    const later = Array.from({ length: 18 }, (_, index) => `${13 + index}`);
    // Number 20 was removed, and it is the message of that name.
    const expected = new Set(['8', 'again', ...later.filter((each) => each !== '20')]);
    const definition = { stream: edge, name: 'test_move', filter: 'service.edge.*' };
    const consumer = await driver.consume(definition, async ({ message: { data }, deliveries }) => {
      heard.push([data, deliveries]);
      if (expected.isSubsetOf(new Set(heard.map(([each]) => each)))) all.resolve();
    });
    await all.promise;
    await consumer.stop();
    const before = Object.fromEntries(heard);
    assert.equal(before['8'], 3);
    for (const done of ['4', '5', '6', '7', '9', '10', '11']) assert.equal(before[done], undefined);
    assert.equal(heard.length, new Set(heard.map(([data]) => data)).size);

    // What has been moved is no longer there to be moved again.
    assert.match((await move(dataDir, nats.url)).stdout, /^there is nothing to move$/m);
  });
}

test('a move that is killed again and again loses and doubles nothing', async (t) => {
  const dataDir = temporaryDirectory(t);
  const total = 4000;
  await onStore({ dataDir }, async (driver) => {
    const numbers = Array.from({ length: total }, (_, index) => index);
    await Promise.all(numbers.map((data) => say(driver, `${data}`, { id: `k${data}` })));
  });
  const nats = await startNats(t);
  const driver = natsDriver(t, nats.url);
  await driver.start();
  const lastSequence = async () => {
    const query = { stream: edge, fromSequence: Number.MAX_SAFE_INTEGER, limit: 1 };
    return (await driver.read(query)).lastSequence;
  };
  let kills = 0;
  for (let at = 0; at < total - 1000 && kills < 8; ) {
    const child = startCli(['bus', 'move', '--to', nats.url], {
      ...{ SERVICE_DATA_DIR: dataDir, SERVICE_BUS_PERSISTENT: '1' },
    });
    const gone = once(child, 'exit');
    // As soon as something more has arrived; the rest of it is on its way.
    while ((await lastSequence()) === at && child.exitCode === null) await sleep(1);
    child.kill('SIGKILL');
    await gone;
    at = await lastSequence();
    kills += 1;
  }
  t.diagnostic(`${kills} kills`);
  const { code, stderr } = await move(dataDir, nats.url);
  assert.equal(code, 0, stderr);
  const moved = await allOf(driver, edge);
  assert.deepEqual(
    moved.map(({ data }) => Number(data)),
    Array.from({ length: total }, (_, index) => index),
  );
  assert.deepEqual(
    moved.map(({ sequence }) => sequence),
    Array.from({ length: total }, (_, index) => index + 1),
  );
});

test('what has arrived otherwise than it left is noticed, and stays in the store', async (t) => {
  const dataDir = temporaryDirectory(t);
  const nats = await startNats(t);
  await onStore({ dataDir }, async (driver) => {
    for (const text of ['0', '1', '2']) await say(driver, text);
  });
  // An attempt of before that ended after two messages, of which somebody has changed the first.
  const driver = natsDriver(t, nats.url);
  await driver.start();
  await driver.states();
  const connection = await connect({ servers: nats.url });
  for (const [index, text] of ['changed', '1'].entries()) {
    const written = headers();
    written.set('ce-a', text);
    written.set('Service-Moved-From', String(index + 1));
    written.set('Service-Tenant', 'default');
    await connection.jetstream().publish(status, text, { headers: written });
  }
  await connection.close();
  const stuck = await move(dataDir, nats.url);
  assert.equal(stuck.code, 1);
  assert.match(stuck.stderr, /message 1 of SERVICE_EDGE is 1 of SERVICE_EDGE, and its data is not/);
  assert.match(stuck.stderr, /the store still has all of it/);
  await onStore({ dataDir }, async (kept) => {
    assert.equal((await allOf(kept, edge)).length, 3);
  });
});

test('an id that no header carries is moved, and a message that cannot be is named', async (t) => {
  const dataDir = temporaryDirectory(t);
  const nats = await startNats(t);
  await onStore({ dataDir }, async (driver, store) => {
    await say(driver, 'odd', { id: 'a\nb' });
    await say(driver, 'fine', { id: 'fine', headers: {} });
    await store.db
      .updateTable('bus_message')
      .set({ headers: '{"x-odd":"a\\nb"}' })
      .where('message_id', '=', 'fine')
      .execute();
  });
  const stuck = await move(dataDir, nats.url);
  assert.equal(stuck.code, 1);
  assert.match(stuck.stderr, /not everything is moved: message 2 of SERVICE_EDGE \(id "fine"\): /);
  await onStore({ dataDir }, async (_, store) => {
    await store.db.updateTable('bus_message').set({ headers: '{}' }).execute();
  });
  const { code, stderr } = await move(dataDir, nats.url);
  assert.equal(code, 0, stderr);
  const driver = natsDriver(t, nats.url);
  await driver.start();
  const moved = await allOf(driver, edge);
  assert.deepEqual(
    moved.map(({ data, id }) => [data, id]),
    [
      ['odd', 'a%0Ab'],
      ['fine', 'fine'],
    ],
  );
});

test('nothing is moved while a server runs, to streams of others, or to nowhere', async (t) => {
  const dataDir = temporaryDirectory(t);
  const nats = await startNats(t);
  const { child } = await serve(t, { SERVICE_DATA_DIR: dataDir });
  const running = await move(dataDir, nats.url);
  assert.equal(running.code, 1);
  assert.match(running.stderr, /process \d+ already uses the data directory .*; stop it first/);
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;

  await onStore({ dataDir }, async (driver) => {
    await say(driver, 'ours');
  });
  const driver = natsDriver(t, nats.url);
  await driver.start();
  await say(driver, 'theirs');
  const foreign = await move(dataDir, nats.url);
  assert.equal(foreign.code, 1);
  assert.match(foreign.stderr, /SERVICE_EDGE has messages of its own, up to 1/);
  const nowhere = await move(dataDir, 'nats://127.0.0.1:1');
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /not everything is moved: .*the store still has all of it/);
  const fleeting = await move(dataDir, nats.url, { SERVICE_BUS_PERSISTENT: '0' });
  assert.equal(fleeting.code, 1);
  assert.match(fleeting.stderr, /bus move needs SERVICE_BUS_PERSISTENT=1: without it, NATS would/);
  const wrong = await move(dataDir, 'http://127.0.0.1');
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--to must be nats:\/\/HOST:PORT/);
  await onStore({ dataDir }, async (kept) => {
    assert.equal((await allOf(kept, edge)).length, 1);
  });
});

test('the bus of a PostgreSQL database moves too, once no server uses it', async (t) => {
  const databaseUrl = await database.createDatabase();
  const dataDir = temporaryDirectory(t);
  const nats = await startNats(t);
  const env = { SERVICE_DATABASE_URL: databaseUrl };
  await onStore({ dataDir, databaseUrl }, async (driver) => {
    for (let count = 0; count < 50; count++) await say(driver, `${count}`);
  });
  const own = { SERVICE_DATA_DIR: temporaryDirectory(t), SERVICE_ENABLE_BUS: '1' };
  const { child } = await serve(t, { ...own, ...env });
  const refused = await move(dataDir, nats.url, env);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /servers use this database \(\d+ connections\); stop all of them/);
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  const { code, stdout, stderr } = await move(dataDir, nats.url, env);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^SERVICE_EDGE: 50 messages, with the same numbers, 0 consumers$/m);
  const driver = natsDriver(t, nats.url);
  await driver.start();
  assert.equal((await allOf(driver, edge)).length, 50);
});
