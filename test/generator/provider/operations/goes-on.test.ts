import assert from 'node:assert/strict';
import test from 'node:test';
import { draftOperation } from '../../../../generator/provider/draft/draft-operation.ts';
import { natureIn } from '../guess/described.ts';

/** An operation whose body has one member. */
function taking(member: string) {
  const schema = { type: 'object', properties: { [member]: { type: 'integer' } } };
  return { requestBody: { content: { 'application/json': { schema } } } };
}

for (const [method, path, operation, isIdempotent] of [
  ['put', '/things/{id}', { summary: 'Replace a thing' }, true],
  ['put', '/things/{id}/next-step', { summary: 'Set the step that is next' }, true],
  ['put', '/counters/{id}/increment', {}, false],
  ['put', '/counters/{id}', { operationId: 'incrementCounter' }, false],
  ['put', '/log', { summary: 'Append a line to the log' }, false],
  ['put', '/log', { summary: 'Appends the line' }, false],
  ['delete', '/things/{id}', { summary: 'Delete a thing' }, true],
  ['delete', '/queue/next', { summary: 'Take a message off the queue' }, false],
  ['put', '/shifts/{id}', { operationId: 'updateShift', summary: 'Updates a shift' }, true],
  ['put', '/shelf-imports', { operationId: 'PUT_shelf-imports', summary: 'Import shelves' }, false],
  ['put', '/pumps/{id}', { operationId: 'pumpToggle' }, false],
  ['put', '/orders/{id}', { summary: 'Update an order and send it' }, false],
  ['put', '/things/{id}', { summary: 'Set', description: 'This is not idempotent.' }, false],
  ['put', '/rooms/{id}/send/{txnId}', { summary: 'Send a note' }, true],
  ['delete', '/things/{id}/copy', { summary: 'Delete one copy' }, true],
  ['delete', '/pages/next', { summary: 'Forget the next page' }, true],
  ['delete', '/queue', { summary: 'Take the next message off the queue' }, false],
  ['delete', '/queue', { operationId: 'popMessage' }, false],
  ['delete', '/messages/last', {}, false],
  ['delete', '/messages', { summary: 'Delete the oldest message' }, false],
  ['put', '/readings/last', { summary: 'Set the last reading' }, true],
  ['put', '/stock/{id}', { summary: 'Change the stock by a given amount' }, false],
  ['put', '/items/{id}/move', { summary: 'Move an item up by one' }, false],
  ['put', '/leases/{id}', { summary: 'Change a lease by a number of days' }, false],
  ['put', '/notes', { summary: 'Creates a new note' }, false],
  ['put', '/things/{id}/notes', { summary: 'Add a note' }, false],
  ['put', '/notes/{id}', { summary: 'Create a note' }, true],
  ['put', '/notes', { summary: 'Create or replace the notes' }, true],
  ['put', '/accounts/{id}', { operationId: 'creditAccount' }, false],
  ['delete', '/lines/{index}', {}, false],
  ['delete', '/lines/{lineId}', {}, true],
  ['delete', '/{index}', {}, true],
  ['put', '/lines/{index}', {}, true],
  ['put', '/stock/{id}', taking('delta'), false],
  ['put', '/stock/{id}', taking('quantity_delta'), false],
  ['put', '/stock/{id}', taking('amount'), true],
  ['patch', '/things/{id}', { summary: 'Update a thing' }, false],
  ['get', '/things/{id}/delete', {}, false],
  ['get', '/things/{id}', {}, true],
  ['get', '/notify', { operationId: 'getNotify', summary: 'Send a test notification' }, false],
  ['get', '/cache', { operationId: 'GetClearCache', summary: 'Clears the cache' }, false],
  ['get', '/lock', { operationId: 'getLock', summary: 'Acquire a lock' }, false],
  ['get', '/diff', { operationId: 'getDiff', summary: 'Produces a diff' }, true],
  ['get', '/updates', { operationId: 'getUpdates', summary: 'Updates of a thing' }, true],
  ['get', '/orders', { operationId: 'findOrders', summary: 'Send the orders' }, true],
  ['post', '/things/search', { summary: 'Search things' }, true],
] as const) {
  const what = `${method.toUpperCase()} ${path} ${JSON.stringify(operation)}`;
  test(`${what} is ${isIdempotent ? '' : 'not '}idempotent (RFC 9110, section 9.2.2)`, () => {
    const { document, nature } = natureIn(path, operation, method);
    const { annotations } = draftOperation(document, nature, {
      name: 'acme_x',
      usual: undefined,
      auth: { auth: { type: 'none' }, review: '' },
      texts: true,
    });
    assert.equal(annotations.idempotent, isIdempotent);
  });
}
