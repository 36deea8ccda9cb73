import assert from 'node:assert/strict';
import test from 'node:test';
import { hasUnclearChoice } from './unclear-choices.ts';

const cat = { type: 'object', required: ['lives'], properties: { lives: {} } };
const dog = { type: 'object', required: ['bark'], properties: { bark: {} } };

test('a choice by a discriminator, or of alternatives that are alike, is one that no mock can make', () => {
  const root = { pets: { Cat: cat, Dog: dog } };
  const oneOf = [{ $ref: '#/pets/Cat' }, { $ref: '#/pets/Dog' }];
  assert.equal(hasUnclearChoice({ properties: { pet: { oneOf } } }, root), false);
  const named = { oneOf, discriminator: { propertyName: 'kind' } };
  assert.equal(hasUnclearChoice({ properties: { pet: named } }, root), true);
  assert.equal(hasUnclearChoice({ oneOf: [...oneOf, { type: 'object' }] }, root), true);
});
