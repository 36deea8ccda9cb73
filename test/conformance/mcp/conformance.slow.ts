import assert from 'node:assert/strict';
import test from 'node:test';
import { legs } from './legs.ts';
import { runSuite } from './suite.ts';
import { runLeg, verdictsOf } from './verdicts.ts';

// The official conformance suite, with no list of expected failures.

for (const leg of legs) {
  test(`conformance: ${leg.name}`, async () => {
    const bad = (await runLeg(leg)).filter(({ problems }) => problems.length > 0);
    assert.deepEqual(bad, []);
  });
}

test('the suite knows as many scored scenarios as were published', () => {
  const scored = legs.map(({ scenarios }) => scenarios.filter(({ isScored }) => isScored).length);
  assert.deepEqual(scored.slice(0, 2), [37, 30]);
});

test('with no server listening nothing counts as passed', async () => {
  const [leg] = legs;
  assert.ok(leg);
  const options = ['--scenario', 'tools-list'];
  const scenarios = [{ name: 'tools-list', isScored: true }];
  const run = await runSuite(new URL('http://127.0.0.1:9/mcp'), options);
  assert.notEqual(run.exitCode, 0);
  const [verdict] = verdictsOf({ ...leg, scenarios }, run);
  assert.notDeepEqual(verdict?.problems, []);
});
