import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { createStore } from '../../../runtime/store/index.ts';
import { jobRow } from '../store/job-row.ts';
import { openStore } from '../store/replicas.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { hosted } from './hosted.ts';
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
  const backup = join(folder, 'backup');
  const saved = await runCli(['store', 'backup', backup], { SERVICE_DATA_DIR: from });
  assert.deepEqual(saved, { code: 0, stdout: `${backup} is written: the store\n`, stderr: '' });
  assert.equal(statSync(backup).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(folder), ['backup']);
  assert.deepEqual(readdirSync(backup), ['manifest.json', 'store.db']);
  for (const name of readdirSync(backup)) {
    assert.equal(statSync(join(backup, name)).mode & 0o777, 0o600, name);
  }

  const to = join(folder, 'data');
  const back = await runCli(['store', 'restore', backup], { SERVICE_DATA_DIR: to });
  assert.deepEqual(back, { code: 0, stdout: `${backup} is restored: the store\n`, stderr: '' });
  assert.deepEqual(await rowsIn(t, to), rows);
});

test('store backup never writes over anything', async (t) => {
  const from = await filled(t);
  const { code, stderr } = await hosted(['store', 'backup', from], { SERVICE_DATA_DIR: from });
  assert.equal(code, 1);
  assert.match(stderr, /is already there\n$/);
});

test('store restore leaves a database that is there alone', async (t) => {
  const from = await filled(t);
  const backup = join(temporaryDirectory(t), 'backup');
  await hosted(['store', 'backup', backup], { SERVICE_DATA_DIR: from });
  const { code, stderr } = await hosted(['store', 'restore', backup], { SERVICE_DATA_DIR: from });
  assert.equal(code, 1);
  assert.match(stderr, /there is a database already: move store.db away/);
  assert.deepEqual(await rowsIn(t, from), rows);
});

test('store restore puts nothing beside what a database that was moved away has left', async (t) => {
  const from = await filled(t);
  const folder = temporaryDirectory(t);
  await hosted(['store', 'backup', join(folder, 'backup')], { SERVICE_DATA_DIR: from });
  const to = join(folder, 'data');
  mkdirSync(to);
  writeFileSync(join(to, 'store.db-wal'), 'of another database');
  const restored = ['store', 'restore', join(folder, 'backup')];
  const { code, stderr } = await hosted(restored, { SERVICE_DATA_DIR: to });
  assert.equal(code, 1);
  assert.match(stderr, /move store.db-wal away/);
});

test('a backup that is damaged, incomplete, newer or none is refused, and nothing is left behind', async (t) => {
  const from = await filled(t);
  const folder = temporaryDirectory(t);
  const whole = join(folder, 'whole');
  await hosted(['store', 'backup', whole], { SERVICE_DATA_DIR: from });
  const broken: Readonly<Record<string, readonly [(backup: string) => void, RegExp]>> = {
    'a byte is another one': [
      (backup) => changeByte(join(backup, 'store.db')),
      /store.db is damaged: expected SHA-256 [0-9a-f]{64}, found [0-9a-f]{64}\n$/,
    ],
    'a file is short': [
      (backup) => truncateSync(join(backup, 'store.db'), 4096),
      /store.db is damaged: expected \d+ bytes, found 4096\n$/,
    ],
    'a file is missing': [
      (backup) => rmSync(join(backup, 'store.db')),
      /is incomplete: store.db is missing\n$/,
    ],
    'it was interrupted': [
      (backup) => rmSync(join(backup, 'manifest.json')),
      /is not a backup of this server, or not a whole one: .* with a manifest.json\n$/,
    ],
    'the manifest is damaged': [
      (backup) => truncateSync(join(backup, 'manifest.json'), 30),
      /manifest.json is damaged/,
    ],
    'the manifest points elsewhere': [
      (backup) => editManifest(backup, ({ files }) => ({ format: 1, files: { '../x': files } })),
      /manifest.json is damaged/,
    ],
    'it is newer': [
      (backup) => editManifest(backup, (manifest) => ({ ...manifest, format: 2, server: '9.0.0' })),
      /written by version "9.0.0", whose backups have format 2; this version .* reads 1/,
    ],
    'it is of another program': [
      (backup) => editManifest(backup, (manifest) => ({ ...manifest, files: {} })),
      /is incomplete: it holds no store.db/,
    ],
  };
  for (const [name, [damage, message]] of Object.entries(broken)) {
    const backup = join(folder, name);
    cpSync(whole, backup, { recursive: true });
    damage(backup);
    const to = join(folder, `data of ${name}`);
    const restored = await hosted(['store', 'restore', backup], { SERVICE_DATA_DIR: to });
    assert.equal(restored.code, 1, name);
    assert.match(restored.stderr, message, name);
    assert.equal(existsSync(to), false, name);
  }
});

function changeByte(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

function editManifest(backup: string, edit: (manifest: Record<string, unknown>) => unknown): void {
  const path = join(backup, 'manifest.json');
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')))));
}

test('store says what it takes', async () => {
  for (const words of [[], ['backup'], ['copy'], ['backup', 'a', 'b'], ['drop', 'a']]) {
    const { code, stderr } = await hosted(['store', ...words]);
    assert.equal(code, 2, words.join(' '));
    assert.match(stderr, /store takes one of: backup FOLDER, restore FOLDER, check, copy --to URL/);
  }
  const { code } = await hosted(['tools', '--to', 'x']);
  assert.equal(code, 2);
});

test('store copy takes PostgreSQL addresses alone and repeats none', async () => {
  const { code, stderr } = await hosted(['store', 'copy', '--to', 'mysql://me:hunter2@host/db']);
  assert.equal(code, 78);
  assert.match(stderr, /--to: expected postgres:/);
  assert.doesNotMatch(stderr, /hunter2/);
});

test('SERVICE_DATABASE_URL that is no PostgreSQL address stops the start', async () => {
  const { code, stderr } = await hosted(['serve'], { SERVICE_DATABASE_URL: 'http://u:hunter2@h' });
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

test('store check finds nothing in a sound store, also while a server runs, and damage in another', async (t) => {
  const dataDir = await filled(t, { keepOpen: true });
  const sound = await hosted(['store', 'check'], { SERVICE_DATA_DIR: dataDir });
  assert.deepEqual(sound, { code: 0, stdout: 'the store is sound\n', stderr: '' });
  const damagedDir = await filled(t);
  const path = join(damagedDir, 'store.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, bytes.length - 8192, bytes.length - 4096));
  const damaged = await hosted(['store', 'check'], { SERVICE_DATA_DIR: damagedDir });
  assert.equal(damaged.code, 1);
  assert.match(damaged.stdout, /^problem: .+\nthe store is damaged: restore a backup\n$/s);
});

test('store check needs something that it can check', async (t) => {
  const dataDir = temporaryDirectory(t);
  const { code, stderr } = await hosted(['store', 'check'], { SERVICE_DATA_DIR: dataDir });
  assert.equal(code, 1);
  assert.match(stderr, /there is no database .*store\.db/);
});
