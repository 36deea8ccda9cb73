import { after } from 'node:test';
import { PostgresServer } from '../runtime/store/postgres-server.ts';
import { busContract } from './contract.ts';
import { embeddedBus } from './embedded.ts';

const server = await PostgresServer.start();
after(() => server.stop());

busContract('embedded bus on PostgreSQL', embeddedBus(server.database));
