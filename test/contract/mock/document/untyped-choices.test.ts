import assert from 'node:assert/strict';
import test from 'node:test';
import { nameChoices } from './untyped-choices.ts';

test('choices of numbers are numbers in a parameter that names no type', () => {
  const year = { name: 'year', in: 'query', schema: { enum: [2023, 2022] as unknown[] } };
  const others = [
    { name: 'text', in: 'query', schema: { enum: ['1', 2] } },
    { name: 'typed', in: 'query', schema: { type: 'string', enum: [1] } },
    { properties: { free: { enum: [1] } } },
  ];
  const before = structuredClone(others);
  assert.equal(nameChoices({ parameters: [year, ...others] }), true);
  assert.deepEqual(year.schema, { enum: [2023, 2022], type: 'number' });
  assert.deepEqual(others, before);
  assert.equal(nameChoices(others), false);
});
