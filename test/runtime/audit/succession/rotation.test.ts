import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { exportLog } from '../../../../runtime/audit/anchors/export.ts';
import { identityOf } from '../../../../runtime/audit/keys/log-identity.ts';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import { openForWriting } from '../../../../runtime/audit/sqlite/schema.ts';
import { openSuccessorLog } from '../../../../runtime/audit/succession/successor.ts';
import { verifyPath } from '../../../../runtime/audit/verify/verify-files.ts';
import { appendNotes, logOptions, openLog, temporaryFolder } from '../audit-note.ts';
import {
  first,
  k1,
  k2,
  k3,
  makeRotated,
  rotationContract,
  second,
  third,
} from './rotation-contract.ts';

const origin = 'tools.example.com/audit';

rotationContract('SQLite', async (t) => {
  const folder = temporaryFolder(t);
  return { open: (changes) => openLog(t, folder, changes) };
});

test('an older copy of the data is recognised with the new key, and not handed over', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  cpSync(join(folder, 'data'), join(folder, 'older'), { recursive: true });
  await (await openLog(t, folder, { key: second, previousKey: first })).close();
  const newest = await openLog(t, folder, { key: second });
  await appendNotes(newest, 2);
  await newest.close();
  rmSync(join(folder, 'data'), { recursive: true });
  cpSync(join(folder, 'older'), join(folder, 'data'), { recursive: true });

  const options = logOptions(folder, { key: second, previousKey: first });
  const older = await openLog(t, folder, options);
  assert.equal(older.status().state, 'rolled_back');
  assert.match(older.status().reason ?? '', /1 entries, an anchor knows 4/);
  await older.close();
  const successor = await openSuccessorLog(options, 'restored');
  assert.equal(successor.status().state, 'open');
  assert.equal(successor.keys.length, 1, 'its first key is the new one');
  await successor.close();
});

test('a log whose first entry was never written is opened and handed over at once', async (t) => {
  const folder = temporaryFolder(t);
  await (await openLog(t, folder)).close();
  const path = join(folder, 'data', 'audit.sqlite');
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  rmSync(join(folder, 'anchor'), { recursive: true });
  openForWriting(path, identityOf(origin, k1)).close();
  const log = await openLog(t, folder, { key: second, previousKey: first });
  const { records } = await log.list({ limit: 9 });
  assert.deepEqual(
    records.map(({ entry }) => entry.action),
    ['AUDIT_KEY_ROTATED', 'AUDIT_LOG_OPENED'],
  );
  await log.close();
  for (const vkey of [k1, k2]) assert.deepEqual(verifyPath(path, vkey).issues, []);
});

test('a bundle holds all keys and the checkpoints by which they were handed over', async (t) => {
  const folder = temporaryFolder(t);
  await makeRotated({ open: (changes) => openLog(t, folder, changes) });
  await (await openLog(t, folder, { key: third, previousKey: second })).close();
  const log = await openLog(t, folder, { key: third });
  await appendNotes(log, 3);
  await log.anchorNow();
  const bundle = join(folder, 'bundle');
  await exportLog(log, bundle);
  assert.equal(readFileSync(join(bundle, 'vkey'), 'utf8'), `${k3}\n${k2}\n${k1}\n`);
  for (const vkey of [k1, k2, k3]) assert.deepEqual(verifyPath(bundle, vkey).issues, []);

  rmSync(join(bundle, 'checkpoints', '7'.padStart(20, '0')));
  assert.deepEqual(
    verifyPath(bundle, k1).issues.map(({ seq, reason }) => [seq, reason]),
    [[6, 'bad_signature']],
  );
});

test('any of the n + 1 keys of a log verifies it, and no other does', async (t) => {
  const rounds = fc.array(
    fc.record({ notes: fc.nat(100), overlap: fc.boolean(), checkpoints: fc.nat(2) }),
    { minLength: 1, maxLength: 5 },
  );
  const property = fc.asyncProperty(rounds, async (periods) => {
    const folder = temporaryFolder(t);
    const vkeys: string[] = [];
    let key = '';
    for (const { notes, overlap, checkpoints } of periods) {
      const previousKey = key === '' ? undefined : key;
      key = randomBytes(32).toString('base64');
      let log = await openLog(t, folder, { key, previousKey });
      vkeys.push(log.vkey);
      if (!overlap) {
        await log.close();
        log = await openLog(t, folder, { key });
      }
      for (let made = 0; made <= checkpoints; made++) {
        await appendNotes(log, notes);
        await log.anchorNow();
      }
      if (vkeys.length === periods.length) await exportLog(log, join(folder, 'bundle'));
      await log.close();
    }
    const foreign = new Signer(origin, randomBytes(32)).vkey;
    const anchored = readFileSync(join(folder, 'anchor', encodeURIComponent(origin), 'newest'));
    const places = ['data/audit.sqlite', 'bundle'];
    for (const path of places.map((place) => join(folder, place))) {
      for (const vkey of vkeys) {
        assert.deepEqual(verifyPath(path, vkey, [anchored.toString()]).issues, []);
      }
      assert.equal(verifyPath(path, foreign).ok, false);
    }
  });
  await fc.assert(property, { numRuns: 3 });
});
