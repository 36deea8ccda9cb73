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

test('a parameter of which every alternative is a list is one', () => {
  const four = { type: 'array', minItems: 4, maxItems: 4 };
  const box = {
    name: 'box',
    in: 'query',
    schema: { oneOf: [{ $ref: '#/four' }, { ...four, minItems: 6 }] },
  };
  const mixed = { name: 'mixed', in: 'query', schema: { anyOf: [four, { type: 'string' }] } };
  const none = { name: 'none', in: 'query', schema: { oneOf: [] } };
  const before = structuredClone([mixed, none]);
  assert.equal(nameChoices({ four, parameters: [box, mixed, none] }), true);
  assert.equal((box.schema as { type?: unknown }).type, 'array');
  assert.deepEqual([mixed, none], before);
});
