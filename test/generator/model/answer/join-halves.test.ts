import assert from 'node:assert/strict';
import test from 'node:test';
import { joinHalves } from '../../../../generator/model/vendor/answer/join-halves.ts';

test('many are joined in their order, and no part more often than there are halves of halves', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `${index}`);
  const parts = names.map((name) => ({ text: name, depth: 0 }));
  const [first = { text: '', depth: 0 }, ...others] = parts;
  const whole = joinHalves([first, ...others], (before, part) => ({
    text: `${before.text},${part.text}`,
    depth: Math.max(before.depth, part.depth) + 1,
  }));
  assert.equal(whole.text, names.join(','));
  assert.equal(whole.depth, 10);
  assert.deepEqual(
    joinHalves([first], () => assert.fail()),
    first,
  );
});
