import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { migrations } from '../../../runtime/store/migrate.ts';
import type { Migration } from '../../../runtime/store/migrations/migration.ts';
import { databaseFile } from '../../../runtime/store/sqlite-files.ts';
import { SqliteThread } from '../../../runtime/store/sqlite-thread.ts';
import { openStore } from './replicas.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** The same without what they consist of: each statement is done by itself. */
const stepByStep: readonly Migration[] = migrations.map(({ name, up }) => ({ name, up }));

/** What the thread is asked for while a store opens, and what is in its database then. */
async function opened(t: TestContext, dataDir: string, known = migrations) {
  const asked = t.mock.method(SqliteThread.prototype, 'ask');
  const { db } = await openStore(t, { dataDir, migrations: known });
  const kinds = asked.mock.calls.map(({ arguments: [request] }) => request.kind);
  asked.mock.restore();
  const schema = await db
    .selectFrom('sqlite_schema' as never)
    .selectAll()
    .execute();
  const rows = await db.selectFrom('schema_migration').select('name').execute();
  return { kinds, tables: schema.map(withoutPage), names: rows.map(({ name }) => name) };
}

/** Where a table lies in the file says nothing of it. */
function withoutPage(row: object) {
  return { ...row, rootpage: undefined };
}

test('a new database is made at once, and is the same as one that is made step by step', async (t) => {
  const atOnce = await opened(t, temporaryDirectory(t));
  const slowly = await opened(t, temporaryDirectory(t), stepByStep);
  assert.deepEqual(atOnce.kinds, ['open', 'make']);
  assert.ok(slowly.kinds.filter((kind) => kind === 'execute').length > migrations.length);
  assert.deepEqual(atOnce.tables, slowly.tables);
  assert.deepEqual(atOnce.names, slowly.names);
  assert.equal(atOnce.names.length, migrations.length);
});

test('a database that has tables of others is brought through all of it step by step', async (t) => {
  const dataDir = join(temporaryDirectory(t), 'data');
  mkdirSync(dataDir);
  const before = new DatabaseSync(join(dataDir, databaseFile));
  before.exec('CREATE TABLE theirs (id INTEGER)');
  before.close();
  const { kinds, tables, names } = await opened(t, dataDir);
  assert.deepEqual(kinds.slice(0, 3), ['open', 'make', 'execute']);
  assert.ok(tables.some((row) => 'name' in row && row.name === 'theirs'));
  assert.equal(names.length, migrations.length);
});

test('a table that cannot be made leaves none behind', async (t) => {
  const dataDir = temporaryDirectory(t);
  const twice: Migration = {
    name: 'test/1',
    up: async () => {},
    steps: [{ create: 'job', columns: { id: { type: 'text' } }, key: ['id'] }],
  };
  await assert.rejects(
    openStore(t, { dataDir, migrations: [...migrations, twice] }),
    /job.* already exists/,
  );
  const after = new DatabaseSync(join(dataDir, databaseFile));
  t.after(() => after.close());
  assert.deepEqual(after.prepare('SELECT name FROM sqlite_schema').all(), []);
});
