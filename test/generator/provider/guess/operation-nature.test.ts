import assert from 'node:assert/strict';
import test from 'node:test';
import { draftOperation } from '../../../../generator/provider/draft/draft-operation.ts';
import { natureIn } from './described.ts';

for (const [path, operation, method, reads] of [
  ['/users', { operationId: 'users.list' }, 'get', true],
  ['/posts', { operationId: 'getPost', summary: 'Post' }, 'get', true],
  ['/auth.revoke', { operationId: 'auth_revoke' }, 'get', false],
  ['/users/{id}/ban', { operationId: 'user' }, 'get', false],
  ['/x', { summary: 'Deletes everything' }, 'get', false],
  ['/issues/open', { summary: 'List open issues' }, 'get', true],
  ['/jobs/start', { summary: 'List the jobs that start' }, 'get', true],
  ['/prices/close', {}, 'get', true],
  ['/vault/open', { summary: 'Open the vault' }, 'get', false],
  ['/vault', { operationId: 'openVault' }, 'get', false],
  ['/pumps/start', {}, 'get', false],
  ['/users/delete', { summary: 'Get rid of a user' }, 'get', false],
  ['/users', { operationId: 'users.list' }, 'post', true],
  ['/users', { operationId: 'users.create' }, 'post', false],
  ['/users/search', { operationId: 'addAndList' }, 'post', false],
  ['/users/get', {}, 'post', true],
  ['/users', { operationId: 'getAndDelete' }, 'get', false],
  ['/messages', { summary: 'Get and remove messages' }, 'get', false],
  ['/orders/cancelled', { summary: 'List orders that were cancelled' }, 'get', true],
  ['/users/search', { summary: 'Search deleted users' }, 'post', true],
  ['/items/query', { operationId: 'listPurge' }, 'post', false],
  ['/things/{id}', { operationId: 'thing_headers', summary: 'De headers opvragen' }, 'head', true],
  ['/things', { summary: 'Discover what may be removed' }, 'options', true],
  ['/query', { operationId: 'PostQuery', summary: 'Query data' }, 'post', true],
  ['/list', { operationId: 'PostList', summary: 'A list' }, 'post', false],
  ['/lists', { operationId: 'makeList' }, 'post', false],
  ['/items(list)', { operationId: 'items.make', summary: 'Make an item' }, 'post', false],
  ['/links/get', { operationId: 'links_get_post', summary: '/links/get' }, 'post', true],
  [
    '/attach_views/get',
    { operationId: 'attach_views_get_post', summary: '/attach_views/get' },
    'post',
    true,
  ],
  ['/owners', { operationId: 'owners', summary: 'Fetch the owners of a shop' }, 'post', true],
  ['/people', { operationId: 'people', summary: 'Request to retrieve a count' }, 'post', true],
  ['/people', { operationId: 'people', summary: 'Queries people.' }, 'post', true],
  ['/query/save', { operationId: 'saveQuery' }, 'post', false],
  ['/saved', { summary: 'Duplicate a search', operationId: 'doSearch' }, 'post', false],
  ['/alerts', { summary: 'List or create monitoring alerts' }, 'post', false],
  ['/flights', { summary: 'Search flights and sort them by price' }, 'post', true],
  ['/games/prices', { summary: 'Prices', description: "Get games' prices" }, 'post', true],
  ['/orders', { summary: 'Orders', description: 'Get and remove orders' }, 'post', false],
  [
    '/orders/history',
    { operationId: 'getOrderHistory', summary: 'Order history', description: 'View it or open it' },
    ...(['post', true] as const),
  ],
  ['/things', { summary: 'Bulk deletion', description: 'List what goes' }, 'post', false],
  ['/orders', { summary: 'Place an order', description: 'Get it fast.' }, 'post', false],
  ['/ca/{id}/sign', { operationId: 'sign', summary: 'Gets a signed certificate' }, 'post', false],
  ['/private/update_vault_info', { operationId: 'private_update_vault_info' }, 'post', false],
  ['/public/get_vault', { operationId: 'public_get_vault' }, 'post', true],
  ['/x/providerInfo', { operationId: 'specifyCloudProviderInfo' }, 'post', false],
  ['/users.info', { operationId: 'users_info' }, 'post', true],
  ['/prices', { summary: 'Returns the prices of a game' }, 'post', true],
  ['/returns', { summary: 'Return a parcel' }, 'post', false],
  ['/profiles', { summary: "Request a user's profile" }, 'get', true],
  ['/candidate', { summary: 'Request a candidate and send it' }, 'get', false],
  ['/addresses', { summary: 'Generate an address of a tree' }, 'get', true],
  ['/mfa', { summary: 'Generate new keys' }, 'get', false],
  ['/tokens', { operationId: 'generateToken', summary: 'Generate a token' }, 'get', false],
  ['/metadata', { summary: 'OpenAPI specifications' }, 'get', true],
  ['/people/{id}/paid-leave', {}, 'get', true],
  ['/rooms/{id}/leave', { summary: 'Leave a room' }, 'get', false],
  ['/files/upload/{id}', {}, 'get', true],
  ['/health', { summary: 'Complete health check' }, 'get', true],
  ['/credentials/oidc', { summary: 'OpenID Connect authentication' }, 'get', true],
  ['/orders/{id}', { summary: 'Complete an order' }, 'get', false],
  ['/approvals/quick-decide', { summary: 'One-click approve (email link)' }, 'get', false],
  ['/plans/{id}/next', { operationId: 'get_next_plan', summary: 'Get Next Plan' }, 'post', false],
  ['/rows/next', { operationId: 'getRows', summary: 'Get the next page of rows' }, 'post', true],
  ['/queues/{id}', { operationId: 'queue_get_pop', summary: 'Get a message' }, 'post', false],
  [
    '/checkout/session',
    { operationId: 'get_checkout_session', summary: 'Get Checkout Session' },
    ...['post', false],
  ],
  ['/rooms/info', { operationId: 'DelRoomInfo' }, 'post', false],
  ['/rooms', { operationId: 'delRoom' }, 'get', false],
  ['/bills/{id}/$credit', { operationId: 'opBillCredit' }, 'get', false],
  ['/bills/$export', { operationId: 'opBillExport' }, 'get', true],
  ['/refund/list', { summary: 'List refunds' }, 'post', true],
  ['/records/search', { operationId: 'recordSearch', summary: 'Search records' }, 'post', true],
] as const) {
  test(`${method} ${path} ${JSON.stringify(operation)} ${reads ? 'only reads' : 'may change something'}`, () => {
    assert.equal(natureIn(path, operation, method).nature.reads, reads);
  });
}

