import assert from 'node:assert/strict';
import test from 'node:test';
import { checkFilter, checkSubject, matches } from '#contract/bus/subject';

test('a subject is tokens of letters, digits, underscores and hyphens', () => {
  for (const good of [
    'a',
    'service.workflow.step_completed',
    'service.agent.acme-1.hitl.enqueued',
  ]) {
    assert.equal(checkSubject(good), good);
  }
  const long = 'a'.repeat(65);
  for (const bad of ['', '.', 'a.', '.a', 'a..b', 'a b', 'a.*', 'a.>', 'ä', 'a\n', long]) {
    assert.throws(() => checkSubject(bad), { code: 'invalid_params', status: 400 }, bad);
  }
  assert.throws(() => checkSubject(Array(17).fill('a').join('.')), /1 to 16 tokens/);
});

test('a wildcard stands for whole tokens, and the one for all that follow at the end alone', () => {
  for (const good of ['>', '*', 'a.*', 'a.>', '*.b.>']) assert.equal(checkFilter(good), good);
  for (const bad of ['', 'a.>.b', 'a.b*', 'a.**', '>>']) {
    assert.throws(() => checkFilter(bad), { code: 'invalid_params' }, bad);
  }
});

test('a filter takes the subjects that it stands for', () => {
  const cases = [
    ['a.b', 'a.b', true],
    ['a.b', 'a.b.c', false],
    ['a.b.c', 'a.b', false],
    ['a.*', 'a.b', true],
    ['a.*', 'a.b.c', false],
    ['a.*.c', 'a.b.c', true],
    ['a.>', 'a.b.c', true],
    ['a.>', 'a', false],
    ['>', 'a', true],
    ['*', 'a.b', false],
  ] as const;
  for (const [filter, subject, taken] of cases) {
    assert.equal(matches(filter, subject), taken, `${filter} ${subject}`);
  }
});
