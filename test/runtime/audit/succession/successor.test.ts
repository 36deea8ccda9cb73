import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { openSuccessorLog } from '../../../../runtime/audit/succession/successor.ts';
import { StartError } from '../../../../runtime/process/start-error.ts';
import { appendNotes, logOptions, openLog, temporaryFolder } from '../audit-note.ts';

const origin = 'tools.example.com/audit';

function refusal(text: string) {
  return (error: unknown) => {
    assert.ok(error instanceof StartError, String(error));
    assert.ok(error.message.includes(text), error.message);
    return true;
  };
}

/** A folder whose log is an older copy: the anchor knows six entries, and it has one. */
async function rolledBack(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  cpSync(join(folder, 'data'), join(folder, 'backup'), { recursive: true });
  const log = await openLog(t, folder);
  await appendNotes(log, 5);
  await log.close();
  rmSync(join(folder, 'data'), { recursive: true });
  cpSync(join(folder, 'backup'), join(folder, 'data'), { recursive: true });
  return folder;
}

test('a sound log is not left', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  const before = readdirSync(join(folder, 'data'));
  await assert.rejects(openSuccessorLog(logOptions(folder), 'x'), refusal(`${origin} is sound`));
  assert.deepEqual(readdirSync(join(folder, 'data')), before);
  const again = await openLog(t, folder);
  assert.equal(again.origin, origin);
  assert.equal(again.status().size, 1);
});

test('a sound log is not left because its key is not at hand', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  for (const key of [undefined, Buffer.alloc(32, 9).toString('base64')]) {
    const options = logOptions(folder, { key });
    await assert.rejects(openSuccessorLog(options, 'x'), refusal('key'));
  }
  assert.equal((await openLog(t, folder)).status().state, 'open');
});

test('where there is no log, nothing is continued', async (t) => {
  const folder = temporaryFolder(t);
  const { directory } = logOptions(folder);
  const missing = refusal(`there is no folder ${directory}`);
  await assert.rejects(openSuccessorLog(logOptions(folder), 'x'), missing);
  mkdirSync(directory);
  const empty = refusal(`there is no audit log in ${directory}, and no anchor knows ${origin}`);
  await assert.rejects(openSuccessorLog(logOptions(folder), 'x'), empty);
  assert.equal(existsSync(join(directory, 'audit.sqlite')), false);
});

test('a log of which only the anchor is left is continued', async (t) => {
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder);
  const { note } = await log.anchorNow();
  await log.close();
  rmSync(join(folder, 'data', 'audit.sqlite'));
  const successor = await openSuccessorLog(logOptions(folder), 'the disk was lost');
  t.after(() => successor.close());
  const payload = (await successor.entry(0))?.entry.payload;
  assert.deepEqual(payload?.['predecessor'], { origin, size: 0, root: '', anchored: note });
});

test('a file that is no database is continued and kept', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  writeFileSync(join(folder, 'data', 'audit.sqlite'), 'x'.repeat(9000));
  const successor = await openSuccessorLog(logOptions(folder), 'the disk was damaged');
  t.after(() => successor.close());
  assert.equal(successor.origin, `${origin}/2`);
  assert.ok(existsSync(join(folder, 'data', 'audit.1.sqlite')));
});

test('a succession that was interrupted while the new log was made starts anew', async (t) => {
  const folder = await rolledBack(t);
  const data = join(folder, 'data');
  // Tables without entries, as a process leaves them that is killed there.
  const half = join(data, 'audit.successor.new.sqlite');
  const database = new DatabaseSync(half);
  database.exec(
    'CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL); PRAGMA user_version = 1',
  );
  database.close();
  writeFileSync(`${half}-wal`, 'x');
  const older = await openLog(t, folder);
  assert.equal(older.status().state, 'rolled_back', 'the old one is still in its place');
  await older.close();
  await expectContinued(t, folder, await openSuccessorLog(logOptions(folder), 'restored'));
});

test('a succession that was interrupted between the two names is completed by the next start', async (t) => {
  const folder = await rolledBack(t);
  const data = join(folder, 'data');
  await (await openSuccessorLog(logOptions(folder), 'restored')).close();
  renameSync(join(data, 'audit.sqlite'), join(data, 'audit.successor.sqlite'));
  writeFileSync(join(data, 'audit.sqlite-wal'), 'of the old one');
  await expectContinued(t, folder, await openLog(t, folder));
  assert.ok(existsSync(join(data, 'audit.1.sqlite-wal')));
});

async function expectContinued(
  t: TestContext,
  folder: string,
  successor: Awaited<ReturnType<typeof openLog>>,
): Promise<void> {
  t.after(() => successor.close());
  assert.equal(successor.origin, `${origin}/2`);
  assert.equal(successor.status().state, 'open');
  const payload = (await successor.entry(0))?.entry.payload;
  assert.partialDeepStrictEqual(payload?.['predecessor'], { origin, size: 1 });
  assert.equal((await successor.entry(1))?.entry.action, 'AUDIT_ROLLBACK_DETECTED');
  assert.deepEqual((await successor.verify()).issues, []);
  const names = readdirSync(join(folder, 'data')).filter((name) => name.includes('successor'));
  assert.deepEqual(names, []);
  await successor.close();
}
