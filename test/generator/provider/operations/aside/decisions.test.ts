import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../../generator/model/schema/api-operations.ts';
import { natureOf } from '../../../../../generator/provider/operations/operation-nature.ts';
import { asideReason } from '../../../../../generator/provider/operations/set-aside.ts';
import { documentOf, natureIn } from '../../guess/described.ts';

const body = (properties: object) => ({
  requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
});
const event = body({ event: { type: 'string', enum: ['APPROVE', 'REQUEST_CHANGES', 'COMMENT'] } });
const verdict = body({ decision: { type: 'string', enum: ['approved', 'rejected'] } });

for (const [path, operation, decides] of [
  ['/repos/{repo}/pulls/{number}/reviews', { operationId: 'createReview' }, true],
  ['/repos/{repo}/merge_requests/{id}/reviews', {}, true],
  ['/deployments/{id}/reviews', event, true],
  ['/orders/{id}/review', verdict, true],
  ['/orders/{id}/review', body({ approved: { type: 'boolean' } }), true],
  ['/claims/{id}', verdict, true],
  ['/deployments/{id}/approve', {}, true],
  ['/timesheets/{id}/approval', {}, true],
  ['/requests/{id}', { summary: 'Approves a request' }, true],
  ['/members/deny_all', {}, true],
  ['/apps.approve', { operationId: 'approve_app' }, true],
  ['/products/{id}/reviews', body({ rating: { type: 'integer' } }), false],
  ['/pulls/{id}/request-review', {}, false],
  ['/approvals', { summary: 'Request an approval' }, false],
  ['/rejects/add', { operationId: 'rejects/add', summary: 'Add an address' }, false],
  [
    '/expenses',
    body({ status: { type: 'string', enum: ['draft', 'approved', 'rejected'] } }),
    false,
  ],
] as const) {
  test(`POST ${path} ${JSON.stringify(operation).slice(0, 90)} ${decides ? 'decides' : 'does not decide'} what waits for a person`, () => {
    const { document, nature } = natureIn(path, operation, 'post');
    assert.equal(/^it decides/.test(asideReason(document, nature) ?? ''), decides);
  });
}

for (const [beside, decides] of [
  ['/loans/{id}/reject', true],
  ['/loans/{id}/decline', true],
  ['/loans/{id}/cancel', false],
] as const) {
  test(`accepting beside ${beside} ${decides ? 'decides' : 'does not decide'} what waits for a person`, () => {
    const paths = { '/loans/{id}/accept': { post: {} }, [beside]: { post: {} } };
    const document = documentOf({ paths });
    const [first] = new ApiOperations(document).all;
    assert.ok(first);
    const found = asideReason(document, natureOf(document, first));
    assert.equal(/^it decides/.test(found ?? ''), decides);
  });
}
