import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createS3Anchor } from '../../../../runtime/audit/anchors/s3-anchor.ts';
import { verifyPath } from '../../../../runtime/audit/verify/verify-files.ts';
import { appendNotes, temporaryFolder } from '../audit-note.ts';
import { TestBucket } from './s3-bucket.ts';
import { filesIn, folder, signal, signedLog } from './s3-log.ts';

test('a download of the bucket is verified with the verifier key alone', async (t) => {
  const bucket = await TestBucket.start(t);
  const { log, checkpoint } = await signedLog(t, 300);
  const anchor = createS3Anchor(bucket.options);
  await anchor.put(checkpoint, log, signal);
  await appendNotes(log, 400, 1000);
  await anchor.put(await log.anchorNow(), log, signal);
  const download = temporaryFolder(t);
  bucket.download(download);
  for (const path of [download, join(download, folder)]) {
    const { ok, records, issues } = verifyPath(path, log.vkey);
    assert.deepEqual({ ok, records, issues }, { ok: true, records: 700, issues: [] });
  }
  // An upload that has not come to its checkpoint is no damage.
  writeFileSync(join(download, folder, 'tile', '0', '002.p', '200'), Buffer.alloc(200 * 32));
  assert.equal(verifyPath(download, log.vkey).ok, true);
});

test('every object of a download that was changed, cut or is missing is found', async (t) => {
  const bucket = await TestBucket.start(t);
  const { log, checkpoint } = await signedLog(t, 300);
  const anchor = createS3Anchor(bucket.options);
  await anchor.put(checkpoint, log, signal);
  await appendNotes(log, 400, 1000);
  await anchor.put(await log.anchorNow(), log, signal);
  const download = temporaryFolder(t);
  bucket.download(download);
  const names = filesIn(download);
  assert.equal(names.length, bucket.keys.length);
  const copy = join(temporaryFolder(t), 'copy');
  for (const name of names) {
    const bytes = readFileSync(join(download, name));
    const changed = Buffer.from(bytes);
    const middle = Math.floor(bytes.length / 2);
    changed[middle] = (bytes[middle] ?? 0) ^ 1;
    for (const damaged of [changed, bytes.subarray(0, middle)]) {
      cpSync(download, copy, { recursive: true });
      writeFileSync(join(copy, name), damaged);
      assert.equal(verifyPath(copy, log.vkey).ok, false, `${name}, ${damaged.length} bytes`);
      rmSync(copy, { recursive: true });
    }
  }
  rmSync(join(download, folder, 'tile', 'entries', '001'));
  assert.equal(verifyPath(download, log.vkey).issues[0]?.reason, 'missing_tail');
});
