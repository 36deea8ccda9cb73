import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { createStore } from '../../../runtime/store/index.ts';
import { jobRow } from '../store/job-row.ts';
import { openStore } from '../store/replicas.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { runCli } from './run-cli.ts';

const rows = Array.from({ length: 1200 }, (_, n) => jobRow({ key: `${n}`.padStart(5, '0') }));

/** A data directory with some rows in it, and an open store if so wanted. */
async function filled(t: TestContext, { keepOpen = false } = {}): Promise<string> {
  const dataDir = temporaryDirectory(t);
  const store = createStore({ dataDir });
  await store.open();
  await store.db.insertInto('job').values(rows).execute();
  if (keepOpen) t.after(() => store.close());
  else await store.close();
  return dataDir;
}

async function rowsIn(t: TestContext, dataDir: string) {
  const store = await openStore(t, { dataDir });
  const found = await store.db.selectFrom('job').selectAll().orderBy('key').execute();
  return found.map((row) => ({ ...row }));
}

test('store backup works while a server runs, and store restore brings it all back', async (t) => {
  const from = await filled(t, { keepOpen: true });
  const folder = temporaryDirectory(t);
  const file = join(folder, 'backup.db');
  const saved = await runCli(['store', 'backup', file], { SERVICE_DATA_DIR: from });
  assert.deepEqual(saved, { code: 0, stdout: `${file} is written\n`, stderr: '' });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['backup.db']);

  const to = join(folder, 'data');
  const back = await runCli(['store', 'restore', file], { SERVICE_DATA_DIR: to });
  assert.deepEqual(back, { code: 0, stdout: `${file} is restored\n`, stderr: '' });
  assert.deepEqual(await rowsIn(t, to), rows);
});

test('store backup never writes over a file', async (t) => {
  const from = await filled(t);
  const file = join(from, 'store.db');
  const { code, stderr } = await runCli(['store', 'backup', file], { SERVICE_DATA_DIR: from });
  assert.equal(code, 1);
  assert.match(stderr, /store.db is already there\n$/);
});

test('store restore leaves a database that is there alone', async (t) => {
  const from = await filled(t);
  const file = join(temporaryDirectory(t), 'backup.db');
  await runCli(['store', 'backup', file], { SERVICE_DATA_DIR: from });
  const { code, stderr } = await runCli(['store', 'restore', file], { SERVICE_DATA_DIR: from });
  assert.equal(code, 1);
  assert.match(stderr, /there is a database already: move store.db away/);
  assert.deepEqual(await rowsIn(t, from), rows);
});

test('store restore refuses what is no backup, and leaves nothing behind', async (t) => {
  const folder = temporaryDirectory(t);
  const file = join(folder, 'wrong.db');
  writeFileSync(file, 'no database at all'.repeat(500));
  const to = join(folder, 'data');
  const { code, stderr } = await runCli(['store', 'restore', file], { SERVICE_DATA_DIR: to });
  assert.equal(code, 1);
  assert.match(stderr, /wrong.db is not a backup of this server\n$/);
  assert.deepEqual(readdirSync(to), ['store.lock']);
  const gone = await runCli(['store', 'restore', join(folder, 'none')], { SERVICE_DATA_DIR: to });
  assert.match(gone.stderr, /ENOENT/);
  assert.doesNotMatch(gone.stderr, /\n +at /);
});

test('store says what it takes', async () => {
  for (const words of [[], ['backup'], ['copy'], ['backup', 'a', 'b'], ['drop', 'a']]) {
    const { code, stderr } = await runCli(['store', ...words]);
    assert.equal(code, 2, words.join(' '));
    assert.match(stderr, /store takes one of: backup FILE, restore FILE, copy --to URL/);
  }
  const { code } = await runCli(['tools', '--to', 'x']);
  assert.equal(code, 2);
});

test('store copy takes PostgreSQL addresses alone and repeats none', async () => {
  const { code, stderr } = await runCli(['store', 'copy', '--to', 'mysql://me:hunter2@host/db']);
  assert.equal(code, 78);
  assert.match(stderr, /--to: expected postgres:/);
  assert.doesNotMatch(stderr, /hunter2/);
});

test('SERVICE_DATABASE_URL that is no PostgreSQL address stops the start', async () => {
  const { code, stderr } = await runCli(['serve'], { SERVICE_DATABASE_URL: 'http://u:hunter2@h' });
  assert.equal(code, 78);
  assert.match(stderr, /SERVICE_DATABASE_URL: expected postgres:/);
  assert.doesNotMatch(stderr, /hunter2/);
});

test('a second server on the same data directory says who has it', async (t) => {
  const from = await filled(t, { keepOpen: true });
  const { code, stderr } = await runCli(['serve'], { SERVICE_DATA_DIR: from, PORT: '0' });
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`process ${process.pid} already uses the data directory`));
});
