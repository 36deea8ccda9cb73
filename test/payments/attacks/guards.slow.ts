import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runControl } from '../../surfaces/identity/controls/run-control.ts';
import { guards } from './guards.ts';

// A test of an attack that passes without what stands against the attack shows nothing. So each guard
// is taken away once, in a process of its own; with it, each passes where it stands.

suite('without its guard each attack is noticed', { concurrency: 2 }, () => {
  for (const guard of guards) {
    test(guard.attack, async () => {
      const tests = new URL(`../../${guard.test}`, import.meta.url);
      const { passed, failed, report } = await runControl(guard, tests, true);
      assert.deepEqual([passed, failed], [0, 1], report);
      // It fails because it sees the difference, and not because nothing starts.
      assert.match(report, /ERR_ASSERTION/, report);
    });
  }
});
