import assert from 'node:assert/strict';
import type { Figures } from './tally.ts';

/** Make sure that the figures prove what they are for. */
export function sound(all: readonly Figures[]): void {
  for (const { engine, kind, problems, kills, lost, doubled, verified } of all) {
    const name = `${engine}, ${kind}`;
    assert.deepEqual(problems, [], name);
    assert.deepEqual({ lost, doubled, verified }, { lost: 0, doubled: 0, verified: kills }, name);
  }
  assert.ok(
    all.some(({ acknowledged }) => acknowledged > 0),
    'nothing was acknowledged: nothing is proven',
  );
  assert.ok(
    all.some(({ within }) => within > 0),
    'no kill fell into a critical section',
  );
}
