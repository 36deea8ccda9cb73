import assert from 'node:assert/strict';
import test from 'node:test';
import { answer, list, natureIn } from './described.ts';

for (const [summary, method, reads, id] of [
  ['Get notifications and mark them as read', 'get', false],
  ['Get a batch and remove it', 'get', false],
  ['Poll and acknowledge jobs', 'get', false],
  ['Get the next number. Each call increments the counter.', 'get', false],
  ['Get a new token. The old one is revoked.', 'get', false],
  ['Place the order', 'get', false],
  ['Toggle the light', 'get', false],
  ['Vote for an item', 'get', false],
  ['Pay the bill', 'get', false],
  ['Find and buy the cheapest rate', 'post', false, 'checkout'],
  ['Search index rebuild', 'post', false, 'searchReindex'],
  ['Search a document', 'post', true, 'search'],
  ['Run a search', 'post', true, 'things'],
  ['Run an async search', 'post', true, 'asyncSearchSubmit'],
  ['Executes a search against the catalog', 'post', true, 'things'],
  ['Perform a search and replace', 'post', false, 'things'],
  ['Execute a list of operations', 'post', false, 'things'],
  ['Track a parcel', 'get', true, 'track-parcel'],
  ['Request a parcel', 'get', true, 'getParcel'],
  ['Request a new password', 'get', false, 'getPassword'],
  ['VoidParcel', 'get', false, 'parcelVoid'],
  ['Check and download new episodes', 'get', false, 'checkNewEpisodes'],
  ['Check the state and download the report', 'get', true, 'checkReport'],
  ['Run a backup', 'post', false, 'things'],
  ['Run a search to rebuild', 'post', false, 'searchRebuild'],
  ['Reconstruct an itinerary', 'get', true, 'refreshItinerary'],
  ['List all snippets, or create a new snippet.', 'get', true],
  ['Get the start and end dates', 'get', true],
  ['List open and closed issues', 'get', true],
  ['Place details', 'get', true],
  ['Vote count', 'get', true],
  ['Order status', 'get', true],
  ['Charge history', 'get', true],
  ['Get messages that are marked as read', 'get', true],
] as const) {
  test(`${method} "${summary}" ${reads ? 'only reads' : 'may change something'}`, () => {
    const operation = { summary, ...(id && { operationId: id }) };
    assert.equal(natureIn('/x', operation, method).nature.reads, reads);
  });
}

for (const [schema, reads] of [
  [list, true],
  [{ type: 'object', properties: { ok: { type: 'boolean' } } }, false],
] as const) {
  test(`GET /update without a text that answers ${JSON.stringify(schema)} ${reads ? 'only reads' : 'may change something'}`, () => {
    assert.equal(natureIn('/update', { responses: answer(schema) }).nature.reads, reads);
  });
}

for (const summary of [
  'Löscht alle Einträge',
  'Supprimer un compte',
  'Eliminar un usuario',
  '删除用户',
  'ユーザーを削除する',
  '사용자 삭제',
  'Удалить заказ',
]) {
  test(`"${summary}" takes something away`, () => {
    assert.equal(natureIn('/x', { summary }, 'post').nature.destroys, true);
    assert.equal(natureIn('/x', { summary }, 'get').nature.reads, false);
  });
}

for (const summary of [
  '查询已删除的用户',
  '削除済みユーザーの一覧',
  '삭제된 사용자 목록',
  'Gelöschte Einträge',
]) {
  test(`"${summary}" speaks of what was taken away`, () => {
    assert.equal(natureIn('/x', { summary }, 'get').nature.reads, true);
  });
}

