import assert from 'node:assert/strict';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openAuditLog } from '../../../../runtime/audit/engine/audit-log.ts';
import { openSuccessorLog } from '../../../../runtime/audit/succession/successor.ts';
import { appendNotes, logOptions, note, openLog, temporaryFolder } from '../audit-note.ts';

test('an older copy of the data is recognised, read, and not written', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  cpSync(join(folder, 'data'), join(folder, 'backup'), { recursive: true });
  const log = await openLog(t, folder);
  await appendNotes(log, 5);
  await log.close();
  restore(folder);
  const reports: string[] = [];
  const older = await openLog(t, folder, { report: (message) => reports.push(message) });
  assert.equal(older.status().state, 'rolled_back');
  assert.match(reports.join(), /AUDIT_ROLLBACK_DETECTED.*1 entries, an anchor knows 6/);
  await assert.rejects(older.append(note(1)), { code: 'audit_rollback_detected', status: 503 });
  assert.equal((await older.entry(0))?.entry.seq, 0);
  const { issues } = await older.verify();
  assert.deepEqual(
    issues.map(({ seq, reason }) => [seq, reason]),
    [[1, 'rolled_back']],
  );
});

test('a deleted log is recognised, though the new one has another key', async (t) => {
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder, { key: undefined });
  await appendNotes(log, 5);
  await log.close();
  rmSync(join(folder, 'data'), { recursive: true });
  const fresh = await openLog(t, folder, { key: undefined });
  assert.equal(fresh.status().state, 'rolled_back');
});

test('a successor names the old head, and goes on under an origin of its own', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  cpSync(join(folder, 'data'), join(folder, 'backup'), { recursive: true });
  const log = await openLog(t, folder);
  await appendNotes(log, 5);
  const { note: anchored } = await log.anchorNow();
  await log.close();
  restore(folder);
  const successor = await openSuccessorLog(logOptions(folder), 'restored from a backup');
  assert.equal(successor.origin, 'tools.example.com/audit/2');
  const first = await successor.entry(0);
  const predecessor = first?.entry.payload['predecessor'];
  assert.partialDeepStrictEqual(predecessor, {
    origin: 'tools.example.com/audit',
    size: 1,
    anchored,
  });
  assert.equal((await successor.entry(1))?.entry.action, 'AUDIT_ROLLBACK_DETECTED');
  await successor.close();
  const reopened = await openLog(t, folder);
  assert.equal(reopened.origin, 'tools.example.com/audit/2');
  assert.equal((await reopened.append(note(1))).seq, 2);
});

test('a successor is not opened past an anchor that cannot be asked', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  const [known] = logOptions(folder).anchors;
  assert.ok(known);
  const away = { ...known, newest: async () => Promise.reject(new Error('no route')) };
  const options = logOptions(folder, { anchors: [known, away] });
  await assert.rejects(
    openSuccessorLog(options, 'restored'),
    /cannot be asked what it knows: no route; wait until it can, or take it out/,
  );
  assert.equal((await openLog(t, folder)).origin, 'tools.example.com/audit', 'nothing has changed');
});

test('an anchor out of reach is reported, and the log goes on', async (t) => {
  const reports: string[] = [];
  const unreachable = {
    target: 'far away',
    everyMs: 0,
    newest: async () => Promise.reject(new Error('no route')),
    put: async () => Promise.reject(new Error('no route')),
  };
  const options = logOptions(temporaryFolder(t), {
    anchors: [unreachable],
    report: (message) => reports.push(message),
  });
  const log = await openAuditLog(options);
  await log.append(note(1));
  await log.anchorNow();
  assert.equal(log.status().anchors[0]?.failure, 'no route');
  await log.close();
  assert.match(reports.join(), /could not be anchored at far away/);
});

test('an anchor that cannot be asked leaves a log unverified, and is not named to everybody', async (t) => {
  const folder = temporaryFolder(t);
  const [known] = logOptions(folder).anchors;
  assert.ok(known);
  const target = 'witness:w.example.com https://w.example.com';
  const away = { ...known, target, newest: async () => Promise.reject(new Error('no route')) };
  const log = await openLog(t, folder, { anchors: [known, away] });
  const { ok, records, issues } = await log.verify();
  const detail = 'no answer from an anchor of the kind witness';
  assert.deepEqual(
    { ok, records, issues },
    { ok: false, records: 1, issues: [{ seq: 1, reason: 'anchor_unreachable', detail }] },
  );
});

test('an anchor whose file is damaged is named, and is no rollback', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  const origin = encodeURIComponent('tools.example.com/audit');
  writeFileSync(join(folder, 'anchor', origin, 'newest'), '');
  const log = await openLog(t, folder);
  const { state, reason = '' } = log.status();
  assert.equal(state, 'failed');
  assert.match(
    reason,
    /^the anchor file:.*anchor holds something that is not a checkpoint: put back/,
  );
  await assert.rejects(log.append(note(1)), { code: 'audit_unavailable' });
});

test('a log that was rolled back still shows its newest checkpoint', async (t) => {
  const folder = temporaryFolder(t);
  const first = await openLog(t, folder);
  const { note: old } = await first.checkpoint();
  await first.close();
  cpSync(join(folder, 'data'), join(folder, 'backup'), { recursive: true });
  const log = await openLog(t, folder);
  await appendNotes(log, 5);
  await log.close();
  restore(folder);
  const older = await openLog(t, folder);
  assert.equal(older.status().state, 'rolled_back');
  assert.equal((await older.checkpoint()).note, old);
});

test('a rollback says where it is known from, and what to do', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  cpSync(join(folder, 'data'), join(folder, 'backup'), { recursive: true });
  const log = await openLog(t, folder);
  await appendNotes(log, 5);
  await log.close();
  restore(folder);
  const older = await openLog(t, folder);
  assert.match(older.status().reason ?? '', /: file:.*anchor$/);
  await assert.rejects(older.append(note(1)), {
    isLasting: true,
    message:
      /stop the server, and open a successor with: agent-tool-server audit succeed "REASON"$/,
  });
});

function restore(folder: string): void {
  rmSync(join(folder, 'data'), { recursive: true });
  cpSync(join(folder, 'backup'), join(folder, 'data'), { recursive: true });
}
