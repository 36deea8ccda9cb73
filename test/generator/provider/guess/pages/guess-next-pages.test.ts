import assert from 'node:assert/strict';
import test from 'node:test';
import { guessPagination } from '../../../../../generator/provider/guess/pages/guess-pagination.ts';
import { answer, list, natureIn, query } from '../described.ts';

const numbered = { style: 'page', request: { page: 'page', limit: 'per_page' } };

for (const [name, members, response] of [
  ['a number', { next_page: { type: 'integer' } }, { next: '$.next_page' }],
  ['a text', { nextPage: { type: ['string', 'null'] } }, { next: '$.nextPage' }],
  [
    'a number in an object',
    { meta: { properties: { next_page: { type: 'integer' } } } },
    { next: '$.meta.next_page' },
  ],
  [
    'a number beside the total',
    { next_page: { type: 'integer' }, total: { type: 'integer' } },
    { total: '$.total' },
  ],
  ['a truth', { next: { type: 'boolean' } }, undefined],
] as const) {
  test(`a next page that is ${name} is ${response && 'next' in response ? 'followed' : 'not needed'}`, () => {
    const { document, nature } = natureIn('/things', {
      parameters: query('page', 'per_page'),
      responses: answer({ type: 'object', properties: { items: list, ...members } }),
    });
    const expected = response ? { ...numbered, response } : numbered;
    assert.deepEqual(guessPagination(document, nature), expected);
  });
}

test('a next anchor is what the anchor takes', () => {
  const { document, nature } = natureIn('/things', {
    parameters: [{ name: 'anchor', in: 'query', schema: { type: 'string' } }],
    responses: answer({
      type: 'object',
      properties: { items: list, nextAnchor: { type: 'string' } },
    }),
  });
  assert.deepEqual(guessPagination(document, nature), {
    style: 'cursor',
    request: { cursor: 'anchor' },
    response: { next: '$.nextAnchor' },
  });
});

for (const [what, members, next] of [
  ['a page, and nothing else', { values: list, size: { type: 'integer' } }, '$.next'],
  ['one thing with a list in it', { title: { type: 'string' }, values: list }, undefined],
] as const) {
  test(`where a path ends in the owner, an address leads on from ${what}: ${next !== undefined}`, () => {
    const address = { type: 'string', format: 'uri' };
    const responses = answer({ properties: { ...members, next: address } });
    const { document, nature } = natureIn('/snippets/{owner}', { responses });
    assert.equal(guessPagination(document, nature)?.response?.next, next);
  });
}
