import assert from 'node:assert/strict';
import test from 'node:test';
import {
  decodeMembersWith,
  decodeText,
  Report,
} from '../../../../runtime/mcp/profiles/written-arguments.ts';

const decodeAll = decodeMembersWith(decodeText);

test('all texts of one call together hold so many values', () => {
  const text = `[${'1,'.repeat(19_990)}1]`;
  const report = new Report();
  const read = decodeAll([text, text, text], report) as unknown[];
  assert.deepEqual(read.map(Array.isArray), [true, true, false]);
  assert.deepEqual(report.problems, ['[2]: with it, JSON texts hold more than 50000 values']);
});

test('of many problems the first are told, and the others counted', () => {
  const report = new Report();
  decodeAll(Array(1000).fill('{'), report);
  assert.equal(report.problems.length, 10);
  assert.equal(report.count, 1000);
});
