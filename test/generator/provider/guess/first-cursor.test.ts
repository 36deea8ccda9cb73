import assert from 'node:assert/strict';
import test from 'node:test';
import type { CuratedPagination } from '../../../../generator/model/shape/curation.ts';
import { draftOperation } from '../../../../generator/provider/draft/draft-operation.ts';
import { answer, list, natureIn } from './described.ts';

const usual: CuratedPagination = {
  style: 'cursor',
  request: { cursor: 'after' },
  response: { next: '$.next.after' },
};
const auth = { auth: { type: 'none' as const }, review: '' };
const responses = answer({
  properties: { results: list, next: { properties: { after: { type: 'string' } } } },
});

function drafted(path: string, after: object, required: readonly string[]) {
  const schema = { type: 'object', properties: { after, q: { type: 'string' } }, required };
  const requestBody = { content: { 'application/json': { schema } } };
  const { document, nature } = natureIn(path, { requestBody, responses }, 'post');
  return draftOperation(document, nature, { name: 'acme_x', usual, auth, texts: true });
}

for (const [what, after, first] of [
  ['a text', { type: 'string' }, ''],
  ['a text with a usual value', { type: 'string', default: '*' }, '*'],
  ['a number', { type: 'integer', minimum: 0 }, '0'],
  ['a number above 0', { type: 'integer', minimum: 1 }, undefined],
  ['a text that may not be empty', { type: 'string', minLength: 1 }, undefined],
  ['a text of a form', { type: 'string', format: 'uuid' }, undefined],
] as const) {
  test(`the first page sends ${JSON.stringify(first)} for a cursor that is demanded and ${what}`, () => {
    const { params, pagination } = drafted('/things/search', after, ['after']);
    assert.deepEqual(params?.defaults, first === undefined ? undefined : { after: first });
    assert.equal(pagination?.style, first === undefined ? 'none' : undefined);
  });
}

test('a cursor that may be left out is, and a member of what is made stays an argument', () => {
  assert.equal(drafted('/things/search', { type: 'string' }, []).params, undefined);
  const made = drafted('/things', { type: 'string' }, ['after']);
  assert.deepEqual([made.params, made.pagination], [undefined, { style: 'none' }]);
});

for (const [description, first] of [
  ['Pass an empty string for the first page, then use next_cursor.', ''],
  ['Pass in the empty string "" in the first call.', ''],
  ['Where pages go on. For the first request, use `*`.', '*'],
  ['Set cursor to -1 to start paging.', '-1'],
  ['Start with "*" on the initial request', '*'],
  ['Leave it empty for the first page.', undefined],
  ['Omit it on the first page. An empty string is refused.', undefined],
  ['Use * as a wildcard. The first page has 10 items.', undefined],
  ['Use -100 for the first page', undefined],
] as const) {
  test(`a cursor that may be left out sends ${JSON.stringify(first)} where its text says "${description}"`, () => {
    const { params } = drafted('/things/search', { type: 'string', description }, []);
    assert.deepEqual(params?.defaults, first === undefined ? undefined : { after: first });
    const bounded = { type: 'string', description, pattern: '^.{8}$' };
    assert.equal(drafted('/things/search', bounded, []).params, undefined);
  });
}
