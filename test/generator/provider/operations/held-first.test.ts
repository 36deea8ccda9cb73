import assert from 'node:assert/strict';
import test from 'node:test';
import { heldReason } from '../../../../generator/provider/operations/choose-operations.ts';
import { roleOf, subjectOf } from '../../../../generator/provider/operations/operation-role.ts';
import { asideReason } from '../../../../generator/provider/operations/set-aside.ts';
import { natureIn } from '../guess/described.ts';

const sent = (...names: string[]) => {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { requestBody: { content: { 'application/json': { schema: { properties } } } } };
};
const plain = { requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } } };

for (const [path, operation, reason] of [
  // What is locked, what others may spend, what software runs.
  ['/doors/{id}/unlock', {}, /^it unlocks/],
  ['/commands/UNLOCK_GATE', {}, /^it unlocks/],
  ['/unlocked-doors', {}, undefined],
  ['/teams/{id}/budgets', {}, /^it says how much may be spent/],
  ['/spend-limits', {}, /^it says how much may be spent/],
  ['/budgets', {}, undefined],
  ['/stacks', { summary: 'Deploy a new stack' }, /^it changes which software runs/],
  ['/stacks', { summary: 'Deployed stacks' }, undefined],
  // Money, a telephone, and whatever somebody else is asked to do.
  ['/wallet/accounts/send', {}, /^it may spend money/],
  ['/wallet/notes', {}, undefined],
  ['/submitThirdParty', { summary: 'Submit a payout' }, /^it may spend money/],
  ['/route', { summary: 'Attempts to make a payment via the route' }, /^it may spend money/],
  ['/journals', { description: 'A journal may move cash or notes.' }, /^it may spend money/],
  ['/channels', sent('local_funding_amount'), /^it may spend money/],
  ['/channels', sent('name'), undefined],
  ['/sends', { summary: 'Send a payment reminder' }, undefined],
  ['/payout-requests', {}, /^it may spend money/],
  ['/refund-requests', {}, undefined],
  ['/links', { summary: 'Make a payment link' }, undefined],
  ['/billings/run', { summary: 'Trigger billing for all' }, /^it may spend money/],
  ['/voice', { summary: 'Send text-to-speech Voice Call' }, /^it calls somebody/],
  ['/relay', { description: 'Proxies a POST request to a service' }, /^it runs/],
  ['/relay', { description: 'Proxies a GET request to a service' }, undefined],
  // Many people.
  ['/events/trigger', { summary: 'Sends a notification to subscribers' }, /^it may reach many/],
  ['/notes', { summary: 'Send a message to the owner' }, undefined],
  // Credentials that are made, set up or taken.
  ['/hooks/secret-keys', {}, /^it makes a credential/],
  ['/apps', sent('name', 'clientSecret', 'redirectUris'), /^it makes a credential/],
  ['/apps', sent('name', 'redirectUris'), undefined],
  ['/providers', sent('clientSecret', 'clientSecret2'), /"clientSecret"/],
  ['/providers', sent('clientSecret', 'name'), undefined],
  ['/registries', sent('url', 'username', 'password'), /"password"/],
  ['/registries', sent('url', 'name'), undefined],
  ['/repocreds', sent('url', 'password'), /"password"/],
  ['/boxes', sent('addr', 'user', 'privateKey'), /"privateKey"/],
  ['/setup', sent('db_host', 'db_username', 'db_password'), /"db_password"/],
  ['/members', sent('user', 'password'), undefined],
  ['/secrets/{id}', plain, /"secret"/],
  ['/people/{id}/notes', plain, undefined],
  ['/trainings', sent('hub_api_key', 'log_api_key'), undefined],
  ['/guests', sent('password', 'confirmPassword'), undefined],
  ['/nodes/join', sent('JoinToken', 'address'), /"JoinToken"/],
  // An address that is called, as a text alone says it.
  ['/boxes/{id}/hooks', { description: 'Creates a new webhook' }, /^it sends what happens/],
  ['/boxes/{id}/hooks', { description: 'Creates a new hook' }, undefined],
] as const) {
  test(`POST ${path} ${JSON.stringify(operation).slice(0, 80)} is ${reason ? 'held back' : 'no matter'}`, () => {
    const { document, nature } = natureIn(path, operation, 'post');
    const found = asideReason(document, nature) ?? heldReason(nature);
    if (reason) assert.match(found ?? '', reason);
    else assert.equal(found, undefined);
  });
}

test('a PUT to a collection makes what its text says, and is held back as a POST is', () => {
  const roles = ['/boxes', '/boxes/{id}', '/boxes/{id}/lid'].map((path) => {
    const { nature } = natureIn(path, { summary: 'Creates a box' }, 'put');
    return roleOf(nature.operation, subjectOf(nature.operation), { reads: false, isList: false });
  });
  assert.deepEqual(roles, ['create', 'other', 'other']);
  const hook = { summary: 'Creates a webhook', ...sent('url') };
  const { document, nature } = natureIn('/boxes/{id}/webhooks', hook, 'put');
  assert.match(asideReason(document, nature) ?? '', /^it sends what happens/);
});
