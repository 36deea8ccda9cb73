import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { ServiceError } from '#contract/errors';
import { StartError } from '../../../runtime/process/start-error.ts';
import { checkStore } from '../../../runtime/store/check.ts';
import { createStore, type OwnedStore } from '../../../runtime/store/index.ts';
import { jobRow } from './job-row.ts';
import { openStore } from './replicas.ts';
import { runOnSmallDisk } from './small-disk.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const writer = fileURLToPath(new URL('full-disk-writer.ts', import.meta.url));
const holder = fileURLToPath(new URL('store-process.ts', import.meta.url));

test('a full disk: 503, the transaction is undone, reads go on, and so do writes with room', (t) => {
  const { committed, startFailure, message, ...found } = runOnSmallDisk(t, writer);
  assert.ok(Number(committed) > 0);
  assert.match(
    String(message),
    /^the store does not work now: the disk (is full|reports an error)$/,
  );
  assert.deepEqual(found, {
    code: 'store_unavailable',
    status: 503,
    whenFull: Number(committed) * 3,
    later: Number(committed) * 3 + 3,
    answers: true,
    integrity: 'ok',
  });
  assert.match(
    String(startFailure),
    /^StartError: the data directory .*other cannot be used: the disk (is full|reports an error)$/,
  );
});

/** Fill a store with so many rows, and close it: all of it is in one file then. */
async function filled(t: TestContext, count: number, bytes: number) {
  const dataDir = temporaryDirectory(t);
  const store = createStore({ dataDir });
  await store.open();
  const rows = Array.from({ length: count }, (_, n) =>
    jobRow({ key: String(n).padStart(6, '0'), payload: 'x'.repeat(bytes) }),
  );
  await store.transaction(async (tx) => {
    for (let at = 0; at < count; at += 200) {
      await tx
        .insertInto('job')
        .values(rows.slice(at, at + 200))
        .execute();
    }
  });
  const root = await rootPage(store);
  await store.close();
  return { dataDir, path: join(dataDir, 'store.db'), root };
}

async function rootPage({ db }: OwnedStore): Promise<number> {
  const { rows } = await sql<{ rootpage: number }>`
    select rootpage from sqlite_master where name = 'job'`.execute(db);
  return rows[0]?.rootpage ?? 1;
}

function spoil(path: string, page: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096);
}

const damaged = (error: unknown) => {
  assert.ok(error instanceof StartError, String(error));
  assert.match(error.message, /cannot be used: the database is damaged; see .*store check/);
  return true;
};

test('a damaged page stops the start, and a check says more', async (t) => {
  const { dataDir, path } = await filled(t, 200, 500);
  assert.deepEqual((await checkStore({ dataDir })).problems, []);
  // Not the first page that anything would read.
  spoil(path, Math.floor(readFileSync(path).length / 4096) - 1);
  const before = readFileSync(path);
  await assert.rejects(createStore({ dataDir }).open(), damaged);
  assert.notDeepEqual((await checkStore({ dataDir })).problems, []);
  assert.deepEqual(readFileSync(path), before);
});

test('a database that was cut off stops the start, also where it is too large to be read', async (t) => {
  const { dataDir, path } = await filled(t, 4600, 4000);
  const { length } = readFileSync(path);
  assert.ok(length > 16 * 1024 * 1024);
  await (await openStore(t, { dataDir })).close();
  truncateSync(path, length - 40 * 4096);
  await assert.rejects(createStore({ dataDir }).open(), damaged);
  assert.notDeepEqual((await checkStore({ dataDir })).problems, []);
});

test('a page that is damaged while the store is open is a 503 for those who need it', async (t) => {
  const { dataDir, path, root } = await filled(t, 200, 500);
  const store = await openStore(t, { dataDir });
  // The start has read all of it: nothing of that may stay in memory.
  await sql`pragma shrink_memory`.execute(store.db);
  spoil(path, root);
  const unavailable = (error: unknown) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.status, 503);
    assert.match(error.message, /the database is damaged; see .*, or restore a backup/);
    return true;
  };
  await assert.rejects(store.db.selectFrom('job').selectAll().execute(), unavailable);
  await assert.rejects(
    store.transaction((tx) => tx.updateTable('job').set({ attempt: 1 }).execute()),
    unavailable,
  );
  assert.equal(await store.check(), true);
});

test('a check while a server has the store changes nothing and finds nothing', async (t) => {
  const { dataDir } = await filled(t, 200, 500);
  const store = await openStore(t, { dataDir });
  await store.db
    .insertInto('job')
    .values(jobRow({ key: 'more' }))
    .execute();
  assert.deepEqual(await checkStore({ dataDir }), { tables: [], problems: [] });
  await store.db
    .insertInto('job')
    .values(jobRow({ key: 'most' }))
    .execute();
});

test('a check of what is no database, or of nothing, says so', async (t) => {
  const dataDir = temporaryDirectory(t);
  await assert.rejects(checkStore({ dataDir }), /StartError: there is no database .*store\.db/);
  writeFileSync(join(dataDir, 'store.db'), 'not a database'.repeat(1000));
  const { problems } = await checkStore({ dataDir });
  assert.match(problems.join(), /store\.db: the file is not a database; restore a backup/);
});

test('files and folders that can only be read stop the start', async (t) => {
  const { dataDir, path } = await filled(t, 3, 10);
  const { stderr, status } = runOnReadOnlyDisk(dataDir, path);
  assert.equal(status, 1, stderr);
  assert.match(
    stderr,
    /StartError: the data directory .* cannot be used: the database (cannot be written: the files or the folder are read-only|file cannot be opened)/,
  );
});

/** On a file system that is mounted for reading, or where none may be mounted, by the files' modes. */
function runOnReadOnlyDisk(dataDir: string, path: string) {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"';
  const words = [process.execPath, holder, dataDir];
  if (spawnSync('unshare', ['-rm', 'sh', '-c', mount, dataDir]).status === 0) {
    const script = `${mount} && exec "$@"`;
    const options = { encoding: 'utf8' } as const;
    return spawnSync('unshare', ['-rm', 'sh', '-c', script, dataDir, ...words], options);
  }
  // Root may write everywhere.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  for (const name of [dataDir, path, join(dataDir, 'store.lock')]) {
    if (uid !== undefined) chownSync(name, uid, uid);
    chmodSync(name, name === dataDir ? 0o500 : 0o400);
  }
  const who = uid === undefined ? {} : { uid, gid: uid };
  return spawnSync(process.execPath, [holder, dataDir], { encoding: 'utf8', ...who });
}
