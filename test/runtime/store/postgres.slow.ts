import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { ServiceError } from '#contract/errors';
import { StartError } from '../../../runtime/process/start-error.ts';
import { createStore } from '../../../runtime/store/index.ts';
import { jobRow } from './job-row.ts';
import { PostgresServer } from './postgres-server.ts';
import { storeContract } from './store-contract.ts';

const server = await PostgresServer.start();
after(() => server.stop());

storeContract('PostgreSQL', server.database);

test('PostgreSQL that is not there stops the start, and its address is not repeated', async () => {
  const databaseUrl = 'postgres://someone:hunter2@localhost/none?host=/nowhere';
  await assert.rejects(createStore({ dataDir: '/nowhere', databaseUrl }).open(), (error) => {
    assert.ok(error instanceof StartError, String(error));
    assert.match(error.message, /the database cannot be reached/);
    assert.doesNotMatch(error.message, /hunter2/);
    return true;
  });
});

test('a crash of PostgreSQL is a 503, loses nothing, and the store goes on by itself', async (t) => {
  const [store] = await (await server.database(t)).replicas(1);
  assert.ok(store);
  await store.db
    .insertInto('job')
    .values(jobRow({ key: 'kept' }))
    .execute();
  const broken = store.transaction(async (tx) => {
    await tx
      .insertInto('job')
      .values(jobRow({ key: 'lost' }))
      .execute();
    await server.kill();
    await tx
      .insertInto('job')
      .values(jobRow({ key: 'lost too' }))
      .execute();
  });
  const unavailable = (error: unknown) => error instanceof ServiceError && error.status === 503;
  await assert.rejects(broken, unavailable);
  await assert.rejects(store.check(), unavailable);
  await server.run();
  assert.equal(await store.check(), true);
  const rows = await store.db.selectFrom('job').select('key').execute();
  assert.deepEqual(rows, [{ key: 'kept' }]);
});
