import assert from 'node:assert/strict';
import test from 'node:test';
import { guessPagination } from '../../../../../generator/provider/guess/pages/guess-pagination.ts';
import { guessItems } from '../../../../../generator/provider/guess/pages/told-list.ts';
import { natureIn, query } from '../described.ts';

const survey = { id: 's-1', finished: null };

const guessed = (media: object, path = '/surveys') => {
  const responses = { 200: { description: 'ok', content: { 'application/json': media } } };
  const parameters = query('limit', 'skip');
  const { document, nature } = natureIn(path, { parameters, responses });
  return { pagination: guessPagination(document, nature), items: guessItems(document, nature) };
};

const byOffset = { style: 'offset', request: { offset: 'skip', limit: 'limit' } };

for (const [what, media] of [
  ['its schema is missing', { example: { data: [survey] } }],
  ['it is called an object', { schema: { type: 'object' }, example: { data: [survey] } }],
  ['it has no members', { schema: { properties: {} }, example: { data: [survey] } }],
  [
    'it may hold anything',
    { schema: { additionalProperties: true, 'x-of': 1 }, example: { data: [survey] } },
  ],
  ['the example stands in it', { schema: { type: 'object', example: { data: [survey] } } }],
  ['its example has a name', { schema: {}, examples: { some: { value: { data: [survey] } } } }],
] as const) {
  test(`an answer that only an example shows is a list that pages: ${what}`, () => {
    const response = { counted: '$.data' };
    // There may be more in an answer than its example has: it is given whole.
    assert.deepEqual(guessed(media), { pagination: { ...byOffset, response }, items: undefined });
  });
}

test('an example that is a list shows the whole answer', () => {
  const { pagination, items } = guessed({ schema: {}, example: [survey] });
  assert.deepEqual([pagination, items], [byOffset, '$']);
  // Where one is asked for, it may come without the list.
  assert.equal(guessed({ schema: {}, example: [survey] }, '/surveys/{id}').items, undefined);
});

for (const [what, media] of [
  [
    'other members are described',
    { schema: { properties: { id: {} } }, example: { data: [survey] } },
  ],
  ['it has alternatives', { schema: { oneOf: [{}, {}] }, example: { data: [survey] } }],
  ['its schema is of another type', { schema: { type: 'object' }, example: [survey] }],
  ['the example is no structure', { schema: {}, example: 'data' }],
  ['the example is one thing', { schema: {}, example: survey }],
] as const) {
  test(`no list is read out of an example where ${what}`, () => {
    assert.equal(guessed(media).items, undefined);
    assert.equal(guessed(media).pagination?.response?.counted, undefined);
  });
}
