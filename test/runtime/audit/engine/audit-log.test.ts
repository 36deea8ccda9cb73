import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openLog, temporaryFolder } from '../audit-note.ts';
import { witnessContract } from '../witness/witness-contract.ts';
import { auditContract, type MakePlace } from './audit-contract.ts';

const makePlace: MakePlace = async (t) => {
  const folder = temporaryFolder(t);
  return { open: (changes) => openLog(t, folder, changes) };
};

auditContract('SQLite', makePlace);
witnessContract('SQLite', makePlace);

test('the key file is readable by its owner alone, and no other key opens the log', async (t) => {
  const folder = temporaryFolder(t);
  const log = await openLog(t, folder, { key: undefined });
  await log.close();
  assert.equal(statSync(join(folder, 'data', 'audit.key')).mode & 0o777, 0o600);
  const other = Buffer.alloc(32, 9).toString('base64');
  await assert.rejects(openLog(t, folder, { key: other }), /is signed with another key/);
});

test('a second process on the same directory is told so', async (t) => {
  const folder = temporaryFolder(t);
  await openLog(t, folder);
  await assert.rejects(openLog(t, folder), /another process writes the audit log/);
});
