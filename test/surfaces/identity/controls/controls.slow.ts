import assert from 'node:assert/strict';
import test from 'node:test';
import { type Control, controls } from './controls.ts';
import { runControl } from './run-control.ts';

// A test that passes without the control that it is about shows nothing. So each control is taken
// away once, in a process of its own, and its test has to fail; with it, it has to pass.

function run(control: Control, isRemoved: boolean) {
  return runControl(control, new URL(`../${control.test}`, import.meta.url), isRemoved);
}

for (const control of controls) {
  test(`without its control its test fails (${control.threat})`, async () => {
    const [kept, removed] = [await run(control, false), await run(control, true)];
    assert.deepEqual([kept.passed, kept.failed], [1, 0], kept.report);
    assert.deepEqual([removed.passed, removed.failed], [0, 1], removed.report);
    // It fails because it sees the difference, and not because nothing starts.
    assert.match(removed.report, /ERR_ASSERTION/, removed.report);
  });
}
