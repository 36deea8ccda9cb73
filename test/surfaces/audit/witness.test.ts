import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { request } from 'undici';
import type { AuditLog } from '#contract/house/audit';
import { createWitnessAnchor } from '../../../runtime/audit/anchors/witness-anchor.ts';
import { openSuccessorLog } from '../../../runtime/audit/succession/successor.ts';
import { appendNotes, logOptions, note, openLog } from '../../runtime/audit/audit-note.ts';
import { MadeUpLog, origin } from '../../runtime/audit/witness/witness-logs.ts';
import { startInMemoryServer } from '../../runtime/in-memory-server.ts';
import { auditRoutes } from './audit-routes.ts';
import { cosigner, startWitness, temporaryFolder } from './witness-server.ts';

const made = new MadeUpLog();
async function post(base: string, body: string, headers = {}) {
  const answer = await request(`${base}/add-checkpoint`, { method: 'POST', body, headers });
  const { 'content-type': type, 'cache-control': cache } = answer.headers;
  return { status: answer.statusCode, type, cache, text: await answer.body.text() };
}

test('POST /audit/witness/add-checkpoint answers as C2SP tlog-witness asks', async (t) => {
  const { base } = await startWitness(t, [made.vkey]);
  const stranger = new MadeUpLog(made.nodes, { name: 'other.example.com/audit' });
  const thief = new MadeUpLog(made.nodes, { key: 8 });
  // Clients of others send no content type at all.
  const first = await post(base, made.body(0, 3));
  assert.equal(first.status, 200);
  assert.equal(first.type, 'text/plain; charset=utf-8');
  assert.match(first.text, /^— w\.example\.com\/witness \S+\n$/);
  const conflict = await post(base, made.body(2, 5), { 'content-type': 'text/plain' });
  assert.deepEqual(conflict, {
    status: 409,
    type: 'text/x.tlog.size',
    cache: 'no-store',
    text: '3\n',
  });
  const refused: readonly (readonly [number, string])[] = [
    [404, stranger.body(0, 3)],
    [403, thief.body(3, 5)],
    [422, made.body(3, 5, [])],
    [400, made.body(3, 5).replace('old 3', 'old 6')],
    [400, 'nonsense'],
    [400, 'x'.repeat(20_000)],
    [413, 'x'.repeat(70_000)],
  ];
  for (const [status, body] of refused) assert.equal((await post(base, body)).status, status);
});

test('the witness shows its key, and what it has cosigned last', async (t) => {
  const { base } = await startWitness(t, [made.vkey]);
  const vkey = await request(`${base}/vkey`);
  assert.equal(await vkey.body.text(), `${cosigner.vkey}\n`);
  const query = `checkpoint?origin=${encodeURIComponent(origin)}`;
  assert.equal((await request(`${base}/${query}`)).statusCode, 404);
  const { text } = await post(base, made.body(0, 3));
  const held = await request(`${base}/${query}`);
  assert.equal(await held.body.text(), made.checkpoint(3).note + text);
});

test('a server that watches no logs has no witness', async (t) => {
  const routes = await auditRoutes({});
  const base = new URL('/audit/witness', await startInMemoryServer(t, { routes })).href;
  assert.equal((await post(base, made.body(0, 3))).status, 404);
  assert.equal((await request(`${base}/vkey`)).statusCode, 404);
});

async function expectRolledBack(log: AuditLog, reason: RegExp): Promise<void> {
  assert.equal(log.status().state, 'rolled_back');
  assert.match(log.status().reason ?? '', reason);
  await assert.rejects(log.append(note(1)), { code: 'audit_rollback_detected', status: 503 });
}

test('checkpoints and proofs carry the cosignature, also after a restart', async (t) => {
  const { anchor } = await startWitness(t, [made.vkey]);
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder, { anchors: [anchor] });
  await appendNotes(log, 5);
  const { note: signed } = await log.anchorNow();
  assert.match(signed, /\n— tools\S+ \S+\n— w\.example\.com\/witness \S+\n$/);
  await log.close();
  const reopened = await openLog(t, folder, {
    anchors: [{ ...anchor, put: async () => undefined }],
  });
  assert.equal((await reopened.checkpoint()).note, signed);
  assert.ok((await reopened.proof(2))?.endsWith(signed));
  assert.equal((await reopened.verify()).ok, true);
});

test('an older copy is recognised by the witness alone, before anything is written', async (t) => {
  const { anchor } = await startWitness(t, [made.vkey]);
  const folder = temporaryFolder(t);
  await (await openLog(t, folder, { anchors: [anchor] })).close();
  cpSync(join(folder, 'data'), join(folder, 'backup'), { recursive: true });
  const log = await openLog(t, folder, { anchors: [anchor] });
  await appendNotes(log, 5);
  await log.close();
  rmSync(join(folder, 'data'), { recursive: true });
  cpSync(join(folder, 'backup'), join(folder, 'data'), { recursive: true });
  const older = await openLog(t, folder, { anchors: [anchor] });
  await expectRolledBack(older, /the log has 1 entries, an anchor knows 6/);
  await older.close();

  // A witness of others has no route to read from: it is asked to cosign.
  const published = { ...anchor, newest: async () => undefined };
  const again = await openLog(t, folder, { anchors: [published] });
  await expectRolledBack(again, /has cosigned 6 entries, which the log does not have/);
  await again.close();

  const successor = await openSuccessorLog(
    logOptions(folder, { anchors: [published] }),
    'restored from a backup',
  );
  assert.equal(successor.origin, 'tools.example.com/audit/2');
  await successor.close();
});

test('a fork is refused by the witness, and the forked log takes no more entries', async (t) => {
  const { base, anchor } = await startWitness(t, [made.vkey]);
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder, { anchors: [anchor] });
  await appendNotes(log, 3);
  await log.anchorNow();
  await log.close();
  const copy = temporaryFolder(t);
  cpSync(join(folder, 'data'), join(copy, 'data'), { recursive: true });
  const reports: string[] = [];
  const forked = await openLog(t, copy, {
    anchors: [createWitnessAnchor({ url: base, vkey: cosigner.vkey })],
    report: (message) => reports.push(message),
  });
  assert.equal(forked.status().state, 'open', 'nothing is wrong with it so far');

  const original = await openLog(t, folder, { anchors: [anchor] });
  await appendNotes(original, 2, 100);
  await original.anchorNow();
  await appendNotes(forked, 4, 200);
  await forked.anchorNow();
  await expectRolledBack(
    forked,
    /do not continue the \d that w\.example\.com\/witness has cosigned/,
  );
  assert.match(reports.join(), /AUDIT_ROLLBACK_DETECTED/);
  await appendNotes(original, 1, 300);
  assert.match((await original.anchorNow()).note, /— w\.example\.com/);
});

test('a log goes on while its witness is out of reach, and is cosigned afterwards', async (t) => {
  const { anchor } = await startWitness(t, [made.vkey]);
  let reachable = false;
  const away = async () => {
    if (!reachable) throw new Error('no route');
  };
  const log = await openLog(t, temporaryFolder(t), {
    anchors: [
      {
        ...anchor,
        newest: async () => away().then(() => undefined),
        put: async (...args) => away().then(() => anchor.put(...args)),
      },
    ],
  });
  await appendNotes(log, 3);
  assert.doesNotMatch((await log.anchorNow()).note, /— w\.example/);
  assert.equal(log.status().anchors[0]?.failure, 'no route');
  reachable = true;
  assert.match((await log.anchorNow()).note, /— w\.example/);
});
