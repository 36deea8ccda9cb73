import test, { after } from 'node:test';
import { PostgresServer } from '../../store/postgres-server.ts';
import { temporaryDirectory } from '../../store/temporary-directory.ts';
import { killWhileWorking } from './killed-server.ts';
import { tasksContract } from './tasks-contract.ts';

const server = await PostgresServer.start();
after(() => server.stop());

tasksContract('PostgreSQL', server.database);

test('SQLite: tasks of a killed server are brought to their ends by the next one', async (t) => {
  await killWhileWorking(t, { SERVICE_DATA_DIR: temporaryDirectory(t) });
});

test('PostgreSQL: tasks of a killed server are brought to their ends by the next one', async (t) => {
  const { options } = await server.database(t);
  const env = { SERVICE_DATA_DIR: temporaryDirectory(t) };
  await killWhileWorking(t, { ...env, SERVICE_DATABASE_URL: options.databaseUrl ?? '' });
});
