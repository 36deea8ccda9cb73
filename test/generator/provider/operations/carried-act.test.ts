import assert from 'node:assert/strict';
import test from 'node:test';
import type { OperationNature } from '../../../../generator/provider/operations/operation-nature.ts';
import { natureIn } from '../guess/described.ts';

const inPath = (more: object) => ({
  parameters: [{ name: 'action', in: 'path', required: true, schema: { type: 'string' }, ...more }],
});
const sent = (properties: object) => ({
  requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
});
const whole = (schema: object) => ({
  requestBody: { content: { 'application/json': { schema } } },
});
const many = (properties: object) =>
  sent({ requests: { type: 'array', items: { type: 'object', properties } } });
const oneOf = (...values: string[]) => ({ schema: { type: 'string', enum: values } });

function markOf({ reads, destroys, overwrites }: OperationNature): string {
  if (reads) return 'reads';
  if (destroys) return 'takes away';
  return overwrites ? 'writes over' : 'adds';
}

for (const [method, path, operation, mark] of [
  ['post', '/vm/{action}/{id}', inPath(oneOf('start', 'stop')), 'takes away'],
  [
    'post',
    '/vm/{action}/{id}',
    inPath({ description: 'start, power_off or delete' }),
    'takes away',
  ],
  ['post', '/vm/{action}/{id}', inPath({}), 'writes over'],
  ['post', '/vm/{action}/{id}', inPath(oneOf('start', 'book')), 'adds'],
  ['get', '/vm/{action}/{id}', inPath(oneOf('start', 'stop')), 'takes away'],
  ['get', '/logs/{action}', inPath({}), 'reads'],
  ['post', '/vms/{id}/actions', sent({ type: oneOf('start', 'reboot').schema }), 'takes away'],
  ['post', '/vms/{id}', sent({ action: oneOf('start', 'power-off').schema }), 'takes away'],
  ['post', '/vms/{id}/actions', whole({ type: 'string' }), 'writes over'],
  ['post', '/vms/{id}/notes', whole({ type: 'string' }), 'adds'],
  ['post', '/rules', sent({ action: oneOf('allow', 'block').schema }), 'adds'],
  ['post', '/rooms/batch', many({ method: oneOf('GET', 'DELETE').schema }), 'takes away'],
  ['post', '/rooms/_bulk', many({ operation: oneOf('add', 'remove').schema }), 'takes away'],
  ['post', '/batch', many({ method: {}, relative_url: {} }), 'writes over'],
  ['post', '/v1/bulkRequest.json', many({ method: {}, api: {}, payload: {} }), 'writes over'],
  ['post', '/payments/batch', many({ method: {}, amount: {} }), 'adds'],
  ['post', '/batch', many({ path: {}, amount: {} }), 'adds'],
  ['post', '/resources/{id}/actions', sent({ action: { type: 'string' } }), 'writes over'],
  ['post', '/action-executions', sent({ actionDefinitionId: { type: 'string' } }), 'writes over'],
  ['post', '/runtimes/operate', sent({ operate: { type: 'string' } }), 'writes over'],
  ['post', '/runtimes', sent({ operate: { type: 'string' } }), 'adds'],
  ['post', '/commands/send', sent({ command: { type: 'string' } }), 'writes over'],
  [
    'post',
    '/actions',
    { summary: 'Create an action', ...sent({ action: { type: 'string' } }) },
    'adds',
  ],
  // A verb in front of what it is done to.
  ['post', '/app.clearBuilds', { operationId: 'app-clearBuilds' }, 'takes away'],
  ['post', '/app.cleanQueues', {}, 'takes away'],
  ['post', '/compose.recreate', {}, 'takes away'],
  ['post', '/app.refreshToken', {}, 'takes away'],
  ['post', '/app.refreshPages', {}, 'adds'],
  ['post', '/app/disconnectHost', {}, 'takes away'],
  ['post', '/users/{name}:unset-tags', {}, 'takes away'],
  ['post', '/unregister_counter', { operationId: 'x' }, 'takes away'],
  ['post', '/unsubscribe_links', { operationId: 'Create Unsubscribe Link' }, 'adds'],
  ['post', '/notices/clear', { operationId: 'createClear', summary: 'Dismiss all' }, 'takes away'],
  ['post', '/drop-shipments', { operationId: 'x' }, 'adds'],
  ['post', '/leave-requests', {}, 'adds'],
  ['post', '/text/clean', { summary: 'Clean a text' }, 'adds'],
  ['post', '/cards/{id}/lock', {}, 'takes away'],
  ['post', '/doors/{id}/lock', {}, 'adds'],
  ['post', '/likes/unlike', {}, 'takes away'],
  [
    'post',
    '/branches/{id}/restore',
    { summary: 'Restore a branch to an earlier state' },
    'writes over',
  ],
  ['post', '/branches/{id}/restore', { summary: 'Restore a branch' }, 'adds'],
  ['post', '/notices', { summary: 'Mark all notices as read' }, 'writes over'],
  ['post', '/notices', { summary: 'Mark a notice' }, 'adds'],
  ['post', '/user/avatar', { summary: '修改头像' }, 'writes over'],
  ['post', '/accounts/{id}/suspend', { operationId: 'suspend_1' }, 'takes away'],
  ['post', '/accounts/{id}/close', { operationId: 'close' }, 'takes away'],
  ['post', '/accounts/{id}/pause', { operationId: 'pause_2' }, 'takes away'],
  ['post', '/loans/{id}/reject', { operationId: 'reject' }, 'takes away'],
  ['post', '/lists/{id}/archive', { operationId: 'archive' }, 'takes away'],
  ['post', '/channels.leave', { summary: 'Leave a channel' }, 'takes away'],
  [
    'post',
    '/employees/{id}/leave',
    { operationId: 'createLeave', summary: 'Creates leave' },
    'adds',
  ],
  ['post', '/pods/{name}/eviction', { operationId: 'createEviction' }, 'takes away'],
  ['post', '/initialize-disk', {}, 'takes away'],
  ['post', '/initialize-upload', {}, 'adds'],
  ['post', '/volumes/{id}/flash', {}, 'takes away'],
  ['post', '/disks/{id}/format', {}, 'takes away'],
  ['post', '/format', { summary: 'Format a text' }, 'adds'],
  ['post', '/volumes/swap', {}, 'writes over'],
  ['post', '/factory-reset', {}, 'takes away'],
  ['post', '/devices/{id}/turnOff', { operationId: 'turnOff' }, 'takes away'],
  ['post', '/devices/{id}/state', { summary: 'Power down a device' }, 'takes away'],
  ['get', '/devices/{id}/powerOff', {}, 'takes away'],
  ['get', '/system/shutdown', {}, 'takes away'],
  ['post', '/many', { summary: 'Perform multiple index/update/delete operations' }, 'takes away'],
  ['post', '/events', { operationId: 'InfoService_CollectEvent' }, 'adds'],
  ['get', '/limits', { operationId: 'SyncService_GetLimit' }, 'reads'],
  ['get', '/screener', { summary: 'Screen all stocks by market' }, 'reads'],
  ['get', '/delisted', { summary: 'Delisted companies' }, 'reads'],
  ['get', '/orders/cancel', { summary: 'List orders that were cancelled' }, 'reads'],
  ['get', '/orders/cancel', { summary: 'Get cancel order' }, 'takes away'],
  ['get', '/forecast', { summary: 'Open-Acme forecast' }, 'reads'],
  ['get', '/prices', { summary: 'Close prices of a day' }, 'reads'],
  ['get', '/things/_search', { summary: 'Run multiple searches' }, 'reads'],
] as const) {
  test(`${method} ${path} ${JSON.stringify(operation).slice(0, 110)} ${mark}`, () => {
    const { nature } = natureIn(path, operation, method);
    // What a GET does is taken to be the worst.
    const found = markOf(nature);
    assert.equal(method === 'get' && found !== 'reads' ? 'takes away' : found, mark);
  });
}
