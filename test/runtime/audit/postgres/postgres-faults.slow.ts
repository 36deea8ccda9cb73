import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import test, { after } from 'node:test';
import pg from 'pg';
import { addSuccessor } from '../../../../runtime/audit/postgres/succeed.ts';
import { openSuccessorLog } from '../../../../runtime/audit/succession/successor.ts';
import { PostgresServer } from '../../store/postgres-server.ts';
import { appendNotes, logOptions, note, openLog, temporaryFolder } from '../audit-note.ts';

const server = await PostgresServer.start();
after(() => server.stop());

async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

/** A way to the database that can be cut between a commit and its answer. */
async function cuttableWay(t: { after(work: () => void): void }, url: string) {
  const socket = join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const way = { cutAnswers: 0, cuts: 0, stays: true };
  const relay = createServer((client) => {
    if (way.cuts > 0 && !way.stays) {
      client.destroy();
      return;
    }
    const database = connectTo(socket);
    let committing = false;
    const end = () => {
      client.destroy();
      database.destroy();
    };
    client.on('data', (bytes) => {
      committing = bytes.includes('commit');
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (!committing || way.cutAnswers === 0) {
        client.write(bytes);
        return;
      }
      way.cutAnswers--;
      way.cuts++;
      end();
    });
    for (const side of [client, database] as Socket[]) side.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  t.after(() => relay.close());
  const address = relay.address();
  assert.ok(typeof address === 'object' && address !== null);
  return { way, through: `postgres://postgres@127.0.0.1:${address.port}${new URL(url).pathname}` };
}

test('a commit whose answer is lost is found, and not written again', async (t) => {
  const databaseUrl = await server.createDatabase();
  const { way, through } = await cuttableWay(t, databaseUrl);
  const log = await openLog(t, temporaryFolder(t), { databaseUrl: through });
  for (let number = 0; number < 20; number++) {
    way.cutAnswers = 1;
    const receipt = await log.append(note(number));
    assert.equal(receipt.seq, number + 1);
    assert.equal((await log.entry(receipt.seq))?.hash, receipt.hash);
  }
  assert.equal(way.cuts, 20);
  assert.deepEqual((await log.verify()).issues, []);
});

test('where the outcome stays unknown the refusal says so, and the entry is there once', async (t) => {
  const databaseUrl = await server.createDatabase();
  const { way, through } = await cuttableWay(t, databaseUrl);
  const log = await openLog(t, temporaryFolder(t), { databaseUrl: through });
  Object.assign(way, { cutAnswers: 1, stays: false });
  await assert.rejects(log.append(note(1)), {
    code: 'audit_unavailable',
    message: /whether this entry was written is not known$/,
  });
  way.stays = true;
  let seq: number | undefined;
  while (seq === undefined) {
    ({ seq } = await log.append(note(2)).catch(() => ({ seq: undefined })));
  }
  assert.equal(seq, 2);
  const { records, issues } = await log.verify();
  assert.deepEqual({ records, issues }, { records: 3, issues: [] });
});

test('a database that stays away refuses with 503, and the log recovers by itself', async (t) => {
  const own = await PostgresServer.start();
  t.after(() => own.stop());
  const reports: string[] = [];
  const log = await openLog(t, temporaryFolder(t), {
    databaseUrl: await own.createDatabase(),
    report: (message) => reports.push(message),
  });
  await log.append(note(1));
  await own.kill();
  await assert.rejects(log.append(note(2)), { code: 'audit_unavailable', status: 503 });
  assert.equal(log.status().state, 'failed');
  assert.match(reports.join(), /the audit log cannot be written: PostgreSQL cannot be reached/);
  await own.run();
  // By itself, without anything to write.
  while (log.status().state !== 'open') await log.append(note(3)).catch(() => undefined);
  const { seq } = await log.append(note(4));
  assert.equal((await log.verify()).records, seq + 1);
  assert.match(reports.at(-1) ?? '', /takes entries again/);
});

test('replicas that start at once make one log with one first entry', async (t) => {
  const databaseUrl = await server.createDatabase();
  const logs = await Promise.all(
    Array.from({ length: 4 }, () => openLog(t, temporaryFolder(t), { databaseUrl })),
  );
  await Promise.all(logs.map((log, at) => appendNotes(log, 200, at * 1000)));
  const [first] = logs;
  assert.ok(first);
  const { records, issues } = await first.verify();
  assert.deepEqual({ records, issues }, { records: 801, issues: [] });
  const opened = await first.list({ action: 'AUDIT_LOG_OPENED', limit: 10 });
  assert.equal(opened.records.length, 1);
  for (const log of logs) assert.equal((await log.checkpoint()).size > 0, true);
});

test('what one replica has written, another one lists, proves and signs', async (t) => {
  const databaseUrl = await server.createDatabase();
  const writer = await openLog(t, temporaryFolder(t), { databaseUrl });
  const reader = await openLog(t, temporaryFolder(t), { databaseUrl });
  const { seq } = await writer.append(note(1));
  const page = await reader.list({ limit: 1 });
  assert.equal(page.records[0]?.entry.seq, seq);
  assert.equal(page.size, seq + 1, 'what the other one wrote counts too');
  assert.ok(await reader.proof(seq));
  const signed = await reader.checkpoint();
  assert.equal((await writer.checkpoint()).note, signed.note);
});

test('a replica with another key is refused, and told which key to take', async (t) => {
  const databaseUrl = await server.createDatabase();
  await openLog(t, temporaryFolder(t), { databaseUrl, key: undefined });
  await assert.rejects(
    openLog(t, temporaryFolder(t), { databaseUrl }),
    /signed with another key.*give this server the former as SERVICE_AUDIT_KEY/,
  );
  await assert.rejects(
    openLog(t, temporaryFolder(t), { databaseUrl, key: undefined }),
    /the signing key .* is missing: put it back, or set SERVICE_AUDIT_KEY/,
  );
});

test('tables of a newer version are refused and not touched', async (t) => {
  const databaseUrl = await server.createDatabase();
  await (await openLog(t, temporaryFolder(t), { databaseUrl })).close();
  await query(databaseUrl, 'update audit_schema set version = 99');
  await assert.rejects(openLog(t, temporaryFolder(t), { databaseUrl }), /format 99, newer than/);
});

test('a kill while the tables are made leaves nothing half-made', async (t) => {
  const databaseUrl = await server.createDatabase();
  // The last of the tables waits for the one of this transaction: the others are made by then.
  const blocker = new pg.Client(databaseUrl);
  await blocker.connect();
  await blocker.query('begin; create table audit_batch ()');
  const started = openLog(t, temporaryFolder(t), { databaseUrl });
  started.catch(() => undefined);
  const waiting = "select pid from pg_stat_activity where wait_event_type = 'Lock'";
  let pids: readonly unknown[] = [];
  while (pids.length === 0) pids = await query(databaseUrl, waiting);
  await query(databaseUrl, `select pg_terminate_backend(pid) from (${waiting}) waiting`);
  await assert.rejects(started, /the audit log in the database cannot be opened/);
  await blocker.end();
  assert.deepEqual(
    await query(databaseUrl, "select 1 from pg_class where relname like 'audit%'"),
    [],
  );
  const log = await openLog(t, temporaryFolder(t), { databaseUrl });
  assert.equal((await log.append(note(1))).seq, 1);
});

test('an older copy of the database is recognised, and a successor continues it', async (t) => {
  const databaseUrl = await server.createDatabase();
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder, { databaseUrl });
  await appendNotes(log, 5);
  await log.close();
  // What a restored backup looks like: the newest entries, and all that speaks of them, are gone.
  await query(
    databaseUrl,
    'drop table audit_entry, audit_checkpoint, audit_head, audit_tile, audit_meta, audit_anchor, audit_batch, audit_log, audit_schema cascade; drop function audit_refuse, audit_grow',
  );
  const older = await openLog(t, folder, { databaseUrl });
  assert.equal(older.status().state, 'rolled_back');
  await assert.rejects(older.append(note(1)), { code: 'audit_rollback_detected', status: 503 });
  const options = logOptions(folder, { databaseUrl });
  const successor = await openSuccessorLog(options, 'restored from a backup');
  t.after(() => successor.close());
  assert.equal(successor.origin, 'tools.example.com/audit/2');
  const first = await successor.entry(0);
  assert.partialDeepStrictEqual(first?.entry.payload['predecessor'], {
    origin: 'tools.example.com/audit',
    size: 0,
  });
  assert.deepEqual((await successor.verify()).issues, []);
});

test('a replica that still writes the old log hears of its successor', async (t) => {
  const databaseUrl = await server.createDatabase();
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder, { databaseUrl });
  await appendNotes(log, 300);
  const options = logOptions(folder, { databaseUrl });
  await assert.rejects(openSuccessorLog(options, 'for a test'), /is sound and goes on/);
  await log.append(note(1));
  await addSuccessor(databaseUrl, options, { origin: `${log.origin}/2`, previous: 1 });
  const successor = await openLog(t, folder, { databaseUrl });
  await assert.rejects(log.append(note(1)), /it is continued as tools.example.com\/audit\/2/);
  assert.equal((await successor.append(note(1))).seq, 1);
  assert.equal((await log.verify()).records, 302, 'the old one is there as it was');
  assert.deepEqual((await successor.verify()).issues, []);
});

test('a log in the data directory is not left behind', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  const databaseUrl = await server.createDatabase();
  await assert.rejects(
    openLog(t, folder, { databaseUrl }),
    /move it with "agent-tool-server store copy/,
  );
  rmSync(join(folder, 'data', 'audit.sqlite'));
  rmSync(join(folder, 'anchor'), { recursive: true });
  await openLog(t, folder, { databaseUrl });
});
