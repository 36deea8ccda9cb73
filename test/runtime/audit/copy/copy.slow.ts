import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { after } from 'node:test';
import pg from 'pg';
import { copyAuditLog } from '../../../../runtime/audit/copy/index.ts';
import { moveAuditLog } from '../../../../runtime/audit/copy/moving.ts';
import { databaseName } from '../../../../runtime/audit/log/moved-log.ts';
import { parseCheckpoint } from '../../../../runtime/audit/verify/verify.ts';
import { verifyPath } from '../../../../runtime/audit/verify/verify-files.ts';
import { StartError } from '../../../../runtime/process/start-error.ts';
import { runCli } from '../../cli/run-cli.ts';
import { PostgresServer } from '../../store/postgres-server.ts';
import { appendNotes, note, openLog, temporaryFolder } from '../audit-note.ts';
import { k1, k2, makeRotated, second } from '../succession/rotation-contract.ts';

const server = await PostgresServer.start();
after(() => server.stop());

/** A closed log of 700 entries in a folder, with several checkpoints. */
async function madeLog(folder: string, t: Parameters<typeof openLog>[0]) {
  const log = await openLog(t, folder);
  await appendNotes(log, 300);
  await log.anchorNow();
  await appendNotes(log, 399, 300);
  const { size, root, note: text } = await log.anchorNow();
  await log.close();
  return { file: join(folder, 'data', 'audit.sqlite'), size, root, text, vkey: log.vkey };
}

test('store copy moves the log with all of its proofs, and prints the root of both sides', async (t) => {
  const folder = temporaryFolder(t);
  const { root } = await madeLog(folder, t);
  const databaseUrl = await server.createDatabase();
  const env = { SERVICE_DATA_DIR: join(folder, 'data') };
  const copied = await runCli(['store', 'copy', '--to', databaseUrl], env);
  assert.equal(copied.code, 0, copied.stderr);
  assert.ok(
    copied.stdout.includes(
      `the audit log tools.example.com/audit with 700 entries and 3 checkpoints: root ${root}, the same on both sides\n`,
    ),
    copied.stdout,
  );

  const log = await openLog(t, folder, { databaseUrl });
  assert.equal(log.origin, 'tools.example.com/audit');
  assert.equal((await log.append(note(1))).seq, 700);
  const { ok, records, issues } = await log.verify();
  assert.deepEqual({ ok, records, issues }, { ok: true, records: 701, issues: [] });
  assert.ok(await log.proof(3, 301), 'the old checkpoints are there');

  const again = await runCli(['store', 'copy', '--to', databaseUrl], env);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /the target has an audit log already, tools.example.com\/audit/);
});

test('a log that was moved is not written any more where it was, and is read there', async (t) => {
  const folder = temporaryFolder(t);
  const { vkey } = await madeLog(folder, t);
  const env = { SERVICE_DATA_DIR: join(folder, 'data'), PORT: '0' };
  const [first, second] = [await server.createDatabase(), await server.createDatabase()];
  const move = (to: string, from: object = {}) =>
    runCli(['store', 'copy', '--to', to], { ...env, ...from });
  assert.equal((await move(first)).code, 0);
  const refused = await runCli(['serve'], env);
  assert.equal(refused.code, 1);
  const name = first.replace(/^.*\/(.*)\?host=(.*)$/, 'postgres://$2/$1');
  assert.ok(refused.stderr.includes(`was moved to ${name} and is not written here any more`));
  assert.doesNotMatch(refused.stderr, /\n +at /);
  await assert.rejects(openLog(t, folder), StartError);
  assert.deepEqual(verifyPath(join(folder, 'data', 'audit.sqlite'), vkey).issues, []);
  const elsewhere = await move(second);
  assert.equal(elsewhere.code, 1);
  assert.ok(elsewhere.stderr.includes(`was moved to ${name}: copy it from there`));

  const replica = await openLog(t, folder, { databaseUrl: first });
  assert.equal((await move(second, { SERVICE_DATABASE_URL: first })).code, 0);
  await assert.rejects(replica.append(note(1)), /it is continued as postgres:/);
  await assert.rejects(openLog(t, folder, { databaseUrl: first }), /not written here any more/);
  const log = await openLog(t, folder, { databaseUrl: second });
  assert.equal((await log.append(note(2))).seq, 700);
});

test('a move that was interrupted before its end is made once more', async (t) => {
  const folder = temporaryFolder(t);
  const { file } = await madeLog(folder, t);
  const databaseUrl = await server.createDatabase();
  const database = new DatabaseSync(file);
  database.prepare("INSERT INTO meta VALUES ('moved', ?)").run(databaseName(databaseUrl));
  database.close();
  await assert.rejects(openLog(t, folder), /repeat "agent-tool-server store copy"/);
  const env = { SERVICE_DATA_DIR: join(folder, 'data') };
  assert.equal((await runCli(['store', 'copy', '--to', databaseUrl], env)).code, 0);
  const log = await openLog(t, folder, { databaseUrl });
  assert.equal((await log.append(note(1))).seq, 700);
});

test('entries that are added in PostgreSQL while the log is copied end the copy', async (t) => {
  const folder = temporaryFolder(t);
  await madeLog(folder, t);
  const [first, second] = [await server.createDatabase(), await server.createDatabase()];
  await moveAuditLog({ file: join(folder, 'data', 'audit.sqlite') }, first, async () => {});
  const log = await openLog(t, folder, { databaseUrl: first });
  const writing = moveAuditLog({ url: first }, second, async () => {
    await log.append(note(1));
  });
  await assert.rejects(writing, /a server writes the audit log while it is copied/);
  assert.deepEqual(await count(second, 'audit_log'), 0);
  assert.equal((await log.append(note(2))).seq, 701);
});

