import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { ForkedLog } from '../../../../runtime/audit/anchors/anchor.ts';
import { createFileAnchor } from '../../../../runtime/audit/anchors/file-anchor.ts';
import { appendNotes, openLog, temporaryFolder } from '../audit-note.ts';

const { signal } = new AbortController();
const place = (folder: string) => join(folder, encodeURIComponent('tools.example.com/audit'));

test('two replicas share a folder: the newest stays, and the older one has nothing to bring', async (t) => {
  const folder = temporaryFolder(t);
  const log = await openLog(t, temporaryFolder(t), { anchors: [] });
  const older = await log.checkpoint();
  await appendNotes(log, 5);
  await log.proof(5);
  const newer = await log.checkpoint();
  const [first, second] = [createFileAnchor(folder), createFileAnchor(folder)];
  await Promise.all([first.put(newer, log, signal), second.put(newer, log, signal)]);
  assert.equal(await second.put(older, log, signal), undefined);
  assert.equal(await first.newest(log.origin, signal), newer.note);
  assert.deepEqual(
    readdirSync(place(folder)).filter((name) => name.endsWith('.new')),
    [],
  );
});

test('another log under the same key is not written over the one that is known', async (t) => {
  const folder = temporaryFolder(t);
  const [one, other] = [temporaryFolder(t), temporaryFolder(t)];
  await (await openLog(t, one, { anchors: [] })).close();
  cpSync(join(one, 'data'), join(other, 'data'), { recursive: true });
  const [log, twin] = [
    await openLog(t, one, { anchors: [] }),
    await openLog(t, other, { anchors: [createFileAnchor(folder)] }),
  ];
  await appendNotes(log, 2);
  await log.proof(2);
  await createFileAnchor(folder).put(await log.checkpoint(), log, signal);
  await appendNotes(twin, 3, 100);
  await assert.rejects(
    twin
      .proof(3)
      .then(() => twin.anchorNow())
      .then(() => twin.append({} as never)),
    { code: 'audit_rollback_detected' },
  );
  assert.match(twin.status().reason ?? '', /the 3 entries that .*newest knows are not those/);
  const kept = await createFileAnchor(folder).newest(log.origin, signal);
  assert.equal(kept, (await log.checkpoint()).note);
});

test('what is no checkpoint is not written over', async (t) => {
  const folder = temporaryFolder(t);
  const log = await openLog(t, temporaryFolder(t), { anchors: [] });
  const anchor = createFileAnchor(folder);
  await anchor.put(await log.checkpoint(), log, signal);
  writeFileSync(join(place(folder), 'newest'), 'something else');
  const putting = anchor.put(await log.checkpoint(), log, signal);
  await assert.rejects(putting, (error: Error) => {
    assert.ok(!(error instanceof ForkedLog));
    assert.match(error.message, /the newest checkpoint in .*newest is none/);
    return true;
  });
  assert.equal(readFileSync(join(place(folder), 'newest'), 'utf8'), 'something else');
});

test('a folder that cannot be made is a failure, at once', async (t) => {
  const log = await openLog(t, temporaryFolder(t), { anchors: [] });
  const anchor = createFileAnchor('/proc/nope/deeper');
  await assert.rejects(anchor.put(await log.checkpoint(), log, signal), /ENOENT|EACCES|EPERM/);
});

test('while a folder does not answer, no more is asked of it', async (t) => {
  const log = await openLog(t, temporaryFolder(t), { anchors: [] });
  const anchor = createFileAnchor(temporaryFolder(t));
  const checkpoint = await log.checkpoint();
  const first = anchor.put(checkpoint, log, signal);
  await assert.rejects(anchor.put(checkpoint, log, signal), /has not taken the last checkpoint/);
  await first;
  assert.ok(await anchor.put(checkpoint, log, signal));
});
