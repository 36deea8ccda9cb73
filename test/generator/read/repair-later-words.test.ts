import assert from 'node:assert/strict';
import test from 'node:test';
import { repaired } from './repaired.ts';

const cases: readonly (readonly [title: string, written: object, meant: object])[] = [
  ['the only value', { type: 'string', const: 'card' }, { type: 'string', enum: ['card'] }],
  ['a text or null', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
  [
    'null that is no listed value',
    { type: ['string', 'null'], enum: ['a'] },
    { type: 'string', enum: ['a'] },
  ],
  ['a bound', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', exclusiveMinimum: 0 }],
  [
    'a bound within another one',
    { type: 'number', maximum: 9, exclusiveMaximum: 5 },
    { type: 'number', exclusiveMaximum: 5 },
  ],
  [
    'a bound beyond another one',
    { type: 'number', minimum: 3, exclusiveMinimum: 1 },
    { type: 'number', minimum: 3 },
  ],
];

for (const version of ['2.0', '3.0.3']) {
  for (const [title, written, meant] of cases) {
    test(`words of JSON Schema from OpenAPI 3.1 on hold before it: ${title} (${version})`, async (t) => {
      const schemas = { Kind: written };
      const { root, errors } = await repaired(t, {
        ...(version === '2.0' ? { swagger: version, definitions: schemas } : { openapi: version }),
        ...(version === '2.0' ? {} : { components: { schemas } }),
        paths: {},
      });
      const { Kind } = (root['components'] as { schemas: { Kind: object } }).schemas;
      assert.deepEqual(Kind, meant);
      assert.deepEqual(errors, []);
    });
  }
}

test('of several types each is an alternative (OpenAPI 3.0)', async (t) => {
  const { root, errors } = await repaired(t, {
    openapi: '3.0.3',
    components: { schemas: { Kind: { type: ['string', 'integer', 'null'] } } },
    paths: {},
  });
  const { Kind } = (root['components'] as { schemas: { Kind: object } }).schemas;
  assert.deepEqual(errors, []);
  assert.deepEqual(Kind, { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] });
});
