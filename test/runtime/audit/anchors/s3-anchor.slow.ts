import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { createS3Anchor } from '../../../../runtime/audit/anchors/s3-anchor.ts';
import { verifyPath } from '../../../../runtime/audit/verify/verify-files.ts';
import { runCli } from '../../cli/run-cli.ts';
import { appendNotes, openLog, temporaryFolder } from '../audit-note.ts';
import { MotoServer } from './moto-server.ts';

const entries = 70_000;

async function startMoto(t: TestContext) {
  const moto = await MotoServer.start();
  t.after(() => moto.stop());
  const { endpoint, bucket } = moto;
  const anchor = () =>
    createS3Anchor({
      endpoint,
      bucket,
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'not-a-secret',
      retainDays: 30,
    });
  return { moto, anchor };
}

test('a log is copied into a bucket, where nobody can delete it, and verified from there', async (t) => {
  const { moto, anchor } = await startMoto(t);
  const log = await openLog(t, temporaryFolder(t), { anchors: [] });
  for (let first = 0; first < entries - 1; first += 10_000) {
    await appendNotes(log, Math.min(10_000, entries - 1 - first), first);
  }
  const { signal } = new AbortController();
  const checkpoint = await log.anchorNow();
  await anchor().put(checkpoint, log, signal);
  assert.equal(await anchor().newest(log.origin, signal), checkpoint.note);

  const versions = await moto.versions();
  const full = Math.floor(entries / 256);
  // Bundles and tiles of level 0 with a partial one each; two of level 1, one of 2; the checkpoint.
  assert.equal(versions.length, 2 * (full + 1) + 2 + 1 + 1);
  for (const { Key: key, VersionId: id } of versions) {
    const { headers } = await moto.send('HEAD', key);
    assert.equal(headers.get('x-amz-object-lock-mode'), 'COMPLIANCE', key);
    const bypass = { 'x-amz-bypass-governance-retention': 'true' };
    const query = `?versionId=${id}`;
    const { status } = await moto.send('DELETE', key, { query, headers: bypass });
    assert.equal(status, 403, key);
  }

  const folder = temporaryFolder(t);
  await moto.download(folder);
  const { ok, records } = verifyPath(folder, log.vkey);
  assert.deepEqual({ ok, records }, { ok: true, records: entries });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((_, index) => index % 80 === 0)) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    const changed = Buffer.from(bytes);
    changed[bytes.length - 5] = (changed[bytes.length - 5] ?? 0) ^ 1;
    writeFileSync(path, changed);
    assert.equal(verifyPath(folder, log.vkey).ok, false, name);
    writeFileSync(path, bytes);
  }
});

test('a log that was rolled back is recognised by its bucket alone, deletions or not', async (t) => {
  const { moto, anchor } = await startMoto(t);
  const log = await openLog(t, temporaryFolder(t), { anchors: [anchor()] });
  const first = await log.anchorNow();
  await appendNotes(log, 300);
  await log.close();
  // A deletion that names no version hides the object, and every tile of that size.
  for (const { Key: key } of await moto.versions()) await moto.send('DELETE', key);
  const newest = `tools.example.com%2Faudit/checkpoints/${'301'.padStart(20, '0')}`;
  assert.equal((await moto.send('GET', newest)).status, 404);
  await moto.send('PUT', newest, { body: first.note });
  const older = await openLog(t, temporaryFolder(t), { anchors: [anchor()] });
  assert.equal(older.status().state, 'rolled_back');
  assert.match(older.status().reason ?? '', /1 entries|0 entries/);
});

test('a server with a bucket copies its log there, and verifies it against the bucket', async (t) => {
  const { moto } = await startMoto(t);
  const env = {
    SERVICE_DATA_DIR: join(temporaryFolder(t), 'data'),
    SERVICE_PROVIDER: 'osv',
    SERVICE_AUDIT_S3_ENDPOINT: moto.endpoint,
    SERVICE_AUDIT_S3_BUCKET: moto.bucket,
    SERVICE_AUDIT_S3_ACCESS_KEY_ID: 'id',
    SERVICE_AUDIT_S3_SECRET_ACCESS_KEY: 'not-a-secret',
  };
  const note = '{"operation":"append","category":"plan","action":"decided","summary":"Chose blue"}';
  const called = await runCli(['call', 'audit', note], env);
  assert.equal(called.code, 0, called.stderr);
  const vkey = (await runCli(['audit', 'vkey'], env)).stdout.trim();
  const folder = temporaryFolder(t);
  await moto.download(folder);
  assert.match((await runCli(['audit', 'verify', folder, vkey], env)).stdout, /^verified$/m);

  const verified = await runCli(['audit', 'verify'], env);
  assert.match(verified.stdout, /^elsewhere +compared with 2 checkpoints$/m);
  assert.equal(verified.code, 0);
  await moto.stop();
  const alone = await runCli(['audit', 'verify'], env);
  assert.match(alone.stdout, /^elsewhere +no answer from s3:127\.0\.0\.1:\d+\/audit-copy: /m);
  assert.match(alone.stdout, /^NOT verified$/m);
  assert.doesNotMatch(alone.stdout + alone.stderr, /not-a-secret/);
  assert.equal(alone.code, 1);
});