for (const [path, method, operation, reads] of [
  ['/phone', 'get', { summary: 'Call a phone number' }, false],
  ['/doors/{id}', 'get', { operationId: 'buzzDoor', summary: 'Buzz the door open' }, false],
  ['/members/{id}', 'get', { summary: 'Verify by its token' }, false],
  ['/members/verify/{token}', 'get', { summary: 'Verify member request' }, false],
  ['/auth/acme/callback', 'get', {}, false],
  ['/acme/creds/{role}', 'get', { operationId: 'acme-generate-credentials' }, false],
  ['/doors/{id}', 'get', { operationId: 'acme-read-door', summary: 'Manage the doors' }, true],
  ['/doors/{id}', 'get', { summary: 'Renders the door' }, true],
  ['/doors/{id}', 'get', { summary: 'Handles the retrieval of a door' }, true],
  ['/doors/{id}/payment', 'get', { summary: 'Payment of a door' }, true],
  ['/doors/secret', 'get', { operationId: 'reveal-connect-secret', summary: 'Reveal it' }, true],
  ['/items', 'post', { operationId: 'listItem', summary: 'List an item for sale' }, false],
  ['/items', 'post', { operationId: 'listItems', summary: 'List items for sale' }, true],
  ['/items/list', 'post', { summary: "List a user's items in a shop" }, true],
  ['/auth/token', 'post', { operationId: 'getToken', summary: 'Get token' }, false],
  ['/portal', 'post', { operationId: 'getPortalLink', summary: 'Get a link to the portal' }, false],
  ['/links/by-token', 'post', { operationId: 'getLinkByToken', summary: 'Get links' }, true],
  ['/sessions/get', 'post', { summary: 'Get sessions' }, true],
  ['/transfer/get', 'post', { operationId: 'transferGet', summary: 'Get a transfer' }, true],
  ['/doors/{id}/printlabel', 'get', { summary: 'Prints the label on the label printer' }, false],
  ['/doors/printers', 'get', { summary: 'Get the printers of a door' }, true],
  ['/debug', 'get', { summary: 'Print debugging information' }, true],
  ['/peers/pull/{id}', 'get', { operationId: 'pullPeer', summary: 'Pull peer' }, false],
  ['/pull_requests/{id}', 'get', { operationId: 'pullRequestById' }, true],
  ['/feeds/fetchFromAll', 'post', { operationId: 'fetchFromAllFeeds', summary: 'Fetch' }, false],
  ['/cards/from-number', 'post', { operationId: 'fetchCardFromNumber', summary: 'Fetch' }, true],
  ['/doors/readMany', 'post', { summary: 'readMany', description: 'Gets some doors' }, true],
  ['/doors/readMany', 'post', { summary: 'readMany', description: 'Opens some doors' }, false],
  ['/show', 'post', { operationId: 'show', summary: 'Show the door' }, true],
  ['/doors/show', 'post', { operationId: 'showDoor', summary: 'Open the door' }, false],
  ['/doors', 'post', { summary: '[all] Search the doors' }, true],
  ['/shell', 'get', { operationId: 'ApiController.RunShell', summary: 'Shell' }, false],
  [
    '/searches',
    'post',
    { operationId: 'searchThings', responses: { 201: { description: 'made' } } },
    false,
  ],
] as const) {
  test(`${method} ${path} ${JSON.stringify(operation)} ${reads ? 'only reads' : 'may change something'}`, () => {
    assert.equal(natureIn(path, operation, method).nature.reads, reads);
  });
}

for (const [path, summary, id, reads] of [
  ['/counter/countUp', 'Count up a counter', 'countUp', false],
  ['/counter/count', 'Count what is there', 'count', true],
  ['/tests/run', 'Run multiple suites by query', 'runSuitesByQuery', false],
  ['/works/{id}:return', 'Returns a piece of work', 'return.works', false],
  ['/shelves/{id}/reserve_handle', 'Reserve Handle', 'getReserveHandle', false],
] as const) {
  test(`POST ${path} ${reads ? 'only reads' : 'may change something'}`, () => {
    const operation = { summary, operationId: id, responses: answer({ type: 'object' }) };
    assert.equal(natureIn(path, operation, 'post').nature.reads, reads);
  });
}

for (const [path, operation, overwrites] of [
  ['/files', { summary: 'Create or overwrite a file' }, true],
  ['/access', { operationId: 'accessSet', summary: 'Set allowed clients' }, true],
  ['/contacts/merge', { summary: 'Merge two contacts' }, true],
  ['/doors/{id}/freeze', { summary: 'Freeze a door' }, true],
  ['/doors/{id}/comments', { summary: 'Add a comment' }, false],
  ['/doors/{id}/console', { summary: 'Console' }, false],
  ['/doors/{id}/pull_request', { operationId: 'doorPullRequest' }, false],
  ['/transfers', { operationId: 'createTransfer', summary: 'Create a transfer' }, false],
  ['/translate', { summary: 'Translate a text' }, false],
] as const) {
  test(`POST ${path} ${JSON.stringify(operation)} ${overwrites ? 'changes what is there' : 'only adds'}`, () => {
    assert.equal(natureIn(path, operation, 'post').nature.overwrites, overwrites);
  });
}

for (const [path, summary, method, is] of [
  ['/connection/close_all', 'Close all connections', 'get', 'changes'],
  ['/node/reload', 'Hot-reload a single node', 'get', 'changes'],
  ['/issues/list_all', 'List all issues', 'get', 'reads'],
  ['/arrivals-and-departures-for-stop/{id}', 'arrivals-and-departures-for-stop', 'get', 'reads'],
  ['/stops-for-location', 'stops-for-location', 'get', 'reads'],
  ['/servers/{id}/stop', 'Stops the server', 'get', 'changes'],
  ['/accounts/{id}/billing_info/verify', 'Verify the billing info of a card', 'post', 'changes'],
  ['/billing/trial_status', 'Get the status of a trial', 'post', 'reads'],
  ['/fees/batch/archive', 'Archive a batch of fees', 'post', 'takes away'],
  ['/listings/{id}/archive', 'Archive a listing', 'post', 'takes away'],
  ['/archive', 'Create an archive', 'post', 'changes'],
  ['/stock/subtract', 'Subtract from the stock', 'post', 'takes away'],
] as const) {
  test(`${method} ${path} "${summary}" ${is}`, () => {
    const id = summary.includes('-') ? summary : `${summary.split(' ')[0]?.toLowerCase()}_it`;
    for (const named of [{}, { operationId: id }]) {
      const { reads, destroys } = natureIn(path, { summary, ...named }, method).nature;
      assert.equal(reads, is === 'reads');
      if (method === 'post') assert.equal(destroys, is === 'takes away');
    }
  });
}
