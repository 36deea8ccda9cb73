import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { NatsDriver } from '../../runtime/bus/nats/nats-driver.ts';
import { Collected } from './contract/collected.ts';
import { deadLetters, stream } from './contract/streams.ts';
import { NatsServer, natsServers } from './nats-server.ts';

const members = 3;

/** Three servers that keep a copy of each stream. */
async function startCluster(t: TestContext): Promise<readonly NatsServer[]> {
  const ports = await Promise.all(Array.from({ length: members }, freePort));
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  const servers = await Promise.all(
    ports.map((port, index) =>
      NatsServer.start({
        binary: natsServers['newest'] ?? '',
        configuration: `server_name: member${index}
cluster { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }`,
      }),
    ),
  );
  t.after(() =>
    Promise.all(
      servers.map((server) => {
        server.goOn();
        return server.stop();
      }),
    ),
  );
  return servers;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Try until the cluster does it: while it chooses a leader, it does nothing. */
async function insist<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'bus_unavailable', String(error));
      await sleep(100, undefined, { signal });
    }
  }
}

/** Resolves when every copy of the stream is up to date. */
async function whole(servers: readonly NatsServer[], signal: AbortSignal): Promise<void> {
  const connection = await connect({ servers: servers.map(({ url }) => url) });
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    for (;;) {
      // While it chooses a leader, nobody answers.
      const info = await manager.streams.info('TEST').catch(() => undefined);
      const replicas = info?.cluster?.replicas ?? [];
      if (replicas.length === members - 1 && replicas.every(({ current }) => current)) return;
      await sleep(200, undefined, { signal });
    }
  } finally {
    await connection.close();
  }
}

/** Milliseconds after which the cluster does not come together any more: it takes a tenth of that. */
const timeout = 400_000;

const title = 'a cluster of three loses nothing when one member is killed, and then one is cut off';
test(title, { timeout }, async (t) => {
  const servers = await startCluster(t);
  const [first, second, third] = servers;
  assert.ok(first && second && third);
  const driver = new NatsDriver({
    address: { url: servers.map(({ url }) => url).join(',') },
    ...{ streams: [stream(), deadLetters], isPersistent: true, replicas: members },
    tenantOf: () => undefined,
    onFailure: (message, error) => t.diagnostic(`${message}: ${error}`),
  });
  // However the test ends: it would look for its servers without end.
  t.after(() => driver.stop());
  await driver.start();
  const texts = Array.from({ length: 60 }, (_, index) => String(index));
  const publish = async (from: number, to: number) => {
    for (const data of texts.slice(from, to)) {
      await insist(t.signal, () =>
        driver.publish({ subject: 'test.a', tenant: 'default', data, id: data }),
      );
    }
  };
  await publish(0, 5);
  const got = new Collected();
  await driver.consume({ stream: 'TEST', name: 'test_reader' }, async (delivery) =>
    got.add(delivery),
  );
  await publish(5, 15);
  await first.kill();
  await publish(15, 30);
  await first.restart();
  await whole(servers, t.signal);
  second.cutOff();
  await publish(30, 45);
  // One of three is no majority: nobody may acknowledge.
  await third.kill();
  const late = driver.publish({ subject: 'test.a', tenant: 'default', data: '45', id: '45' });
  await assert.rejects(late, { code: 'bus_unavailable', status: 503 });
  second.goOn();
  await third.restart();
  await publish(45, 60);
  await whole(servers, t.signal);
  const { messages } = await insist(t.signal, () => driver.read({ stream: 'TEST', limit: 1000 }));
  assert.deepEqual(
    messages.map(({ data }) => data),
    texts,
  );
  while (new Set(got.texts).size < texts.length) await got.until(got.texts.length + 1);
});
