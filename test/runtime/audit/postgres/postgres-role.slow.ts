import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import pg from 'pg';
import { tableKeys } from '../../../../generated/migrations.ts';
import { createStore } from '../../../../runtime/store/index.ts';
import { blocksIn, project } from '../../../docs/documents.ts';
import { jobRow } from '../../store/job-row.ts';
import { PostgresServer } from '../../store/postgres-server.ts';
import { appendNotes, note, openLog, temporaryFolder } from '../audit-note.ts';

const server = await PostgresServer.start();
after(() => server.stop());

/** As an operator reads them: what is written by hand, and what is made of the tables. */
const grants = [
  ...blocksIn('sql').map(({ text }) => text),
  /```sql\n(grant[\s\S]*?)```/.exec(
    readFileSync(join(project, 'generated/docs/tables.md'), 'utf8'),
  )?.[1],
].join('\n');

test('a role that may neither change nor delete what is written is enough for the server', async (t) => {
  const owned = await server.createDatabase();
  const folder = temporaryFolder(t);
  await openAll(owned, folder, t);
  await query(owned, `create role service login; ${grants}`);
  const databaseUrl = owned.replace('postgres://postgres@', 'postgres://service@');

  const store = createStore({ dataDir: folder, databaseUrl });
  await store.open();
  await store.db.insertInto('job').values(jobRow()).execute();
  await store.close();
  for (const table of Object.keys(tableKeys)) {
    const rights = ['select', 'insert', 'update', 'delete'];
    for (const right of rights) await query(owned, mayOr(table, right));
  }
  const log = await openLog(t, folder, { databaseUrl });
  await appendNotes(log, 600);
  await log.anchorNow();
  await log.append(note(1));
  assert.deepEqual((await log.verify()).issues, []);
  await log.close();
  assert.equal(await log.append(note(2)).catch(({ status }) => status), 503);

  for (const table of ['audit_entry', 'audit_checkpoint', 'audit_log']) {
    const changes = [`delete from ${table}`, `truncate ${table}`, `drop table ${table}`];
    for (const sql of changes)
      await assert.rejects(query(databaseUrl, sql), /denied|must be owner/);
  }
  await assert.rejects(query(databaseUrl, 'create table another ()'), /permission denied/);
});

test('the triggers stop even the owner of the tables, as long as he leaves them on', async (t) => {
  const url = await server.createDatabase();
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder, { databaseUrl: url });
  await appendNotes(log, 600);
  await log.close();
  const refused = {
    'delete from audit_entry': /write-once: DELETE of audit_entry/,
    "update audit_entry set bytes = ''": /write-once/,
    'truncate audit_entry': /write-once/,
    'delete from audit_checkpoint': /write-once/,
    "update audit_checkpoint set note = ''": /write-once/,
    'truncate audit_checkpoint': /write-once/,
    'delete from audit_tile': /write-once/,
    "update audit_tile set bytes = ''": /only grows/,
    'delete from audit_head': /write-once/,
    "update audit_log set origin = ''": /write-once/,
  };
  for (const [sql, reason] of Object.entries(refused)) {
    await assert.rejects(query(url, sql), reason);
  }
});

/** A statement that fails where the role lacks a right. */
function mayOr(table: string, right: string): string {
  const may = `has_table_privilege('service', '${table}', '${right}')`;
  return `do $$ begin assert ${may}, 'no right to ${right} in ${table}'; end $$`;
}

/** What the first start does. */
async function openAll(databaseUrl: string, folder: string, t: Parameters<typeof openLog>[0]) {
  const store = createStore({ dataDir: folder, databaseUrl });
  await store.open();
  await store.close();
  await (await openLog(t, folder, { databaseUrl })).close();
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
