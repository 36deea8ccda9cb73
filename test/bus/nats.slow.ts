import assert from 'node:assert/strict';
import { after } from 'node:test';
import { NatsDriver } from '../../runtime/bus/nats/nats-driver.ts';
import { PostgresServer } from '../runtime/store/postgres-server.ts';
import { sqliteDatabase } from '../runtime/store/replicas.ts';
import { busContract } from './contract/bus-contract.ts';
import { busModel } from './contract/bus-model.ts';
import type { MakeBus } from './contract/make-bus.ts';
import { outboxContract } from './contract/outbox-contract.ts';
import { NatsServer, natsServers } from './nats-server.ts';
import { startReplicas } from './running-bus.ts';

const postgres = await PostgresServer.start();
after(() => postgres.stop());
const PostgreSQL = postgres.database;

for (const [name, binary] of Object.entries(natsServers)) {
  assert.ok(binary !== undefined, `there is no nats-server: ${name}`);
  const server = await NatsServer.start({ binary, accounts: 250 });
  after(() => server.stop());

  const make: MakeBus = async (t, streams, count = 1) => {
    const url = await server.emptyUrl();
    const drivers = Array.from(
      { length: count },
      () =>
        new NatsDriver({
          ...{ address: { url }, streams, isPersistent: true, replicas: 1 },
          onFailure: (message, error) => t.diagnostic(`${message}: ${error}`),
        }),
    );
    await Promise.all(drivers.map((driver) => driver.start()));
    t.after(() => Promise.all(drivers.map((driver) => driver.stop())));
    return drivers;
  };
  busContract(`NATS JetStream, ${name}`, make);
  busModel(`NATS JetStream, ${name}`, make, 40);
  for (const [kept, database] of Object.entries({ SQLite: sqliteDatabase, PostgreSQL })) {
    outboxContract(`NATS JetStream, ${name}, beside ${kept}`, async (t, count) =>
      startReplicas(t, { database, count, natsUrl: await server.emptyUrl() }),
    );
  }
}
