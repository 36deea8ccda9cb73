import assert from 'node:assert/strict';
import test from 'node:test';
import { ForkedLog } from '../../../../runtime/audit/anchors/anchor.ts';
import { createS3Anchor } from '../../../../runtime/audit/anchors/s3-anchor.ts';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import { appendNotes, openLog, temporaryFolder } from '../audit-note.ts';
import { TestBucket } from './s3-bucket.ts';
import { folder, keyOf, signal, signedLog, signer } from './s3-log.ts';

for (const tellsChecksum of [true, false]) {
  const how = tellsChecksum ? 'by its checksum' : 'by its content';
  test(`another object in the place of ours is not accepted, as is seen ${how}`, async (t) => {
    const bucket = await TestBucket.start(t);
    bucket.tellsChecksum = tellsChecksum;
    const { log, checkpoint } = await signedLog(t, 3);
    const anchor = createS3Anchor(bucket.options);
    await anchor.put(checkpoint, log, signal);
    await anchor.put(checkpoint, log, signal);
    await createS3Anchor(bucket.options).put(checkpoint, log, signal);
    assert.equal(bucket.versions.get(keyOf(3))?.length, 1);
    await appendNotes(log, 1);
    bucket.write(`${folder}tile/0/000.p/4`, 'x'.repeat(128));
    await assert.rejects(
      anchor.put(await log.anchorNow(), log, signal),
      /the bucket holds something else under .*tile\/0\/000\.p\/4/,
    );
    assert.equal(bucket.keys.includes(keyOf(4)), false);
  });
}

test('the newest checkpoint is found among many, by its size', async (t) => {
  const bucket = await TestBucket.start(t);
  const anchor = createS3Anchor(bucket.options);
  const origin = 'tools.example.com/audit';
  assert.equal(await anchor.newest(origin, signal), undefined);
  const sizes = [3, 20, 100, 101, 102, 103, 5000, 5001, 900_000_000_000, 2 ** 50];
  for (const size of sizes) {
    const note = signer.checkpoint(size, Buffer.alloc(32, 1));
    bucket.write(keyOf(size), note);
    assert.equal(await anchor.newest(origin, signal), note, `${size}`);
  }
});

test('what is written over the newest checkpoint, or hides it, does not change it', async (t) => {
  const bucket = await TestBucket.start(t);
  const anchor = createS3Anchor(bucket.options);
  const newest = signer.checkpoint(900, Buffer.alloc(32, 9));
  const older = signer.checkpoint(3, Buffer.alloc(32, 3));
  bucket.write(keyOf(3), older);
  bucket.write(keyOf(900), newest);
  for (let count = 0; count < 5; count++) bucket.write(keyOf(900), older);
  bucket.hidden.add(keyOf(900));
  for (const junk of ['x', 'y', 'z']) bucket.write(`${folder}checkpoints/${junk}`, older);
  assert.equal(await anchor.newest('tools.example.com/audit', signal), newest);
});

test('an older checkpoint under a larger size does not pass for the state of the log', async (t) => {
  const bucket = await TestBucket.start(t);
  const anchor = createS3Anchor(bucket.options);
  const log = await openLog(t, temporaryFolder(t), { anchors: [anchor] });
  const { note } = await log.anchorNow();
  await log.close();
  bucket.write(keyOf(900), note);
  const other = await openLog(t, temporaryFolder(t), { anchors: [anchor] });
  assert.equal(other.status().state, 'failed');
});

test('a log that was rolled back is recognised by its bucket', async (t) => {
  const bucket = await TestBucket.start(t);
  const anchor = createS3Anchor(bucket.options);
  const log = await openLog(t, temporaryFolder(t), { anchors: [anchor] });
  await appendNotes(log, 5);
  await log.close();
  const older = await openLog(t, temporaryFolder(t), { anchors: [anchor] });
  assert.equal(older.status().state, 'rolled_back');
});

test('a log that was forked does not go into the bucket of the other one', async (t) => {
  const bucket = await TestBucket.start(t);
  const first = await signedLog(t, 10);
  await createS3Anchor(bucket.options).put(first.checkpoint, first.log, signal);
  const before = bucket.keys;
  for (const entries of [5, 10, 20]) {
    const { log, checkpoint } = await signedLog(t, entries);
    await assert.rejects(createS3Anchor(bucket.options).put(checkpoint, log, signal), (error) => {
      assert.ok(error instanceof ForkedLog);
      assert.match(
        error.message,
        /^the 10 entries that the bucket knows are not those of this log$/,
      );
      return true;
    });
  }
  assert.deepEqual(bucket.keys, before);
});

test('what somebody else has signed in the bucket is reported, and does not stop the log', async (t) => {
  const bucket = await TestBucket.start(t);
  const { log, checkpoint } = await signedLog(t, 10);
  const other = new Signer('tools.example.com/audit', Buffer.alloc(32, 8));
  bucket.write(keyOf(900), other.checkpoint(900, Buffer.alloc(32, 1)));
  await assert.rejects(createS3Anchor(bucket.options).put(checkpoint, log, signal), (error) => {
    assert.ok(!(error instanceof ForkedLog));
    assert.match(String(error), /which has not signed them/);
    return true;
  });
});

test('a server that comes later than another one of the same log has nothing to do', async (t) => {
  const bucket = await TestBucket.start(t);
  const { log, checkpoint } = await signedLog(t, 10);
  await appendNotes(log, 5, 1000);
  const newer = await log.anchorNow();
  await createS3Anchor(bucket.options).put(newer, log, signal);
  const before = bucket.keys;
  const late = createS3Anchor(bucket.options);
  assert.equal(await late.put(checkpoint, log, signal), undefined);
  assert.equal(await late.put(newer, log, signal), undefined);
  assert.deepEqual(bucket.keys, before);
});

test('a service that takes the lock and does not hold it is reported', async (t) => {
  const bucket = await TestBucket.start(t);
  bucket.tellsLock = false;
  const { log, checkpoint } = await signedLog(t, 3);
  await assert.rejects(
    createS3Anchor(bucket.options).put(checkpoint, log, signal),
    /expected object lock in mode COMPLIANCE, found none/,
  );
});
