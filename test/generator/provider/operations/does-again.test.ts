import assert from 'node:assert/strict';
import test from 'node:test';
import { draftOperation } from '../../../../generator/provider/draft/draft-operation.ts';
import { guessPagination } from '../../../../generator/provider/guess/pages/guess-pagination.ts';
import { answer, list, natureIn, query } from '../guess/described.ts';

// What changes something is not idempotent by its method (RFC 9110, section 9.2.2): a cursor in its answer
// would have it done once for each page.

const parameters = query('page', 'limit');
const responses = answer({ type: 'object', properties: { doors: list, next: {}, total: {} } });
const usual = { style: 'page', request: { page: 'page', limit: 'limit' } } as const;

for (const [method, operation, isPaged] of [
  ['get', {}, true],
  ['post', { operationId: 'searchDoors' }, true],
  ['post', { operationId: 'doors' }, true],
  ['post', { operationId: 'createDoors' }, false],
  ['post', { operationId: 'doors_post', summary: 'Adds doors' }, false],
  ['post', { operationId: 'closeAllDoors' }, false],
  ['patch', { operationId: 'updateDoors' }, false],
  ['delete', { operationId: 'deleteDoors' }, false],
] as const) {
  const told = JSON.stringify(operation);
  test(`the answer of a ${method} ${told} ${isPaged ? 'goes on' : 'ends'} after its first page`, () => {
    const described = { ...operation, parameters, responses };
    const { document, nature } = natureIn('/doors', described, method);
    assert.equal(guessPagination(document, nature) !== undefined, isPaged);
    const auth = { auth: { type: 'none' }, review: '' } as const;
    const drafted = draftOperation(document, nature, { name: 'x', usual, auth, texts: true });
    const { style = 'page' } = drafted.pagination ?? {};
    assert.equal(style, isPaged ? 'page' : 'none');
  });
}
