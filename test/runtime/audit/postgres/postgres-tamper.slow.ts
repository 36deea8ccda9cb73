import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import test, { after, type TestContext } from 'node:test';
import canonicalize from 'canonicalize';
import pg from 'pg';
import { leafHash } from '../../../../runtime/audit/verify/verify.ts';
import { runCli } from '../../cli/run-cli.ts';
import { PostgresServer } from '../../store/postgres-server.ts';
import { appendNotes, note, openLog, temporaryFolder } from '../audit-note.ts';

const server = await PostgresServer.start();
after(() => server.stop());

/** A closed log of 600 entries with checkpoints at 1, 301 and 600, the last of them anchored. */
async function madeLog(t: TestContext) {
  const folder = temporaryFolder(t);
  const databaseUrl = await server.createDatabase();
  const log = await openLog(t, folder, { databaseUrl });
  await appendNotes(log, 300);
  await log.anchorNow();
  await appendNotes(log, 299, 300);
  await log.close();
  return { folder, databaseUrl };
}

type Change = (client: pg.Client) => Promise<unknown>;

/** Change the tables as their owner could: without the triggers. */
async function tamper(databaseUrl: string, change: Change): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query("set session_replication_role = 'replica'");
  await change(client).finally(() => client.end());
}

const query =
  (sql: string): Change =>
  (client) =>
    client.query(sql);

/** Write the chain anew from entry 150 on, each hash right: only the checkpoints tell. */
const rewrite: Change = async (client) => {
  const { rows } = await client.query('select seq::integer, bytes from audit_entry order by seq');
  let prev_hash = '0'.repeat(64);
  for (const { seq, bytes } of rows) {
    const entry = { ...JSON.parse(bytes.toString()), prev_hash };
    if (seq === 150) entry.summary = 'nothing';
    const text = canonicalize(entry) ?? '';
    prev_hash = hash('sha256', text, 'hex');
    await client.query('update audit_entry set bytes = $2, hash = $3, leaf = $4 where seq = $1', [
      seq,
      Buffer.from(text),
      Buffer.from(prev_hash, 'hex'),
      leafHash(text),
    ]);
  }
  await client.query('delete from audit_tile');
};

const changed =
  'convert_to(replace(convert_from(bytes, \'UTF8\'), \'"outcome":"ok"\', \'"outcome":"no"\'), \'UTF8\')';

const tamperings: Readonly<Record<string, readonly [Change, seq: number, reason: string]>> = {
  'a field changed': [
    query(`update audit_entry set bytes = ${changed} where seq = 40`),
    40,
    'hash_mismatch',
  ],
  'a field changed and its hashes with it': [
    query(
      `update audit_entry set bytes = ${changed}, hash = sha256(${changed}), leaf = sha256('\\x00'::bytea || ${changed}) where seq = 40`,
    ),
    40,
    'tile_mismatch',
  ],
  'bytes that are not UTF-8': [
    query(
      "update audit_entry set bytes = overlay(bytes placing '\\xff'::bytea from 9) where seq = 40",
    ),
    40,
    'unreadable',
  ],
  'an entry deleted in the middle': [
    query('delete from audit_entry where seq = 40'),
    40,
    'seq_gap',
  ],
  'two entries swapped': [
    query(
      'update audit_entry set seq = 9999 where seq = 40; update audit_entry set seq = 40 where seq = 41; update audit_entry set seq = 41 where seq = 9999',
    ),
    40,
    'seq_gap',
  ],
  'the last entries deleted': [
    query('delete from audit_entry where seq >= 500'),
    500,
    'missing_tail',
  ],
  'the tail deleted with all that speaks of it': [
    query(
      'delete from audit_entry where seq >= 301; delete from audit_checkpoint where size > 301; delete from audit_tile where idx > 0; update audit_head set size = 301',
    ),
    301,
    'rolled_back',
  ],
  'the chain written anew without the key': [rewrite, 1, 'root_mismatch'],
  'a tile swapped': [
    query(
      'update audit_tile set bytes = (select bytes from audit_tile where level = 0 and idx = 1) where level = 0 and idx = 0',
    ),
    0,
    'tile_mismatch',
  ],
  'the size of a checkpoint raised': [
    query(
      "update audit_checkpoint set note = replace(note, E'\\n600\\n', E'\\n700\\n') where size = 600",
    ),
    700,
    'bad_signature',
  ],
};

for (const [what, [change, seq, reason]] of Object.entries(tamperings)) {
  test(`PostgreSQL, ${what}: found at ${seq} as ${reason}`, async (t) => {
    const { folder, databaseUrl } = await madeLog(t);
    await tamper(databaseUrl, change);
    const log = await openLog(t, folder, { databaseUrl });
    const { ok, issues } = await log.verify();
    assert.equal(ok, false);
    const found = issues.some((issue) => issue.seq === seq && issue.reason === reason);
    assert.ok(found, JSON.stringify(issues.slice(0, 5)));
  });
}

test('PostgreSQL: a damaged end takes no entries when the log is opened', async (t) => {
  const { folder, databaseUrl } = await madeLog(t);
  await tamper(databaseUrl, query(`update audit_entry set bytes = ${changed} where seq = 590`));
  const log = await openLog(t, folder, { databaseUrl });
  assert.equal(log.status().state, 'failed');
  await assert.rejects(log.append(note(1)), { code: 'audit_unavailable', status: 503 });
});

test('the commands read the log of the database, past a server that writes it', async (t) => {
  const { folder, databaseUrl } = await madeLog(t);
  const log = await openLog(t, folder, { databaseUrl });
  await log.append(note(601));
  const { note: newest } = await log.anchorNow();
  const env = {
    SERVICE_DATABASE_URL: databaseUrl,
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_AUDIT_ANCHOR_DIR: join(folder, 'anchor'),
    SERVICE_AUDIT_KEY: Buffer.alloc(32, 7).toString('base64'),
    SERVICE_PROVIDER: 'osv',
  };
  const audit = (...words: string[]) => runCli(['audit', ...words], env);
  assert.equal((await audit('checkpoint')).stdout, newest);
  assert.equal((await audit('vkey')).stdout, `${log.vkey}\n`);
  assert.equal((await audit('proof', '40')).stdout, await log.proof(40));
  const bundle = join(folder, 'bundle');
  const exported = await audit('export', bundle);
  assert.equal(exported.code, 0, exported.stderr);
  assert.equal(exported.stderr, '', 'the export is noted, beside the server');
  assert.equal((await audit('verify', bundle, log.vkey)).code, 0);
  const verified = await audit('verify');
  assert.match(verified.stdout, /^entries +602 checked[\s\S]*^verified$/m);
  await tamper(databaseUrl, query('delete from audit_entry where seq = 40'));
  const found = await audit('verify');
  assert.equal(found.code, 1);
  assert.match(found.stdout, /^issue +at 40: seq_gap[\s\S]*^NOT verified$/m);
});
