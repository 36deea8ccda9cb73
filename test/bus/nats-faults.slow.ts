import assert from 'node:assert/strict';
import { connect as connectNet, createServer, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import * as independent from 'nats';
import { NatsDriver, type NatsOptions } from '../../runtime/bus/nats/nats-driver.ts';
import { Outbox } from '../../runtime/bus/outbox.ts';
import { openStore } from '../runtime/store/replicas.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { Collected } from './contract/collected.ts';
import { deadLetters, stream } from './contract/streams.ts';
import { NatsServer, natsServers } from './nats-server.ts';

const binary = natsServers['newest'] ?? '';
const consumer = { stream: 'TEST', name: 'test_reader' };

async function serve(t: TestContext, configuration?: string): Promise<NatsServer> {
  const server = await NatsServer.start({ binary, ...(configuration && { configuration }) });
  t.after(() => server.stop());
  return server;
}

async function drive(
  t: TestContext,
  url: string,
  more: Partial<NatsOptions> = {},
): Promise<{ readonly driver: NatsDriver; readonly told: readonly string[] }> {
  const told: string[] = [];
  const driver = new NatsDriver({
    ...{ address: { url }, streams: [stream(), deadLetters], isPersistent: true, replicas: 1 },
    onFailure: (message, error) => told.push(`${message}: ${error}`),
    ...more,
  });
  await driver.start();
  t.after(() => driver.stop());
  return { driver, told };
}

const message = (data: string) => ({ subject: 'test.a', tenant: 'default', data, id: data });

/** Publish until it is acknowledged, as whoever has an outbox does. */
async function insist(driver: NatsDriver, data: string): Promise<void> {
  for (;;) {
    try {
      await driver.publish(message(data));
      return;
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'bus_unavailable');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

test('nothing that was acknowledged is lost when the server is killed again and again', async (t) => {
  const server = await serve(t);
  const { driver } = await drive(t, server.url);
  const got = new Collected();
  await driver.consume(consumer, async (delivery) => got.add(delivery));
  const texts = Array.from({ length: 60 }, (_, index) => String(index));
  for (const [index, text] of texts.entries()) {
    await insist(driver, text);
    if (index % 20 !== 10) continue;
    await server.kill();
    await assert.rejects(driver.publish(message('while it is away')), {
      code: 'bus_unavailable',
      status: 503,
    });
    assert.notEqual(driver.health().state, 'ok');
    await server.restart();
  }
  await got.until(texts.length);
  while (new Set(got.texts).size < texts.length) await got.until(got.texts.length + 1);
  const kept = await driver.read({ stream: 'TEST', limit: 1000 });
  assert.deepEqual(
    kept.messages.map(({ data }) => data),
    texts,
  );
});

test('a server that cannot be reached stops nothing, and is used when it comes', async (t) => {
  const server = await serve(t);
  await server.kill();
  const { driver, told } = await drive(t, server.url);
  assert.equal(driver.health().state, 'connecting');
  await assert.rejects(driver.publish(message('early')), { code: 'bus_unavailable' });
  assert.ok(told.some((line) => /cannot be reached/.test(line)));
  const got = new Collected();
  const consuming = driver.consume(consumer, async (delivery) => got.add(delivery));
  await server.restart();
  const running = await consuming;
  await driver.publish(message('1'));
  await got.until(1);
  await running.stop();
  assert.equal(driver.health().state, 'ok');
});

test('a stream or a consumer that somebody deletes is made again', async (t) => {
  const server = await serve(t);
  const { driver } = await drive(t, server.url);
  const got = new Collected();
  await driver.consume(consumer, async (delivery) => got.add(delivery));
  await driver.publish(message('1'));
  await got.until(1);
  const connection = await connect({ servers: server.url });
  const manager = await jetstreamManager(connection);
  await manager.consumers.delete('TEST', 'test_reader');
  await driver.publish(message('2'));
  // It begins anew, with what it has had before.
  await got.until(3);
  await manager.streams.delete('TEST');
  await driver.publish(message('3'));
  await got.until(4);
  await connection.close();
  assert.deepEqual(got.texts, ['1', '1', '2', '3']);
});

test('a stream that somebody deletes is there again for whoever only reads, asks or removes', async (t) => {
  // The newest one can give back for a moment what it was told to delete.
  const server = await NatsServer.start({ binary: natsServers['of the distribution'] ?? '' });
  t.after(() => server.stop());
  const { driver } = await drive(t, server.url);
  const connection = await connect({ servers: server.url });
  t.after(() => connection.close());
  const manager = await jetstreamManager(connection);
  const asks = [
    async () => (await driver.read({ stream: 'TEST', limit: 1 })).messages.length,
    async () => (await driver.states())[0]?.messages,
    async () => Number(await driver.remove('TEST', 1)),
  ];
  for (const ask of asks) {
    await insist(driver, 'one');
    await manager.streams.delete('TEST');
    assert.equal(await ask(), 0);
  }
});

test('pages that many ask for at a time do not cut the server off', async (t) => {
  // The server lets a client fall behind by so much, and by 64 MiB where nothing is said.
  const server = await serve(t, 'max_pending: 8MB');
  const { driver, told } = await drive(t, server.url);
  const long = 'a'.repeat(80_000);
  for (let index = 0; index < 40; index++) {
    await driver.publish({ ...message(String(index)), data: long });
  }
  const pages = await Promise.all(
    Array.from({ length: 30 }, () => driver.read({ stream: 'TEST', limit: 20 })),
  );
  assert.ok(pages.every(({ messages }) => messages.length > 10));
  assert.deepEqual(told, []);
});

test('a wrong password is told without repeating it, and a right one lets in', async (t) => {
  const server = await serve(t, 'authorization { user: bus, password: "s3cret word" }');
  const at = (who: string) => server.url.replace('//', `//${who}@`);
  const { driver, told } = await drive(t, at('bus:wr0ng'));
  await assert.rejects(driver.publish(message('1')), { code: 'bus_unavailable' });
  assert.ok(told.length > 0);
  assert.doesNotMatch(told.join('\n'), /wr0ng/);
  const { driver: other } = await drive(t, at('bus:s3cret%20word'));
  assert.equal((await other.publish(message('1'))).sequence, 1);
});

test('a setting that the server does not take is named', async (t) => {
  const server = await serve(t);
  const { driver } = await drive(t, server.url, { replicas: 3 });
  await assert.rejects(driver.publish(message('1')), /replicas/);
});

test('an event that is larger than the server takes holds up no others in the outbox', async (t) => {
  const server = await serve(t, 'max_payload: 4000');
  const { driver } = await drive(t, server.url);
  const large = { ...message('large'), data: 'a'.repeat(6000) };
  const tooLarge = { code: 'bus_payload_too_large', status: 413, message: /may have 4000 bytes/ };
  await assert.rejects(driver.publish(large), tooLarge);
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const outbox = new Outbox(store);
  await store.transaction(async (tx) => {
    for (const each of [message('1'), large, message('2')]) await outbox.add(tx, each);
    await outbox.add(tx, { ...message('gone'), subject: 'gone.a' });
    await outbox.add(tx, message('3'));
  });
  const { count, failure, refused } = await outbox.forwardTo(driver, 100);
  assert.deepEqual([count, failure, refused.length], [5, undefined, 2]);
  assert.deepEqual([await outbox.count(), await outbox.countRefused()], [0, 2]);
  const { messages } = await driver.read({ stream: 'TEST', limit: 100 });
  assert.deepEqual(
    messages.map(({ data }) => data),
    ['1', '2', '3'],
  );
  await outbox.tryAgain();
  assert.equal(await outbox.count(), 2);
});

test('a connection that is cut in the middle of an answer loses nothing and doubles nothing', async (t) => {
  const server = await serve(t);
  const proxy = await cuttingProxy(t, Number(new URL(server.url).port));
  const { driver } = await drive(t, proxy.url);
  for (let index = 0; index < 30; index++) {
    if (index % 10 === 5) proxy.cutNextAnswer();
    await insist(driver, String(index));
  }
  const { messages } = await driver.read({ stream: 'TEST', limit: 100 });
  assert.deepEqual(
    messages.map(({ data }) => data),
    Array.from({ length: 30 }, (_, index) => String(index)),
  );
});

test('another client of NATS reads what we publish, and is read', async (t) => {
  const server = await serve(t);
  const { driver } = await drive(t, server.url);
  await driver.publish({ ...message('{"a":1}'), headers: { 'ce-type': 'a.b.v1' }, tenant: 'acme' });
  const connection = await independent.connect({ servers: server.url });
  t.after(() => connection.close());
  const client = connection.jetstream();
  const theirs = await client.consumers.get('TEST', { filterSubjects: 'test.a' });
  const read = await theirs.next();
  assert.deepEqual(read?.json(), { a: 1 });
  assert.equal(read.headers?.get('ce-type'), 'a.b.v1');
  const headers = independent.headers();
  headers.set('ce-tenant', 'globex');
  await client.publish('test.b', '{"b":2}', { headers, msgID: 'theirs' });
  const { messages } = await driver.read({ stream: 'TEST', limit: 10, filters: ['test.b'] });
  assert.deepEqual(
    messages.map(({ data, tenant, id, headers: found }) => [data, tenant, id, found]),
    [['{"b":2}', 'globex', 'theirs', { 'ce-tenant': 'globex' }]],
  );
});

/** Passes everything on, until it is told to keep an answer to itself and hang up. */
async function cuttingProxy(t: TestContext, port: number) {
  let cuts = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectNet(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    near.on('data', (chunk) => far.write(chunk)).on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.on('data', (chunk) => {
      if (!cuts || !chunk.includes('"seq"')) {
        near.write(chunk);
        return;
      }
      cuts = false;
      near.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    url: `nats://127.0.0.1:${address.port}`,
    cutNextAnswer: () => {
      cuts = true;
    },
  };
}

test('who reads on and on hears of a stream that was made anew, as those in memory are', async (t) => {
  const server = await serve(t);
  const { driver } = await drive(t, server.url, { isPersistent: false });
  for (const data of ['1', '2', '3']) await insist(driver, data);
  const stopping = new AbortController();
  const heard: string[] = [];
  let came = Promise.withResolvers<void>();
  const following = (async () => {
    for await (const { data } of driver.follow({ stream: 'TEST' }, stopping.signal)) {
      heard.push(data);
      came.resolve();
    }
  })();
  while (heard.length < 3) {
    await came.promise;
    came = Promise.withResolvers();
  }
  await server.kill();
  await server.restart();
  await insist(driver, 'after');
  while (!heard.includes('after')) {
    await came.promise;
    came = Promise.withResolvers();
  }
  stopping.abort();
  await following;
  assert.deepEqual(heard, ['1', '2', '3', 'after']);
});
