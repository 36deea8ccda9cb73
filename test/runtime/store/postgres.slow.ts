import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { sql } from 'kysely';
import { ServiceError } from '#contract/errors';
import { StartError } from '../../../runtime/process/start-error.ts';
import { createStore } from '../../../runtime/store/index.ts';
import { migrations } from '../../../runtime/store/migrate.ts';
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

test('a database from when migrations had numbers keeps its rows and gets their names', async (t) => {
  const { options } = await server.database(t);
  const former = ['house/1', 'house/2', 'house/3', 'house/4'];
  const known = migrations.filter(({ name }) => former.includes(name));
  const first = createStore({ ...options, migrations: known });
  await first.open();
  await first.db.insertInto('job').values(jobRow()).execute();
  await sql`drop table schema_migration`.execute(first.db);
  await sql`create table schema_migration (
    version bigint primary key not null, name text collate "C" not null, applied_at bigint not null
  )`.execute(first.db);
  for (const [index, name] of ['jobs', 'witnessed-log', 'tasks', 'approvals'].entries()) {
    await sql`insert into schema_migration values (${index + 1}, ${name}, 7)`.execute(first.db);
  }
  await first.close();
  for (let start = 1; start <= 2; start++) {
    const store = createStore(options);
    await store.open();
    const applied = await store.db.selectFrom('schema_migration').selectAll().execute();
    assert.deepEqual(
      applied.map(({ name }) => name).sort(),
      migrations.map(({ name }) => name).sort(),
      `start ${start}`,
    );
    // Those that came since are applied now.
    const old = applied.filter(({ applied_at: at }) => at === 7).map(({ name }) => name);
    assert.deepEqual(old.sort(), former);
    assert.deepEqual(await store.db.selectFrom('job').selectAll().execute(), [jobRow()]);
    await store.close();
  }
});

test('a transaction that always loses to others is a 503 in the end, and nothing of it is left', async (t) => {
  const [store, other] = await (await server.database(t)).replicas(2);
  assert.ok(store && other);
  let tries = 0;
  const losing = store.transaction(async (tx) => {
    const rows = await tx.selectFrom('job').selectAll().execute();
    tries += 1;
    await other.transaction(async (winner) => {
      await winner.selectFrom('job').selectAll().execute();
      await winner
        .insertInto('job')
        .values(jobRow({ key: `winner ${rows.length}` }))
        .execute();
    });
    await tx
      .insertInto('job')
      .values(jobRow({ key: `loser ${rows.length}` }))
      .execute();
  });
  await assert.rejects(losing, { code: 'store_unavailable', status: 503 });
  const rows = await store.db.selectFrom('job').select('key').execute();
  assert.equal(rows.length, tries);
  assert.ok(rows.every(({ key }) => key.startsWith('winner')));
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

test('a text that PostgreSQL cannot hold is no failure of the store', async (t) => {
  const { options } = await server.database(t);
  const store = createStore(options);
  await store.open();
  t.after(() => store.close());
  const text = 'a\0b';
  const statements = [
    store.db.selectFrom('job').selectAll().where('key', '=', text).execute(),
    store.db
      .insertInto('job')
      .values(jobRow({ key: text }))
      .execute(),
  ];
  for (const statement of statements) {
    await assert.rejects(statement, (error) => {
      assert.ok(error instanceof ServiceError, String(error));
      assert.deepEqual([error.code, error.status], ['invalid_text', 400]);
      return true;
    });
  }
});
