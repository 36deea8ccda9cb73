import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../../generator/model/schema/api-operations.ts';
import { natureOf } from '../../../../../generator/provider/operations/operation-nature.ts';
import { asideReason } from '../../../../../generator/provider/operations/set-aside.ts';
import { documentOf } from '../../guess/described.ts';

const content = (schema: object) => ({
  requestBody: { content: { 'application/json': { schema } } },
});
const body = (...names: string[]) =>
  content({ properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) });

for (const [path, operation, others, letsIn] of [
  // Users where not everybody may do everything.
  ['/users', body('name'), ['/roles'], true],
  ['/users', body('name'), ['/users/{id}/permissions'], true],
  ['/users', body('name'), ['/v1/permissions/check'], true],
  ['/users', body('name'), ['/users/{id}/credentials'], true],
  ['/user', body('name', 'access_level'), [], true],
  ['/users/create', body('name', 'role'), [], true],
  ['/sys-user', body('role_id'), [], true],
  ['/add-user', body('name'), ['/get-roles'], true],
  ['/auth/users', body('name'), [], true],
  ['/adminusers', body('name'), ['/roles'], true],
  ['/admin/identities', body('traits'), [], true],
  ['/config/identity', body('alias'), ['/roles'], false],
  ['/webinars/{id}/coorganizers/{key}/resendInvitation', {}, [], true],
  ['/companies/{id}/users', body('name'), ['/roles'], true],
  ['/users', content({ type: 'array', items: { properties: { authorities: {} } } }), [], true],
  [
    '/users',
    content({ properties: { user: { oneOf: [{ properties: { role: {} } }, {}] } } }),
    [],
    true,
  ],
  ['/users', { description: 'An Admin can create a user in its own team only.' }, [], true],
  ['/users', { description: 'Requires admin rights.' }, [], true],
  ['/users', { description: 'The administrator is told of each.' }, [], false],
  ['/users', content({ anyOf: [{ properties: { name: {} } }] }), [], false],
  // Customers, those who are there already, and what is done with them.
  ['/users', body('name'), ['/users/{id}/orders'], false],
  ['/users', body('name'), ['/token/permissions/get'], false],
  ['/apps/{id}/end-users', body('name'), ['/roles'], false],
  ['/teams/{id}/users', body('id'), ['/users', '/roles'], false],
  ['/users/{id}', { summary: 'Update a user' }, ['/roles'], false],
  ['/users', { summary: 'Search users' }, ['/roles'], false],
  // How somebody is asked to come.
  ['/projects/{id}/invites', body('email'), [], true],
  ['/add-invitation', body('email'), [], true],
  ['/invites.json', body('email'), [], true],
  ['/seats', { summary: 'Invite a new member' }, [], true],
  ['/seats', { summary: 'Invite friends to play' }, [], false],
  ['/guests', { summary: 'Adds guest users' }, [], true],
  ['/guests', { summary: 'Adds a guest to the list' }, [], false],
  ['/invitations/{id}/decline', {}, [], false],
  ['/meetings/{id}/invitations', body('email'), [], false],
  ['/seats', { summary: 'Invite users to a call' }, [], false],
] as const) {
  const told = JSON.stringify([operation, others]).slice(0, 120);
  test(`POST ${path} ${told} ${letsIn ? 'lets somebody in' : 'lets nobody in'}`, () => {
    const paths = {
      ...Object.fromEntries(others.map((other) => [other, { post: {} }])),
      [path]: { post: operation },
    };
    const document = documentOf({ paths });
    const own = new ApiOperations(document).all.find((each) => each.path === path);
    assert.ok(own);
    const reason = asideReason(document, natureOf(document, own)) ?? '';
    assert.equal(/^it lets somebody in/.test(reason), letsIn);
  });
}
