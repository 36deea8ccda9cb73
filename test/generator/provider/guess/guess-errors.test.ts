import assert from 'node:assert/strict';
import test from 'node:test';
import { guessErrors } from '../../../../generator/provider/guess/guess-errors.ts';
import { guessPagination } from '../../../../generator/provider/guess/pages/guess-pagination.ts';
import { answer, list, natureIn } from './described.ts';

for (const [text, isLinked] of [
  ['Paginated: see the `Link` header of the answer.', true],
  ['The next page is in the link response headers', true],
  ['Follow rel="next".', true],
  ['A link to the header image', false],
] as const) {
  test(`a list whose text says "${text}" ${isLinked ? 'pages by links' : 'has one page'}`, () => {
    const operation = { description: text, responses: answer(list) };
    const { document, nature } = natureIn('/things', operation);
    const guessed = guessPagination(document, nature);
    assert.equal(guessed?.style, isLinked ? 'link_header' : undefined);
  });
}

test('of the words of a failure, those that say most are taken', () => {
  const text = { type: 'string' };
  const schema = { properties: { error: text, errorCode: text, errorDescription: text } };
  const failure = { 400: { description: 'no', content: { 'application/json': { schema } } } };
  const { document, nature } = natureIn('/things', { responses: failure });
  assert.deepEqual(guessErrors(document, [nature]), { message: '$.errorDescription' });
});

for (const [what, items, message] of [
  ['an object', { properties: { code: {}, detail: { type: 'string' } } }, '$.errors[0].detail'],
  ['a text', { type: 'string' }, '$.errors[0]'],
  ['a number', { type: 'integer' }, undefined],
] as const) {
  test(`of several errors the first says what is wrong, each being ${what}`, () => {
    const schema = { properties: { errors: { type: 'array', items } } };
    const failure = { 400: { description: 'no', content: { 'application/json': { schema } } } };
    const { document, nature } = natureIn('/things', { responses: failure });
    assert.equal(guessErrors(document, [nature])?.message, message);
  });
}

for (const [what, beside, soft] of [
  ['a reason', 'error', { path: '$.ok', equals: false, message: '$.error' }],
  ['what was asked for', 'door', undefined],
] as const) {
  test(`"ok" beside ${what} ${soft ? 'tells of failures' : 'is a part of the answer'}`, () => {
    const properties = { ok: { type: 'boolean' }, [beside]: { type: 'string' } };
    const { document, nature } = natureIn('/things', { responses: answer({ properties }) });
    assert.deepEqual(guessErrors(document, [nature])?.soft, soft);
  });
}
