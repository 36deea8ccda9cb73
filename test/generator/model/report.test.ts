import assert from 'node:assert/strict';
import test from 'node:test';
import { nearestOf, suggestion } from '../../../generator/diagnostics/suggestion.ts';

test('the nearest name is offered, also where it only contains what was written', () => {
  assert.equal(nearestOf('getVuln', ['OSV_Query', 'OSV_GetVulnById']), 'OSV_GetVulnById');
  assert.equal(nearestOf('colour', ['color', 'size']), 'color');
  assert.equal(nearestOf('zzzzzzzz', ['color', 'size']), undefined);
});

test('long lists are cut', () => {
  const known = Array.from({ length: 20 }, (_, index) => `name${index}`);
  assert.match(suggestion('x', known), /name11 and 8 more$/);
  assert.equal(suggestion('x', []), 'it has none');
});
