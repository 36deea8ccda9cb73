import assert from 'node:assert/strict';
import test from 'node:test';
import type { Claimable } from '../../../../runtime/surfaces/identity/claim/claiming.ts';
import { type ClaimParts, Claims } from '../../../../runtime/surfaces/identity/claim/claims.ts';

test('who claims between the two reads of a claim has claimed it', async () => {
  let claimedAt: Claimable['claimedAt'] | undefined;
  const parts = {
    registrations: { findByClaim: async () => ({ id: 'reg_1', claimedAt }) },
    attempts: {
      async newestOf() {
        claimedAt = 1;
        return { newest: { id: 'cla_1', state: 'completed' }, minted: 1 };
      },
    },
  };
  // Nothing else is asked where a claim is only looked at.
  const claims = new Claims(parts as unknown as ClaimParts);
  const { registration, attempt } = (await claims.find('clm_1')) ?? {};
  assert.deepEqual([registration?.claimedAt, attempt?.state], [1, 'completed']);
});
