import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { ServiceError } from '#contract/errors';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { StartError } from '../../../runtime/process/start-error.ts';
import { createStore } from '../../../runtime/store/index.ts';
import { migrate, migrations } from '../../../runtime/store/migrate.ts';
import type { Migration } from '../../../runtime/store/migrations/migration.ts';
import { storedMigration } from '../../../runtime/store/migrations/stored-migration.ts';
import { jobRow } from './job-row.ts';
import { type MakeDatabase, openStore } from './replicas.ts';

async function count({ db }: Store<Tables>): Promise<number> {
  return (await db.selectFrom('job').selectAll().execute()).length;
}

/** What holds for every store, whatever database it has. */
export function storeContract(name: string, make: MakeDatabase): void {
  test(`${name}: what is written is there after the store was opened again`, async (t) => {
    const { options } = await make(t);
    const first = createStore(options);
    await first.open();
    const row = jobRow({ payload: 'ü\u{1F600}\n"', run_at: Number.MAX_SAFE_INTEGER, token: -5 });
    await first.db.insertInto('job').values(row).execute();
    await first.close();
    const second = await openStore(t, options);
    assert.deepEqual(
      { ...(await second.db.selectFrom('job').selectAll().executeTakeFirst()) },
      row,
    );
  });

  test(`${name}: a transaction is done whole or not at all`, async (t) => {
    const [store] = await (await make(t)).replicas(1);
    assert.ok(store);
    const failed = store.transaction(async (tx) => {
      await tx.insertInto('job').values(jobRow()).execute();
      throw new Error('changed my mind');
    });
    await assert.rejects(failed, /changed my mind/);
    assert.equal(await count(store), 0);
    const twice = store.transaction(async (tx) => {
      await tx.insertInto('job').values(jobRow()).execute();
      await tx.insertInto('job').values(jobRow()).execute();
    });
    await assert.rejects(twice, (error) => !(error instanceof ServiceError));
    assert.equal(await count(store), 0);
    await store.transaction((tx) => tx.insertInto('job').values(jobRow()).execute());
    assert.equal(await count(store), 1);
  });

  test(`${name}: what others have not committed is not seen`, async (t) => {
    const [writer, reader] = await (await make(t)).replicas(2);
    assert.ok(writer && reader);
    await writer.transaction(async (tx) => {
      await tx.insertInto('job').values(jobRow()).execute();
      assert.equal(await count(reader), 0);
    });
    assert.equal(await count(reader), 1);
  });

  test(`${name}: transactions that read and then write lose no update`, async (t) => {
    const stores = await (await make(t)).replicas(2);
    await stores[0]?.db.insertInto('job').values(jobRow()).execute();
    const increment = (store: Store<Tables>) =>
      store.transaction(async (tx) => {
        const { attempt } = await tx.selectFrom('job').select('attempt').executeTakeFirstOrThrow();
        await tx
          .updateTable('job')
          .set({ attempt: attempt + 1 })
          .execute();
      });
    const rounds = 8;
    for (let round = 0; round < rounds; round++) await Promise.all(stores.map(increment));
    const row = await stores[0]?.db.selectFrom('job').select('attempt').executeTakeFirst();
    assert.equal(row?.attempt, rounds * stores.length);
  });

  test(`${name}: text is in the order of its bytes`, async (t) => {
    const [store] = await (await make(t)).replicas(1);
    assert.ok(store);
    const keys = ['b', 'B', 'ä', 'a', '_', '\u{1F600}', '\uFF5E', '10', '9'];
    await store.db
      .insertInto('job')
      .values(keys.map((key) => jobRow({ key })))
      .execute();
    const rows = await store.db.selectFrom('job').select('key').orderBy('key').execute();
    const bytewise = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(
      rows.map(({ key }) => key),
      bytewise,
    );
  });

  test(`${name}: replicas that start at the same time migrate once`, async (t) => {
    const { options } = await make(t);
    const copies = options.databaseUrl === undefined ? 1 : 4;
    const stores = Array.from({ length: copies }, () => createStore(options));
    t.after(() => Promise.all(stores.map((store) => store.close())));
    await Promise.all(stores.map((store) => store.open()));
    const [store] = stores;
    const rows = await store?.db.selectFrom('schema_migration').select('name').execute();
    assert.deepEqual(
      rows?.map(({ name }) => name).toSorted(),
      migrations.map(({ name }) => name).toSorted(),
    );
  });

  test(`${name}: a migration that fails leaves nothing behind`, async (t) => {
    const [store] = await (await make(t)).replicas(1);
    assert.ok(store);
    const half: Migration = {
      name: 'half',
      async up({ tx }) {
        await tx.insertInto('job').values(jobRow()).execute();
        await sql`create table half (id integer)`.execute(tx);
        throw new Error('the power is gone');
      },
    };
    const run = migrate(store.db, store.engine, [...migrations, half]);
    await assert.rejects(run, /the power is gone/);
    assert.equal(await count(store), 0);
    await assert.rejects(sql`select id from half`.execute(store.db));
    await migrate(store.db, store.engine);
  });

  test(`${name}: a column that comes later is there for the rows of before`, async (t) => {
    const [store] = await (await make(t)).replicas(1);
    assert.ok(store);
    const thing = storedMigration({
      name: 'test/1',
      steps: [{ create: 'thing', columns: { id: { type: 'text' } }, key: ['id'] }],
    });
    await migrate(store.db, store.engine, [...migrations, thing]);
    await sql`insert into thing values ('a')`.execute(store.db);
    const later = storedMigration({
      name: 'test/2',
      steps: [
        { add: 'note', to: 'thing', column: { type: 'text', default: "it's new" } },
        { add: 'count', to: 'thing', column: { type: 'integer', default: 7 } },
        { add: 'seal', to: 'thing', column: { type: 'bytes', nullable: true } },
        { index: 'thing_note', on: 'thing', columns: ['note', 'count'], unique: true },
      ],
    });
    await migrate(store.db, store.engine, [...migrations, thing, later]);
    await sql`insert into thing values ('b', 'n', 1, ${Buffer.from([1, 2])})`.execute(store.db);
    const { rows } = await sql<{
      seal: Uint8Array | null;
    }>`select * from thing order by id`.execute(store.db);
    assert.deepEqual(
      rows.map((row) => ({ ...row, seal: row.seal && [...row.seal] })),
      [
        { id: 'a', note: "it's new", count: 7, seal: null },
        { id: 'b', note: 'n', count: 1, seal: [1, 2] },
      ],
    );
    await assert.rejects(sql`insert into thing values ('c', 'n', 1, null)`.execute(store.db));
  });

  test(`${name}: a database that is newer than the code is refused and not touched`, async (t) => {
    const { options } = await make(t);
    const newer = createStore(options);
    await newer.open();
    const added: Migration = { name: 'added-later', up: async () => {} };
    await migrate(newer.db, newer.engine, [...migrations, added]);
    await newer.close();
    const older = createStore(options);
    await assert.rejects(older.open(), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /newer than this server: .*"added-later".*knows \d+ steps/);
      return true;
    });
    // The refusal lets go of the database.
    await assert.rejects(createStore(options).open(), /newer than this server/);
  });

  test(`${name}: check says whether the database answers`, async (t) => {
    const { options } = await make(t);
    const store = createStore(options);
    await store.open();
    assert.equal(await store.check(), true);
    await store.close();
    await assert.rejects(store.check());
  });
}
