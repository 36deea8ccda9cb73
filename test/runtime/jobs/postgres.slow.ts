import test, { after } from 'node:test';
import { PostgresServer } from '../store/postgres-server.ts';
import { jobsContract } from './jobs-contract.ts';
import { killAndTakeOver } from './killed-process.ts';

const server = await PostgresServer.start();
after(() => server.stop());

jobsContract('PostgreSQL', server.database);

test('PostgreSQL: the job of a killed process is run by another one', async (t) => {
  const { options } = await server.database(t);
  await killAndTakeOver(t, options);
});
