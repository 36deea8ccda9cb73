import assert from 'node:assert/strict';
import test from 'node:test';
import { temporaryFolder } from './audit-note.ts';
import { crashRounds } from './crash-rounds.ts';

test('20 kills at random moments: no acknowledged entry is lost or doubled, all verifies', async (t) => {
  const { acknowledged, written } = await crashRounds(temporaryFolder(t), 20);
  assert.ok(acknowledged > 0);
  t.diagnostic(`${acknowledged} acknowledged, ${written} written`);
});
