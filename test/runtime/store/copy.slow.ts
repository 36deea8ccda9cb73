import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { tableKeys } from '../../../generated/migrations.ts';
import { createStore, type StoreOptions } from '../../../runtime/store/index.ts';
import { runCli } from '../cli/run-cli.ts';
import { jobRow } from './job-row.ts';
import { PostgresServer } from './postgres-server.ts';
import { openStore } from './replicas.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const server = await PostgresServer.start();
after(() => server.stop());

const rows = Array.from({ length: 1501 }, (_, n) =>
  jobRow({
    tenant: n % 2 === 0 ? 'ä' : 'Z',
    key: `${n}`,
    payload: '{"a":"\u{1F600}\\n"}',
    run_at: 1.7e12 + n,
  }),
);

async function filled(t: TestContext): Promise<string> {
  const dataDir = temporaryDirectory(t);
  const store = createStore({ dataDir });
  await store.open();
  await store.db.insertInto('job').values(rows).execute();
  await store.close();
  return dataDir;
}

async function rowsIn(t: TestContext, options: StoreOptions) {
  const store = await openStore(t, options);
  const found = await store.db.selectFrom('job').selectAll().execute();
  return found.map((row) => ({ ...row })).toSorted((a, b) => Number(a.key) - Number(b.key));
}

test('store copy moves everything from SQLite to PostgreSQL and compares it', async (t) => {
  const dataDir = await filled(t);
  const databaseUrl = await server.createDatabase();
  const copy = ['store', 'copy', '--to', databaseUrl];
  const { code, stdout, stderr } = await runCli(copy, { SERVICE_DATA_DIR: dataDir });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.match(
    stdout,
    /^(?:\w+: 0 rows.*\n)*job: 1501 rows, sha256 [0-9a-f]{64}\n(?:\w+: 0 rows.*\n)*everything has arrived/,
  );
  assert.deepEqual(await rowsIn(t, { dataDir: '/nowhere', databaseUrl }), rows);

  const again = await runCli(copy, { SERVICE_DATA_DIR: dataDir });
  assert.equal(again.code, 1);
  assert.match(
    again.stderr,
    /the target is not empty: there are rows in job; nothing is copied\n$/,
  );
});

test('store copy leaves the target as it was when a row arrives changed', async (t) => {
  const dataDir = await filled(t);
  const databaseUrl = await server.createDatabase();
  const target = await openStore(t, { dataDir: '/nowhere', databaseUrl });
  await sql`create function change() returns trigger language plpgsql as
    'begin if new.key = ''700'' then new.attempt = 9; end if; return new; end'`.execute(target.db);
  await sql`create trigger change before insert on job for each row execute function change()`.execute(
    target.db,
  );
  const copy = ['store', 'copy', '--to', databaseUrl];
  const { code, stderr } = await runCli(copy, { SERVICE_DATA_DIR: dataDir });
  assert.equal(code, 1);
  assert.match(stderr, /job has not arrived as it was: nothing is copied\n$/);
  assert.deepEqual(await target.db.selectFrom('job').selectAll().execute(), []);
});

test('a backup of PostgreSQL is restored into another PostgreSQL and into SQLite', async (t) => {
  const dataDir = await filled(t);
  const first = await server.createDatabase();
  await runCli(['store', 'copy', '--to', first], { SERVICE_DATA_DIR: dataDir });
  const file = join(temporaryDirectory(t), 'backup');
  const saved = await runCli(['store', 'backup', file], { SERVICE_DATABASE_URL: first });
  assert.deepEqual({ code: saved.code, stderr: saved.stderr }, { code: 0, stderr: '' });

  const second = await server.createDatabase();
  const toPostgres = await runCli(['store', 'restore', file], { SERVICE_DATABASE_URL: second });
  assert.deepEqual({ code: toPostgres.code, stderr: toPostgres.stderr }, { code: 0, stderr: '' });
  assert.deepEqual(await rowsIn(t, { dataDir: '/nowhere', databaseUrl: second }), rows);

  const folder = join(temporaryDirectory(t), 'data');
  await runCli(['store', 'restore', file], { SERVICE_DATA_DIR: folder });
  assert.deepEqual(await rowsIn(t, { dataDir: folder }), rows);
});

test('store check reads all that PostgreSQL has, and says what a copy from SQLite said', async (t) => {
  const dataDir = await filled(t);
  const databaseUrl = await server.createDatabase();
  const check = () => runCli(['store', 'check'], { SERVICE_DATABASE_URL: databaseUrl });
  const empty = await check();
  assert.equal(empty.code, 1);
  assert.match(empty.stderr, /the database is not one of this server/);
  const copied = await runCli(['store', 'copy', '--to', databaseUrl], {
    SERVICE_DATA_DIR: dataDir,
  });
  const [digest = ''] = copied.stdout.match(/^job: .*$/m) ?? [];
  assert.notEqual(digest, '');
  const { code, stdout } = await check();
  assert.equal(code, 0);
  assert.ok(stdout.includes(`${digest}\n`) && stdout.endsWith('the store is sound\n'), stdout);
});

test('a copy knows every table of the database', async (t) => {
  const databaseUrl = await server.createDatabase();
  const store = await openStore(t, { dataDir: '/nowhere', databaseUrl });
  const names = (await store.db.introspection.getTables()).map(({ name }) => name);
  const known = [...Object.keys(tableKeys), 'schema_migration'];
  assert.deepEqual(names.toSorted(), known.toSorted());
});
