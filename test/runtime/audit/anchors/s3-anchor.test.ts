import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { AuditLog } from '#contract/house/audit';
import { ForkedLog } from '../../../../runtime/audit/anchors/anchor.ts';
import { signedHeaders } from '../../../../runtime/audit/anchors/aws-signature.ts';
import { exportLog } from '../../../../runtime/audit/anchors/export.ts';
import { createS3Anchor } from '../../../../runtime/audit/anchors/s3-anchor.ts';
import type { AuditLogOptions } from '../../../../runtime/audit/engine/audit-log.ts';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import { verifyPath } from '../../../../runtime/audit/verify/verify-files.ts';
import { appendNotes, openLog, temporaryFolder } from '../audit-note.ts';
import { k1, k2, makeRotated, second } from '../succession/rotation-contract.ts';
import { TestBucket } from './s3-bucket.ts';

const folder = 'tools.example.com%2Faudit/';
const signer = new Signer('tools.example.com/audit', Buffer.alloc(32, 7));
const { signal } = new AbortController();

function keyOf(size: number): string {
  return `${folder}checkpoints/${String(size).padStart(20, '0')}`;
}

/** A log that has nobody but the anchor of the test to talk to. */
function ownLog(t: TestContext): Promise<AuditLog> {
  return openLog(t, temporaryFolder(t), { anchors: [] });
}

async function signedLog(t: TestContext, entries: number) {
  const log = await ownLog(t);
  await appendNotes(log, entries - 1);
  return { log, checkpoint: await log.anchorNow() };
}

function filesIn(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(path, name)).isFile())
    .sort();
}

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

test('what passes by itself is tried again: an overload, a broken connection', async (t) => {
  const bucket = await TestBucket.start(t);
  const { log, checkpoint } = await signedLog(t, 3);
  const tries = new Map<string, number>();
  bucket.intercept = ({ method, key }, response) => {
    const count = (tries.get(`${method} ${key}`) ?? 0) + 1;
    tries.set(`${method} ${key}`, count);
    if (count > 2) return false;
    if (count === 1) response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    else response.destroy();
    return true;
  };
  await createS3Anchor(bucket.options).put(checkpoint, log, signal);
  bucket.intercept = () => false;
  const { note } = checkpoint;
  assert.equal(await createS3Anchor(bucket.options).newest(log.origin, signal), note);
});

const refusals: readonly [what: string, status: number, tries: number, message: RegExp][] = [
  ['an overload that lasts', 503, 4, /^Error: S3 answered 503 \(SlowDown\) to GET \/bucket$/],
  ['a wrong secret', 403, 1, /^Error: S3 answered 403 \(SlowDown\) to GET \/bucket$/],
  ['another region', 301, 1, /^Error: S3 answered 301 .*, the bucket is in eu-west-1$/],
];
for (const [what, status, tries, message] of refusals) {
  test(`${what} is reported with the status, and without the secret`, async (t) => {
    const bucket = await TestBucket.start(t);
    bucket.intercept = (_, response) => {
      const headers = {
        location: `${bucket.endpoint}/elsewhere`,
        ...(status === 301 && { 'x-amz-bucket-region': 'eu-west-1' }),
      };
      response.writeHead(status, headers).end('<Error><Code>SlowDown</Code></Error>');
      return true;
    };
    const anchor = createS3Anchor(bucket.options);
    await assert.rejects(anchor.newest('tools.example.com/audit', signal), (error) => {
      assert.match(String(error), message);
      assert.doesNotMatch(String((error as Error).stack), /not-a-secret|AWS4/);
      return true;
    });
    assert.equal(bucket.asked.length, tries);
  });
}

test('a bucket that does not answer is reported, and appends go on', async (t) => {
  const bucket = await TestBucket.start(t);
  bucket.intercept = () => true;
  const timing = { requestMs: 5, firstPauseMs: 1 };
  const reports: string[] = [];
  const log = await openLog(t, temporaryFolder(t), {
    anchors: [createS3Anchor({ ...bucket.options, timing })],
    report: (message, error) => reports.push(`${message}: ${(error as Error).message}`),
  });
  await appendNotes(log, 5);
  await log.anchorNow();
  await appendNotes(log, 5);
  assert.equal(log.status().size, 11);
  assert.match(
    reports.join('\n'),
    /could not be anchored at s3:127\.0\.0\.1:\d+\/bucket: GET \/bucket at .*: no answer in time/,
  );
  bucket.intercept = () => false;
  timing.requestMs = 600_000;
  await log.anchorNow();
  assert.equal(log.status().anchors[0]?.size, 11);
  assert.equal(log.status().anchors[0]?.failure, undefined);
});
