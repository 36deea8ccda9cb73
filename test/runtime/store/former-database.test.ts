import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { createStore } from '../../../runtime/store/index.ts';
import { migrations } from '../../../runtime/store/migrate.ts';
import { jobRow } from './job-row.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** What the server made when its migrations had numbers. */
const former = readFileSync(join(import.meta.dirname, 'former-database.sql'), 'utf8');

function schemaOf(path: string): readonly unknown[] {
  using database = new DatabaseSync(path, { readOnly: true });
  return database
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name <> 'schema_migration'",
    )
    .all()
    .map(({ sql }) => sql)
    .sort();
}

test('a database from when migrations had numbers keeps its rows and gets their names', async (t) => {
  const dataDir = temporaryDirectory(t);
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'store.db');
  const database = new DatabaseSync(path);
  database.exec(former);
  const row = jobRow();
  const names = Object.keys(row);
  const places = names.map(() => '?').join();
  database.prepare(`INSERT INTO job (${names}) VALUES (${places})`).run(...Object.values(row));
  database.close();
  for (let start = 1; start <= 2; start++) {
    const store = createStore({ dataDir });
    await store.open();
    const applied = await store.db.selectFrom('schema_migration').selectAll().execute();
    assert.deepEqual(
      applied.map(({ name }) => name),
      migrations.map(({ name }) => name),
      `start ${start}`,
    );
    // Those that came since are applied now.
    const old = applied.filter(({ applied_at: at }) => at === 1_767_225_600_000);
    assert.deepEqual(
      old.map(({ name }) => name),
      ['house/1', 'house/2', 'house/3', 'house/4'],
    );
    assert.deepEqual(await store.db.selectFrom('job').selectAll().execute(), [row]);
    await store.close();
  }
});

test('the tables that are made of data are those that were made by hand, and what came since', async (t) => {
  const folders = [temporaryDirectory(t), temporaryDirectory(t)] as const;
  const [before] = folders;
  mkdirSync(before, { recursive: true });
  const database = new DatabaseSync(join(before, 'store.db'));
  database.exec(former);
  database.close();
  for (const dataDir of folders) {
    const store = createStore({ dataDir });
    await store.open();
    await store.close();
  }
  const [old, made] = folders.map((folder) => schemaOf(join(folder, 'store.db')));
  assert.ok(made && made.length > 5);
  assert.deepEqual(old, made);
});
