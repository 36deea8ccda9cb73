import assert from 'node:assert/strict';
import test from 'node:test';
import { measureSqlite } from './measure.ts';
import { sound } from './sound.ts';

test('12 kills at random moments: nothing that was acknowledged is lost or doubled', async () => {
  const all = await measureSqlite({ rounds: 12, seed: Date.now() });
  sound(all);
  assert.equal(
    all.reduce((sum, { kills }) => sum + kills, 0),
    12,
  );
});
