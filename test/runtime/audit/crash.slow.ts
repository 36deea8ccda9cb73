import assert from 'node:assert/strict';
import test from 'node:test';
import { temporaryFolder } from './audit-note.ts';
import { crashRounds } from './crash-rounds.ts';

test('200 kills at random moments: no acknowledged entry is lost or doubled, all verifies', async (t) => {
  const { rounds, acknowledged, written } = await crashRounds(temporaryFolder(t), 200);
  assert.ok(acknowledged > 0);
  console.log(`${rounds} kills, ${acknowledged} entries acknowledged, ${written} written, 0 lost`);
});
