import assert from 'node:assert/strict';
import test from 'node:test';
import { read, refusedByOther } from './changed-descriptions.ts';

for (const version of ['3.0.3', '3.1.0']) {
  test(`the other reader accepts every changed description of ${version} of which that is said`, async () => {
    const { accepted, wrongly } = await refusedByOther(read(version), 1);
    assert.deepEqual(wrongly, []);
    assert.ok(accepted > 100, `${accepted} accepted`);
  });
}
