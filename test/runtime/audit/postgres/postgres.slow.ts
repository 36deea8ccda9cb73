import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { openAuditLog } from '../../../../runtime/audit/engine/audit-log.ts';
import { rotateKeyFile } from '../../../../runtime/audit/succession/rotate.ts';
import { PostgresServer } from '../../store/postgres-server.ts';
import { appendNotes, logOptions, note, openLog, temporaryFolder } from '../audit-note.ts';
import { auditContract, type MakePlace } from '../engine/audit-contract.ts';
import {
  first,
  k1,
  k2,
  rotationContract,
  second,
  signersOf,
} from '../succession/rotation-contract.ts';
import { silent, trusting, witnessContract } from '../witness/witness-contract.ts';

const server = await PostgresServer.start();
after(() => server.stop());

const makePlace: MakePlace = async (t) => {
  const databaseUrl = await server.createDatabase();
  const folder = temporaryFolder(t);
  return { open: (changes) => openLog(t, folder, { databaseUrl, ...changes }) };
};

auditContract('PostgreSQL', makePlace);
rotationContract('PostgreSQL', makePlace);
witnessContract('PostgreSQL', makePlace);

test('every replica shows the cosignature that one of them has got', async (t) => {
  const { open } = await makePlace(t);
  const asking = await open({ anchors: [trusting(1)] });
  const reading = await open({ anchors: [silent(trusting(1))] });
  await appendNotes(asking, 3);
  const { note: signed } = await asking.anchorNow();
  assert.match(signed, /\n— w1\.example/);
  // What one replica notes, the other one reads: a moment later.
  let seen = '';
  while (seen !== signed) seen = (await reading.checkpoint()).note;
});

test('replicas that start with both keys at once rotate once, and all sign from there on', async (t) => {
  const { open } = await makePlace(t);
  await (await open()).close();
  const rotating = Array.from({ length: 3 }, () => open({ key: second, previousKey: first }));
  const replicas = await Promise.all(rotating);
  for (const replica of replicas) {
    assert.equal(replica.vkey, k2);
    await appendNotes(replica, 3);
    assert.deepEqual(signersOf((await replica.anchorNow()).note), [k1, k2]);
  }
  const [log] = replicas;
  assert.equal((await log?.list({ limit: 9, action: 'AUDIT_KEY_ROTATED' }))?.records.length, 1);
  assert.deepEqual((await log?.verify())?.issues, []);
});

test('a replica that has only the replaced key is told so, and neither signs nor writes', async (t) => {
  const { open } = await makePlace(t);
  const reports: string[] = [];
  const old = await open({ report: (message) => reports.push(message) });
  const log = await open({ key: second, previousKey: first });
  // Also when nobody else has signed what it adds.
  await old.append(note(1)).catch(() => undefined);
  await old.anchorNow().catch(() => undefined);
  assert.equal(old.status().state, 'failed');
  assert.match(reports.join(), /signing key was replaced: expected that of .*give this server/);
  await assert.rejects(old.append(note(2)), { status: 503 });
  await assert.rejects(open({ key: first }), /was replaced by a newer one/);
  await appendNotes(log, 3);
  await log.anchorNow();
  assert.deepEqual((await log.verify()).issues, []);
});

test('the key file of a data directory is rotated for a log in the database too', async (t) => {
  const databaseUrl = await server.createDatabase();
  const options = logOptions(temporaryFolder(t), { databaseUrl, key: undefined });
  const before = await openAuditLog(options);
  await appendNotes(before, 3);
  await before.close();
  const log = await rotateKeyFile(options);
  assert.deepEqual(
    log.keys.map(({ since }) => since),
    [5, 0],
  );
  assert.equal(log.keys[1]?.vkey, before.vkey);
  assert.deepEqual((await log.verify()).issues, []);
  await log.close();
});
