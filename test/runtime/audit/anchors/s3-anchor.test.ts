import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { signedHeaders } from '../../../../runtime/audit/anchors/aws-signature.ts';
import { exportLog } from '../../../../runtime/audit/anchors/export.ts';
import { createS3Anchor } from '../../../../runtime/audit/anchors/s3-anchor.ts';
import type { AuditLogOptions } from '../../../../runtime/audit/engine/audit-log.ts';
import { verifyPath } from '../../../../runtime/audit/verify/verify-files.ts';
import { appendNotes, openLog, temporaryFolder } from '../audit-note.ts';
import { k1, k2, makeRotated, second } from '../succession/rotation-contract.ts';
import { TestBucket } from './s3-bucket.ts';
import { filesIn, folder, keyOf, signal, signedLog } from './s3-log.ts';

test('a request is signed as in the example of the documentation (AWS Signature Version 4)', () => {
  const headers = signedHeaders(
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J'),
      headers: {},
      body: '',
    },
    {
      region: 'us-east-1',
      accessKeyId: ['AKIA', 'IOSFODNN7EXAMPLE'].join(''),
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    new Date('2013-05-24T00:00:00Z'),
  );
  assert.match(
    headers['authorization'] ?? '',
    /Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/,
  );
});

test('the bucket has the checkpoint by which the old key confirmed the new one', async (t) => {
  const bucket = await TestBucket.start(t);
  const place = temporaryFolder(t);
  const open = (changes: Partial<AuditLogOptions>) =>
    openLog(t, place, { anchors: [], ...changes });
  await makeRotated({ open: (changes = {}) => open(changes) });
  const log = await open({ key: second });
  await appendNotes(log, 300);
  await createS3Anchor(bucket.options).put(await log.anchorNow(), log, signal);
  assert.ok(bucket.keys.includes(keyOf(7)));
  const copy = temporaryFolder(t);
  for (const [key, [version]] of bucket.versions) {
    const path = join(copy, key.slice(folder.length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, version?.body ?? '');
  }
  for (const vkey of [k1, k2]) assert.deepEqual(verifyPath(copy, vkey).issues, []);
});

test('the bucket gets what an export has, every object once, locked and with checksums', async (t) => {
  const bucket = await TestBucket.start(t);
  const { log, checkpoint } = await signedLog(t, 700);
  await createS3Anchor(bucket.options).put(checkpoint, log, signal);
  const bundle = temporaryFolder(t);
  await exportLog(log, bundle);
  const exported = filesIn(bundle).filter((name) => !['vkey', 'checkpoint'].includes(name));
  assert.deepEqual(
    bucket.keys.map((key) => key.slice(folder.length)),
    exported,
  );
  for (const [key, [version, ...others]] of bucket.versions) {
    assert.ok(version);
    assert.deepEqual(others, []);
    const { headers, body } = version;
    assert.deepEqual(body, readFileSync(join(bundle, key.slice(folder.length))));
    assert.equal(headers['if-none-match'], '*');
    assert.equal(headers['x-amz-object-lock-mode'], 'COMPLIANCE');
    assert.equal(headers['x-amz-checksum-sha256'], hash('sha256', body, 'base64'));
    assert.equal(headers['content-md5'], hash('md5', body, 'base64'));
    const until = Date.parse(String(headers['x-amz-object-lock-retain-until-date']));
    assert.ok(until > Date.now() + 29 * 86_400_000);
  }
});

test('the checkpoint comes last, so that whatever is under it is complete', async (t) => {
  const bucket = await TestBucket.start(t);
  const { log, checkpoint } = await signedLog(t, 700);
  await createS3Anchor(bucket.options).put(checkpoint, log, signal);
  const puts = bucket.asked.filter(({ method }) => method === 'PUT').map(({ key }) => key);
  assert.equal(puts.at(-1), keyOf(700));
  assert.equal(puts.length, bucket.keys.length);
});

test('what came since goes to the bucket, and nothing of what is there', async (t) => {
  const bucket = await TestBucket.start(t);
  const { log, checkpoint } = await signedLog(t, 700);
  const anchor = createS3Anchor(bucket.options);
  await anchor.put(checkpoint, log, signal);
  await appendNotes(log, 100, 1000);
  const before = bucket.keys;
  const newer = await log.anchorNow();
  bucket.asked.length = 0;
  await anchor.put(newer, log, signal);
  const added = bucket.keys.filter((key) => !before.includes(key));
  assert.deepEqual(
    added.map((key) => key.slice(folder.length)),
    [
      `checkpoints/${'800'.padStart(20, '0')}`,
      'tile/0/002',
      'tile/0/003.p/32',
      'tile/1/000.p/3',
      'tile/entries/002',
      'tile/entries/003.p/32',
    ],
  );
  assert.equal(bucket.count('PUT'), added.length);
});

test('after a restart, an upload goes on at the newest checkpoint of the bucket', async (t) => {
  const bucket = await TestBucket.start(t);
  const { log, checkpoint } = await signedLog(t, 700);
  await createS3Anchor(bucket.options).put(checkpoint, log, signal);
  await appendNotes(log, 5, 1000);
  const newer = await log.anchorNow();
  bucket.asked.length = 0;
  await createS3Anchor(bucket.options).put(newer, log, signal);
  // Two partial tiles and the checkpoint: level 1 is what it was.
  assert.equal(bucket.count('PUT'), 3);
});

test('an upload that was broken off goes on where it was', async (t) => {
  const bucket = await TestBucket.start(t);
  const { log, checkpoint } = await signedLog(t, 2000);
  let left = 9;
  bucket.intercept = ({ method }, response) => {
    if (method !== 'PUT' || left-- > 0) return false;
    response.writeHead(403).end();
    return true;
  };
  await assert.rejects(createS3Anchor(bucket.options).put(checkpoint, log, signal), /403/);
  assert.equal(bucket.keys.length, 9);
  assert.equal(await createS3Anchor(bucket.options).newest(log.origin, signal), undefined);
  bucket.intercept = () => false;
  bucket.asked.length = 0;
  await createS3Anchor(bucket.options).put(checkpoint, log, signal);
  assert.equal(bucket.count('PUT'), bucket.keys.length - 9);
  const download = temporaryFolder(t);
  bucket.download(download);
  assert.equal(verifyPath(download, log.vkey).records, 2000);
});
