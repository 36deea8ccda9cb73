import { after } from 'node:test';
import { PostgresServer } from '../runtime/store/postgres-server.ts';
import { busContract } from './contract/bus-contract.ts';
import { busModel } from './contract/bus-model.ts';
import { outboxContract } from './contract/outbox-contract.ts';
import { embeddedBus } from './embedded.ts';
import { startReplicas } from './running-bus.ts';

const server = await PostgresServer.start();
after(() => server.stop());

const name = 'embedded bus on PostgreSQL';
busContract(name, embeddedBus(server.database));
busModel(name, embeddedBus(server.database), 15);
outboxContract(name, (t, count) => startReplicas(t, { database: server.database, count }));