test('the keys of a rotated log arrive with it', async (t) => {
  const folder = temporaryFolder(t);
  await makeRotated({ open: (changes) => openLog(t, folder, changes) });
  const databaseUrl = await server.createDatabase();
  await copyAuditLog({ file: join(folder, 'data', 'audit.sqlite') }, { url: databaseUrl });
  const log = await openLog(t, folder, { databaseUrl, key: second });
  assert.deepEqual(
    log.keys.map(({ vkey }) => vkey),
    [k2, k1],
  );
  await log.close();
  const file = join(temporaryFolder(t), 'audit.sqlite');
  await copyAuditLog({ url: databaseUrl }, { file });
  for (const vkey of [k1, k2]) assert.deepEqual(verifyPath(file, vkey).issues, []);
});

test('a database that cannot be used is named without a stack trace', async (t) => {
  const folder = temporaryFolder(t);
  await madeLog(folder, t);
  const env = { SERVICE_DATA_DIR: join(folder, 'data') };
  const there = await server.createDatabase();
  const wrong: readonly [string, RegExp][] = [
    [there.replace(/test_\d+\?/, 'missing?'), /database.* does not exist/],
    ['postgres://postgres:geheim@127.0.0.1:1/x', /cannot be reached \(ECONNREFUSED\)/],
  ];
  for (const data of [env.SERVICE_DATA_DIR, join(folder, 'none')]) {
    for (const [to, reason] of wrong) {
      const copy = ['store', 'copy', '--to', to];
      const { code, stderr } = await runCli(copy, { SERVICE_DATA_DIR: data });
      assert.equal(code, 1);
      assert.match(stderr, reason);
      assert.doesNotMatch(stderr, /geheim|\n +at /);
    }
  }
  const log = await openLog(t, folder);
  assert.equal((await log.append(note(1))).seq, 700, 'it was not moved');
});

test('a log that is not as it was noted is not copied, and neither is the store', async (t) => {
  const folder = temporaryFolder(t);
  const { file } = await madeLog(folder, t);
  const database = new DatabaseSync(file);
  database.exec("DROP TRIGGER entry_kept; UPDATE entry SET bytes = x'7b7d' WHERE seq = 40");
  database.close();
  const databaseUrl = await server.createDatabase();
  const { code, stderr } = await runCli(['store', 'copy', '--to', databaseUrl], {
    SERVICE_DATA_DIR: join(folder, 'data'),
  });
  assert.equal(code, 1);
  assert.match(stderr, /the audit log is not as it was noted: expected the root/);
  assert.deepEqual(await count(databaseUrl, 'audit_log'), 0);
});

test('when the store does not arrive, the log does not stay', async (t) => {
  const folder = temporaryFolder(t);
  const { file } = await madeLog(folder, t);
  const url = await server.createDatabase();
  await assert.rejects(
    copyAuditLog({ file }, { url }, () => Promise.reject(new Error('the store has not arrived'))),
    /the store has not arrived/,
  );
  assert.deepEqual(await count(url, 'audit_entry'), 0);
});

test('a log goes from PostgreSQL into a file and stays what it was', async (t) => {
  const folder = temporaryFolder(t);
  const { file, vkey, text, root } = await madeLog(folder, t);
  const url = await server.createDatabase();
  await copyAuditLog({ file }, { url });
  const back = join(folder, 'back.sqlite');
  const copied = await copyAuditLog({ url }, { file: back });
  assert.deepEqual(
    { ...copied },
    { origin: 'tools.example.com/audit', size: 700, root, checkpoints: 3 },
  );
  assert.deepEqual(verifyPath(back, vkey, [text]).issues, []);
  assert.equal(parseCheckpoint(text)?.size, 700);
});

test('a backup of PostgreSQL holds the log, and is restored into PostgreSQL and into SQLite', async (t) => {
  const folder = temporaryFolder(t);
  const { file } = await madeLog(folder, t);
  const [first, second] = [await server.createDatabase(), await server.createDatabase()];
  await copyAuditLog({ file }, { url: first });
  const backup = join(folder, 'backup');
  const saved = await runCli(['store', 'backup', backup], { SERVICE_DATABASE_URL: first });
  assert.match(saved.stdout, /and the audit log tools.example.com\/audit with 700 entries\n/);
  assert.deepEqual(readdirSync(backup), ['audit.sqlite', 'manifest.json', 'store.db']);

  const restore = ['store', 'restore', backup];
  const restored = await runCli(restore, { SERVICE_DATABASE_URL: second });
  assert.equal(restored.code, 0, restored.stderr);
  const log = await openLog(t, folder, { databaseUrl: second });
  assert.equal((await log.append(note(1))).seq, 700);
  assert.deepEqual((await log.verify()).issues, []);

  const data = join(folder, 'restored', 'data');
  assert.equal((await runCli(restore, { SERVICE_DATA_DIR: data })).code, 0);
  const embedded = await openLog(t, join(folder, 'restored'));
  assert.equal((await embedded.append(note(1))).seq, 700);
  assert.deepEqual((await embedded.verify()).issues, []);
});

test('where there is no log there is nothing to copy', async (t) => {
  const file = join(temporaryFolder(t), 'none.sqlite');
  const url = await server.createDatabase();
  assert.equal(await copyAuditLog({ file }, { url }), undefined);
  assert.equal(await copyAuditLog({ url }, { file }), undefined);
  assert.equal(existsSync(file), false);
});

async function count(url: string, table: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(`select count(*)::integer as rows from ${table}`);
  await client.end();
  return rows[0].rows;
}
