import assert from 'node:assert/strict';
import test from 'node:test';
import { suggestion } from '../../../generator/diagnostics/suggestion.ts';

test('what there is is listed, with the name that was perhaps meant', () => {
  assert.equal(
    suggestion('colour', ['color', 'size']),
    'it has: color, size; did you mean "color"?',
  );
  assert.equal(suggestion('zzzzzzzz', ['color', 'size']), 'it has: color, size');
});

test('long lists are cut', () => {
  const known = Array.from({ length: 20 }, (_, index) => `name${index}`);
  assert.match(suggestion('x', known), /name11 and 8 more$/);
  assert.equal(suggestion('x', []), 'it has none');
});
