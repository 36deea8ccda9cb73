import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { ServiceError } from '#contract/errors';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { StartError } from '../../../runtime/process/start-error.ts';
import { createStore } from '../../../runtime/store/index.ts';
import { jobRow } from './job-row.ts';
import { openStore, sqliteDatabase } from './replicas.ts';
import { storeContract } from './store-contract.ts';
import { temporaryDirectory } from './temporary-directory.ts';

storeContract('SQLite', sqliteDatabase);

const holder = fileURLToPath(new URL('store-process.ts', import.meta.url));

async function pragma({ db }: Store<Tables>, name: string): Promise<unknown> {
  const { rows } = await sql.raw(`pragma ${name}`).execute(db);
  return Object.values(rows[0] as object)[0];
}

function unavailable(reason: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.status, 503);
    assert.match(error.message, reason);
    return true;
  };
}

function startError(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StartError, String(error));
    assert.match(error.message, message);
    return true;
  };
}

test('the data directory is made for this user alone', async (t) => {
  const dataDir = join(temporaryDirectory(t), 'a', 'b');
  await openStore(t, { dataDir });
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
});

test('a store that was prepared has nothing open, and opens or closes as any other', async (t) => {
  const dataDir = join(temporaryDirectory(t), 'data');
  const unused = createStore({ dataDir });
  unused.prepare();
  await assert.rejects(unused.check(), unavailable(/not open/));
  assert.equal(existsSync(dataDir), false);
  await unused.close();
  const store = createStore({ dataDir });
  t.after(() => store.close());
  store.prepare();
  await store.open();
  assert.equal(await store.check(), true);
});

test('an acknowledged commit is on the disk', async (t) => {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  assert.equal(await pragma(store, 'journal_mode'), 'wal');
  assert.equal(await pragma(store, 'synchronous'), 2);
  assert.equal(await pragma(store, 'foreign_keys'), 1);
  assert.equal(await pragma(store, 'trusted_schema'), 0);
});

test('the event loop goes on while the database works', async (t) => {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const query = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000)
    select max(i) as top from n`.execute(store.db);
  let turns = 0;
  let done = false;
  void query.finally(() => {
    done = true;
  });
  while (!done) {
    turns += 1;
    await new Promise(setImmediate);
  }
  assert.deepEqual({ ...((await query).rows[0] as object) }, { top: 300_000 });
  assert.ok(turns > 10, `${turns} turns`);
});

test('a second process on the directory is told who has it, until that one is dead', async (t) => {
  const dataDir = temporaryDirectory(t);
  const child = spawn(process.execPath, [holder, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const refused = startError(new RegExp(`process ${child.pid} already uses the data directory`));
  await assert.rejects(createStore({ dataDir }).open(), refused);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const store = await openStore(t, { dataDir });
  assert.equal(await store.check(), true);
});

test('a full disk is a 503, nothing is half done, and it goes on when there is room', async (t) => {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const pages = Number(await pragma(store, 'page_count'));
  await sql.raw(`pragma max_page_count = ${pages + 2}`).execute(store.db);
  const rows = [1, 2, 3].map((key) => jobRow({ key: `${key}`, payload: 'x'.repeat(9000) }));
  const fill = () =>
    store.transaction(async (tx) => {
      for (const row of rows) await tx.insertInto('job').values(row).execute();
    });
  await assert.rejects(fill(), unavailable(/the disk is full/));
  assert.deepEqual(await store.db.selectFrom('job').select('key').execute(), []);
  await sql.raw('pragma max_page_count = 10000').execute(store.db);
  await fill();
  assert.equal((await store.db.selectFrom('job').select('key').execute()).length, 3);
});

test('a directory that cannot be written stops the start', async (t) => {
  const dataDir = temporaryDirectory(t);
  chmodSync(dataDir, 0o500);
  // Root may write everywhere.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  if (uid !== undefined) chownSync(dataDir, uid, uid);
  const child = spawn(process.execPath, [holder, dataDir], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(
    errors,
    /StartError: the data directory .* cannot be used: .*(opened|read-only|may not)/,
  );
});

test('a file in the place of the directory stops the start', async (t) => {
  const path = join(temporaryDirectory(t), 'file');
  writeFileSync(path, '');
  const refused = startError(/cannot be used: there is a file in the place of the folder/);
  await assert.rejects(createStore({ dataDir: path }).open(), refused);
  const below = startError(/cannot be used: a part of the path is not a folder/);
  await assert.rejects(createStore({ dataDir: join(path, 'x') }).open(), below);
});

test('a file that is no database stops the start and is left as it is', async (t) => {
  const dataDir = temporaryDirectory(t);
  const path = join(dataDir, 'store.db');
  writeFileSync(path, 'not a database'.repeat(1000));
  const { mtimeMs } = statSync(path);
  await assert.rejects(createStore({ dataDir }).open(), startError(/not a database; restore/));
  assert.equal(statSync(path).mtimeMs, mtimeMs);
});

test('a writer that never ends does not stop those who read, and the others are told', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const end = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const stuck = store.transaction(async (tx) => {
    await tx.insertInto('job').values(jobRow()).execute();
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  const second = store.db
    .insertInto('job')
    .values(jobRow({ key: 'b' }))
    .execute();
  assert.deepEqual(await store.db.selectFrom('job').select('key').execute(), []);
  t.mock.timers.tick(10_000);
  await assert.rejects(second, unavailable(/another transaction takes too long/));
  end.resolve();
  await stuck;
});
