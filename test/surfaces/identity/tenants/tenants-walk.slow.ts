import test from 'node:test';
import { PostgresServer } from '../../../runtime/store/postgres-server.ts';
import { walkTenants } from '../walk-tenants.ts';

test('on PostgreSQL too, no route and no tool tells one tenant of what another has', async (t) => {
  const postgres = await PostgresServer.start();
  await t.test('the walk', async (walk) => {
    await walkTenants(walk, { SERVICE_DATABASE_URL: await postgres.createDatabase() });
  });
  await postgres.stop();
});
