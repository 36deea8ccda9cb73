import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { readIdentity } from '../../../../runtime/audit/sqlite/schema.ts';
import { verifyPath } from '../../../../runtime/audit/verify/verify-files.ts';
import { checkAll } from '../../../../runtime/backup/check-all.ts';
import { createStore } from '../../../../runtime/store/index.ts';
import { appendNotes, note, openLog, temporaryFolder } from '../audit-note.ts';

/** A data directory with a store and a log of 300 entries. */
async function kept(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  const dataDir = join(folder, 'data');
  const store = createStore({ dataDir });
  await store.open();
  await store.close();
  const log = await openLog(t, folder);
  await appendNotes(log, 299);
  await log.close();
  return dataDir;
}

/** Noise that is the same in every run. */
function noise(seed: number, length: number): Buffer {
  const parts = Array.from({ length: length / 64 }, (_, part) =>
    hash('sha512', `${seed} ${part}`, 'buffer'),
  );
  return Buffer.concat(parts);
}

test('noise in any page of the audit log is found by store check', async (t) => {
  const dataDir = await kept(t);
  const path = join(dataDir, 'audit.sqlite');
  const sound = readFileSync(path);
  assert.deepEqual((await checkAll({ dataDir })).problems, []);
  const [pageSize, pages] = [4096, sound.length / 4096];
  assert.ok(pages > 30, `found ${pages}`);
  for (let page = 0; page < pages; page++) {
    const damaged = Buffer.from(sound);
    damaged.set(noise(page, pageSize), page * pageSize);
    writeFileSync(path, damaged);
    const { problems } = await checkAll({ dataDir });
    assert.ok(problems.length > 0, `page ${page + 1} of ${pages}`);
    assert.match(problems[0] ?? '', /^audit log: /);
  }
});

test('a log with a damaged page takes no entries, and says why', async (t) => {
  const dataDir = await kept(t);
  const path = join(dataDir, 'audit.sqlite');
  const bytes = readFileSync(path);
  // In the middle, before the entries that each start recomputes: an inner page of what was proven.
  bytes.set(noise(1, 4096), 4096 * 12);
  writeFileSync(path, bytes);
  const log = await openLog(t, join(dataDir, '..'));
  assert.equal(log.status().state, 'failed');
  await assert.rejects(log.append(note(1)), /audit log cannot be written/);
});

/** Read a folder as an account that may not write to it, where that is not the case anyway. */
async function withoutRights<T>(folder: string, act: () => Promise<T>): Promise<T> {
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
  chmodSync(join(folder, '..'), 0o755);
  chmodSync(folder, 0o555);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o755);
  }
}

test('where nothing can be written, a log and a store are read as they are', async (t) => {
  const dataDir = await kept(t);
  const path = join(dataDir, 'audit.sqlite');
  await withoutRights(dataDir, async () => {
    assert.throws(() => new DatabaseSync(path, { readOnly: true }).exec('SELECT 1 FROM entry'));
    assert.deepEqual((await checkAll({ dataDir })).problems, []);
    const found = verifyPath(path, readIdentity(path)?.vkey ?? '');
    assert.deepEqual(found.issues, []);
    assert.equal(found.records, 300);
  });
});

test('a log that was copied there while it was written is not called damaged', async (t) => {
  const dataDir = await kept(t);
  const path = join(dataDir, 'audit.sqlite');
  const copy = join(dataDir, '..', 'copy');
  const database = new DatabaseSync(path);
  database.exec("INSERT INTO meta VALUES ('x', 'y')");
  cpSync(dataDir, copy, { recursive: true });
  database.close();
  rmSync(join(copy, 'audit.sqlite-shm'));
  await withoutRights(copy, async () => {
    await assert.rejects(checkAll({ dataDir: copy }), /its newest entries are in .*-wal/);
  });
});
