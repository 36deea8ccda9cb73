import assert from 'node:assert/strict';
import test from 'node:test';
import { counted } from '../../../runtime/commands/counted.ts';

test('one is singular, everything else is plural', () => {
  assert.equal(counted(0, 'tool'), '0 tools');
  assert.equal(counted(1, 'tool'), '1 tool');
  assert.equal(counted(2, 'tool'), '2 tools');
});
