import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../../generator/model/schema/api-operations.ts';
import { natureOf } from '../../../../../generator/provider/operations/operation-nature.ts';
import { asideReason } from '../../../../../generator/provider/operations/set-aside.ts';
import { documentOf, natureIn } from '../../guess/described.ts';

const body = (properties: object) => ({
  requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
});
const list = (items: object) => ({
  requestBody: { content: { 'application/json': { schema: { type: 'array', items } } } },
});
const role = (more: object = {}) => ({ role: { type: 'string', ...more } });
const ofAdmins = role({ enum: ['admin', 'member'] });

for (const [path, operation, gives] of [
  // A right by its name, wherever it is made.
  ['/role-bindings:batchCreate', {}, true],
  ['/projects/{id}/permissions', {}, true],
  ['/buckets/{name}/access-policies', {}, true],
  ['/collaborations', {}, true],
  ['/identity-providers', {}, true],
  ['/idps', {}, true],
  ['/idps/{id}/endpoints', {}, true],
  ['/groups/{id}/{role}/{email}', {}, true],
  ['/roles/{role}/{version}', {}, false],
  ['/upstream-oauth-links', {}, true],
  ['/short-links', {}, false],
  ['/doors/{id}/ip-access-control-lists', {}, true],
  ['/retention-policies', {}, false],
  ['/identity-provider/instances', {}, true],
  ['/identity-provider/instances/{alias}/mappers', {}, true],
  ['/client-scopes/{id}/protocol-mappers/models', {}, true],
  ['/instances', {}, false],
  ['/admin/authentication/executions', {}, true],
  ['/add/dkim', body({ domains: {} }), true],
  // What a policy says of one of those whom it names, and with whom something is shared.
  ['/policies/{id}/entries/{label}/subjects', {}, true],
  ['/policies/{id}/claims', {}, false],
  ['/things/{id}/share', body({ user_ids: {} }), true],
  ['/notes/{id}/shares', body({ expireTime: {} }), true],
  ['/posts/{id}/share', body({ comment: {} }), false],
  ['/adminroles', body({ permissions: {} }), true],
  // What somebody gets, and what a thing has.
  ['/users/{id}/roles', {}, true],
  ['/groups/{id}/policies', {}, true],
  ['/buckets/{id}/owners', {}, true],
  ['/owners', {}, false],
  ['/roles', {}, false],
  ['/customers/{id}/policies', {}, false],
  ['/{bucket}/policy', body({ policy: object({ bindings: {} }) }), true],
  ['/{bucket}/policy', body({ insured: { type: 'string' } }), false],
  ['/projects/{id}:setIamPolicy', {}, true],
  // What says what somebody may do, before anybody has it, and whom a server trusts.
  ['/roles', body({ permissions: { type: 'array' } }), true],
  ['/films/{id}/roles', body({ actor: {} }), false],
  ['/policies', body({ permissions: { type: 'array' } }), true],
  ['/policies', body({ rules: { type: 'array', items: object({ destinations: {} }) } }), true],
  ['/policies', body({ premium: { type: 'number' } }), false],
  ['/certificates', body({ private_key_path: {} }), true],
  [
    '/certificates',
    { requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } } },
    true,
  ],
  ['/courses/{id}/certificates', body({ key: {} }), false],
  ['/certificates', body({ student: {} }), false],
  ['/policies', body({ source_groups: {}, destination_ids: {} }), true],
  ['/policies', body({ destination_country: {} }), false],
  ['/policies', body({ policy: object({ effect: {} }) }), true],
  ['/security/policies', {}, true],
  ['/auth/groups', {}, true],
  ['/identity/alias', {}, true],
  ['/fitness/groups', {}, false],
  ['/roles/{id}/rules', {}, true],
  ['/leagues/{id}/rules', {}, false],
  ['/certificates/external', body({ certificate: {} }), true],
  ['/certificates/enrollments', body({ csr: {} }), true],
  ['/courses/enrollments', body({ csr: {} }), false],
  ['/auth/{mount}/config', {}, true],
  ['/auth/enable', {}, true],
  ['/shelves/{id}/config', {}, false],
  ['/projects/{id}/jwks', {}, true],
  ['/saml-connections', {}, true],
  ['/server/known-hosts', {}, true],
  ['/wallets/{id}/signers', {}, true],
  ['/documents/{id}/signers', {}, false],
  ['/api-keys/{id}/restore', {}, true],
  ['/files/{id}/restore', {}, false],
  ['/webinars/{id}/co-organizers', {}, true],
  ['/communities/mod', { operationId: 'addModToCommunity' }, true],
  // How names and texts say it.
  ['/channels.addOwner', {}, true],
  ['/libraries/grant-access', {}, true],
  ['/users.setAdmin', {}, true],
  ['/admins/{id}/away', { operationId: 'setAwayAdmin' }, false],
  ['/seats', { summary: 'Assign a role to a user' }, true],
  ['/trust/issuers', { summary: 'Trust an issuer of tokens' }, true],
  ['/vaults/{id}/policies', { summary: 'Create an access policy' }, true],
  ['/vaults/{id}/policies', { summary: 'Create a policy' }, false],
  ['/entries', { summary: 'Create multiple access rules' }, true],
  ['/scores', { summary: 'Trust score of a seller' }, false],
  ['/wallets/{id}/grant-credit', {}, false],
  ['/roles/{id}/has-permission', {}, false],
  ['/groups/{id}/remove_role', { operationId: 'groups_remove_role' }, false],
  // A role that is chosen for whoever joins.
  ['/teams/{id}/invitations', body(role()), true],
  ['/teams/{id}/invitations', body(ofAdmins), true],
  ['/teams/{id}/invitations', body(role({ enum: ['viewer', 'editor'] })), false],
  ['/teams/{id}/invitations', body({ email: { type: 'string' } }), false],
  ['/teams/{id}/members', body({ members: { type: 'array', items: object(ofAdmins) } }), true],
  ['/projects/{id}/teams', body({ permission: {} }), true],
  ['/teams', body({ permission: {} }), false],
  ['/meetings/{id}/members', body({ user_id: { type: 'string' } }), false],
  ['/users.invite', body(ofAdmins), true],
  ['/accounts/inviteGuest', body(ofAdmins), true],
  ['/memberships', body({ role: { enum: [1, 2], description: '1 is a leader' } }), true],
  ['/members', list({ properties: ofAdmins }), true],
  ['/users', body({ is_admin: { type: 'boolean' } }), true],
  ['/users', body(role({ description: 'May be admin or user' })), true],
  ['/users', body(role()), false],
  ['/messages', body(ofAdmins), false],
] as const) {
  const told = JSON.stringify(operation).slice(0, 120);
  test(`POST ${path} ${told} ${gives ? 'gives rights' : 'gives no rights'}`, () => {
    const { document, nature } = natureIn(path, operation, 'post');
    assert.equal(/^it gives rights/.test(asideReason(document, nature) ?? ''), gives);
  });
}

test('a PUT that puts somebody among others with a role gives rights', () => {
  const operation = { operationId: 'addGroupMember', ...body(ofAdmins) };
  const { document, nature } = natureIn('/groups/{id}/members/{user}', operation, 'put');
  assert.match(asideReason(document, nature) ?? '', /^it gives rights/);
});

function object(properties: object) {
  return { type: 'object', properties };
}

test('a policy with rules of its own below it gives rights, unless it says what else it holds', () => {
  const found = [{}, body({ conditions: {} }), body({ premium: {} })].map((operation) => {
    const document = documentOf({
      paths: {
        '/policies': { post: operation },
        '/policies/{id}/rules': { get: {} },
      },
    });
    const [made] = new ApiOperations(document).all;
    assert.ok(made);
    return asideReason(document, natureOf(document, made)) !== undefined;
  });
  assert.deepEqual(found, [true, true, false]);
});
