import assert from 'node:assert/strict';
import test from 'node:test';
import { planKeys } from '../../../runtime/surfaces/identity/keys/key-plan.ts';
import type { SigningKeyRow } from '../../../runtime/surfaces/identity/records/signing-keys.ts';

const minute = 60_000;
const day = 1440 * minute;

/** Plan every ten minutes for as many days; gives the keys after each step. */
function rotated(days: number): SigningKeyRow[][] {
  let keys: SigningKeyRow[] = [];
  const steps: SigningKeyRow[][] = [];
  for (let now = 0; now < days * day; now += 10 * minute) {
    const made = { kid: `key-${now}`, alg: 'ES256', public: '{}', private: 'sealed' };
    const { add, change } = planKeys(
      keys.filter(({ state }) => state !== 'retired'),
      made,
      now,
    );
    const changes = new Map(change.map((each) => [each.kid, each]));
    keys = [...keys.map((key) => ({ ...key, ...changes.get(key.kid) })), ...add];
    steps.push(keys);
  }
  return steps;
}

test('one key signs at any time, each for thirty days', () => {
  const steps = rotated(100);
  const signing = steps.map((keys) => keys.filter(({ state }) => state === 'active'));
  assert.ok(signing.every(({ length }) => length === 1));
  const kids = new Set(signing.map(([key]) => key?.kid));
  assert.equal(kids.size, 4);
});

test('a key is published before it signs, and for as long as what it has signed lives', () => {
  const keys = rotated(100).at(-1) ?? [];
  const [first, ...others] = keys.filter(({ active_at }) => active_at !== null);
  assert.equal(first?.created_at, first?.active_at, 'nobody has older ones before the first');
  for (const { created_at, active_at } of others) {
    assert.ok((active_at ?? 0) - created_at >= 20 * minute);
  }
  const retired = keys.filter(({ state }) => state === 'retired');
  assert.equal(retired.length, 3);
  for (const { retiring_at, retired_at, private: secret } of retired) {
    assert.ok((retired_at ?? 0) - (retiring_at ?? 0) >= 75 * minute);
    assert.equal(secret, '', 'what signs no more is not kept');
  }
});
