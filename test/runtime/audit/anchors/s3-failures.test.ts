import assert from 'node:assert/strict';
import test from 'node:test';
import { createS3Anchor } from '../../../../runtime/audit/anchors/s3-anchor.ts';
import { appendNotes, openLog, temporaryFolder } from '../audit-note.ts';
import { TestBucket } from './s3-bucket.ts';
import { signal, signedLog } from './s3-log.ts';

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