for (const [path, operation, destroys] of [
  ['/delete', {}, true],
  ['/users/delete', { summary: 'Delete a user for ever' }, true],
  ['/users.delete', { operationId: 'users_delete' }, true],
  ['/orders', { operationId: 'cancelOrder' }, true],
  ['/items', { operationId: 'getAndDelete' }, true],
  ['/items', { operationId: 'wipeAll' }, true],
  ['/keys', { operationId: 'revokeKeys' }, true],
  ['/items', { operationId: 'listPurge' }, true],
  ['/items', { summary: 'Permanently removes an item' }, true],
  ['/deleteuser', {}, true],
  ['/Api/DelUser', {}, true],
  ['/users/{id}/deletions', {}, true],
  ['/caches/flush', {}, true],
  ['/server/drain', {}, true],
  ['/v3/maintenance/defragment', {}, true],
  ['/runs/{id}/abort', { summary: 'Abort a running workflow' }, true],
  ['/tokens.rotate', { operationId: 'tokens_rotate', summary: 'Rotate all tokens' }, true],
  ['/keys/{id}/regenerate', { summary: 'Make another key of it' }, true],
  [
    '/secrets/{id}/rotate',
    { summary: 'Rotate', description: 'The previous secret remains valid for 24 hours.' },
    false,
  ],
  ['/secrets/{id}/delete', { description: 'It remains valid for 24 hours.' }, true],
  ['/services/{id}/restore', { summary: 'Restore a backup of a service' }, true],
  ['/backups/{id}/restore', {}, true],
  ['/backups', { summary: 'Back up what may be restored later' }, false],
  ['/sessions/{id}/cleanup', { operationId: 'cleanup_session', summary: 'Cleanup' }, true],
  ['/items', { summary: 'Create an item' }, false],
  ['/items/undelete', { summary: 'Restore a deleted item' }, false],
  ['/content-blocks', { operationId: 'createContentBlock', summary: 'Create a block' }, false],
] as const) {
  test(`POST ${path} ${JSON.stringify(operation)} ${destroys ? 'destroys' : 'destroys nothing'}`, () => {
    const { document, nature } = natureIn(path, operation, 'post');
    const name = 'acme_x';
    const auth = { auth: { type: 'none' as const }, review: '' };
    const { annotations } = draftOperation(document, nature, {
      name,
      usual: undefined,
      auth,
      texts: true,
    });
    assert.equal(annotations.destructive, destroys);
    assert.equal(annotations.readOnly, false);
  });
}

for (const [path, operation, overwrites] of [
  ['/machine', { operationId: 'updateMachine', summary: 'updates a machine' }, true],
  ['/things/{id}', { summary: 'Update a thing' }, true],
  ['/chat.update', { operationId: 'chat_update' }, true],
  ['/runs/bulk_set_state', { summary: 'Bulk set the state of runs' }, true],
  ['/things/bulk_create', { summary: 'Bulk create things' }, false],
  ['/slots/increment', {}, true],
  ['/invoices/{id}/mark_lost', { summary: 'Marking an invoice is useful for books' }, true],
  ['/things/{id}/comments', { summary: 'Comments of a thing' }, false],
  ['/updates', { operationId: 'createUpdate', summary: 'Post an update' }, false],
  ['/things', { operationId: 'createThing', summary: 'Create a thing' }, false],
] as const) {
  test(`POST ${path} ${JSON.stringify(operation)} ${overwrites ? 'writes over what is there' : 'adds something'}`, () => {
    assert.equal(natureIn(path, operation, 'post').nature.overwrites, overwrites);
  });
}
