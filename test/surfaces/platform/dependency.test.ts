import assert from 'node:assert/strict';
import test from 'node:test';
import { probe } from '../../../runtime/surfaces/platform/dependency.ts';

test('a dependency that never answers counts as not working, and its check is aborted', async () => {
  let aborted = false;
  const check = (signal: AbortSignal) =>
    new Promise<boolean>(() => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
    });
  // The signal's timer does not keep the process alive by itself.
  const alive = setInterval(() => {}, 1000);
  try {
    assert.deepEqual(await probe({ name: 'store', check }, 1), { name: 'store', ok: false });
    assert.equal(aborted, true);
  } finally {
    clearInterval(alive);
  }
});
