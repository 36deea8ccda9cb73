import assert from 'node:assert/strict';
import { after } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { NatsDriver } from '../../runtime/bus/nats/nats-driver.ts';
import { busContract, type MakeBus } from './contract.ts';
import { NatsServer, natsServers } from './nats-server.ts';

for (const [name, binary] of Object.entries(natsServers)) {
  assert.ok(binary !== undefined, `there is no nats-server: ${name}`);
  const server = await NatsServer.start({ binary });
  after(() => server.stop());

  const make: MakeBus = async (t, streams, count = 1) => {
    await clear(server.url);
    const drivers = Array.from(
      { length: count },
      () =>
        new NatsDriver({
          ...{ address: { url: server.url }, streams, isPersistent: true, replicas: 1 },
          onFailure: (message, error) => t.diagnostic(`${message}: ${error}`),
        }),
    );
    await Promise.all(drivers.map((driver) => driver.start()));
    t.after(() => Promise.all(drivers.map((driver) => driver.stop())));
    return drivers;
  };
  busContract(`NATS JetStream, ${name}`, make);
}

/** Every test finds an empty server. */
async function clear(url: string): Promise<void> {
  const connection = await connect({ servers: url });
  const manager = await jetstreamManager(connection);
  for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name);
  await connection.close();
}
