import assert from 'node:assert/strict';
import test from 'node:test';
import { asideReason } from '../../../../../generator/provider/operations/set-aside.ts';
import { answer, natureIn } from '../../guess/described.ts';

const object = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const text = { type: 'string' };
const onlySent = { ...text, writeOnly: true };
const listed = (name: string) => ({ type: 'array', items: object(name) });
/** A thing with its members below it, as JSON:API has them. */
const resource = (attributes: object) => ({
  properties: {
    data: { properties: { id: text, attributes, links: object('self') } },
    links: object('self'),
  },
});
const wrapped = (schema: object) => ({ type: 'object', properties: { data: schema } });

/** What an operation sends, what it answers, and the member of its answer that is a credential. */
for (const [path, sent, given, member, more = {}] of [
  ['/organizations/{id}/clients', ['name'], object('id', 'plain_secret'), 'plain_secret'],
  ['/apps', ['name'], object('id', 'clientSecret'), 'clientSecret'],
  ['/pats', ['name'], object('id', 'personalAccessToken'), 'personalAccessToken'],
  ['/projects', ['name'], object('id', 'api_key', 'api_key_prefix'), 'api_key'],
  ['/bots', ['name'], wrapped(object('id', 'access_token')), 'access_token'],
  ['/hooks', ['url'], object('id', 'signing_secret'), 'signing_secret'],
  ['/logged-in', ['name'], resource(object('scope', 'access_token')), 'access_token'],
  ['/connect-tokens', ['user'], wrapped(object('token', 'expires_at')), 'token'],
  ['/purses', ['name'], { ...object('token'), properties: proving() }, 'token'],
  ['/webhooks', ['url'], object('id', 'secret'), 'secret'],
  ['/start', ['email'], object('bootstrap_token'), 'bootstrap_token'],
  ['/host_tokens', ['count'], listed('token'), 'token'],
  ['/cards', ['name'], object('id', 'cvv'), 'cvv'],
  ['/recovery', ['person'], object('recovery_code', 'expires_at'), 'recovery_code'],
  ['/orgs', ['name'], { properties: { org: object('id'), api_key: object('key') } }, 'api_key'],
  [
    '/databases',
    ['name'],
    { properties: { connection_uris: listed('connection_uri') } },
    'connection_uris',
  ],
  ['/passes', ['to'], { properties: { pass: object('id'), secret: text } }, 'secret'],
  [
    '/accounts',
    ['email'],
    { properties: { a: object('b'), oauth_data: object('access_token') } },
    'access_token',
  ],
  // It is made where it is not sent.
  ['/robots', ['name', 'secret'], object('id', 'secret'), 'secret'],
  // The caller knows it already.
  ['/targets', ['url', 'signing_secret'], object('id', 'signing_secret'), undefined],
  ['/users', ['name', 'apikey'], object('id', 'apikey'), undefined],
  // No credentials: a place in a list, a coin, a count, a switch, an invitation, a hint of a key.
  ['/boards', ['name'], object('token', 'next_page_token'), undefined],
  ['/teams', ['name'], object('id', 'secret'), undefined],
  ['/card-tokens', ['number'], object('token'), undefined],
  ['/domain/verification-token', ['domain'], object('token'), undefined],
  ['/completions', ['text'], wrapped(object('prompt_tokens', 'total_tokens')), undefined],
  ['/items', ['name'], { properties: { secret: { type: 'boolean' } } }, undefined],
  ['/meetings/{id}/invitations', ['email'], object('token'), undefined],
  ['/guests/{token}/resend', [], object('token'), undefined, { operationId: 'resend_token' }],
  ['/items', ['name'], object('client_secret_hint', 'secret_last4'), undefined],
  // What may only be sent.
  ['/locks', ['name'], { properties: { lock: object('id'), secret: onlySent } }, undefined],
  ['/locks', ['name'], { properties: { id: text, api_key: onlySent } }, undefined],
  // What is shown again, and what is read.
  ['/logged-in/{id}/revoke', [], resource(object('access_token')), undefined],
  ['/rides/{id}/cancel', [], object('session_token'), undefined],
  ['/apps/search', ['name'], object('client_secret'), undefined, { summary: 'Find apps' }],
] as const) {
  test(`POST ${path} with ${sent} gives ${member ?? 'no credential'}`, () => {
    const schema = object(...sent);
    const requestBody = { content: { 'application/json': { schema } } };
    const operation = { requestBody, responses: answer(given), ...more };
    const { document, nature } = natureIn(path, operation, 'post');
    const reason = asideReason(document, nature);
    assert.equal(
      reason,
      member &&
        `it gives a credential ("${member}" of its answer), which agents would see: make one yourself`,
    );
  });
}

function proving() {
  return { token: { type: 'string', description: 'With which requests are authorized' } };
}

for (const [path, names, summary, isMade] of [
  ['/tokens', ['name', 'abilities'], 'Create one', true],
  ['/tokens', ['name', 'amount'], 'Create one', false],
  ['/delete-token', ['scopes'], 'Delete one', false],
  ['/ca/sign', ['csr'], 'Gets a signed certificate', true],
  ['/ids', ['csr'], 'Issue an X.509-SVID', true],
  ['/courses', ['name'], 'Get a list of certificates', false],
] as const) {
  test(`POST ${path} with ${names}, "${summary}", ${isMade ? 'makes' : 'makes no'} credential`, () => {
    const requestBody = { content: { 'application/json': { schema: object(...names) } } };
    const { document, nature } = natureIn(path, { summary, requestBody }, 'post');
    assert.equal(/makes a credential/.test(asideReason(document, nature) ?? ''), isMade);
  });
}

for (const [path, isMade] of [
  ['/link-tokens', true],
  ['/user-registration-tokens', true],
  ['/management-keys/onsubmit', true],
  ['/projects/{id}/api-keys/create', true],
  ['/bot/recreate_token', true],
  ['/usertoken/clone', true],
  ['/card-tokens/create', false],
  ['/doors/credentials/create', false],
  ['/api-keys/usage', false],
] as const) {
  test(`POST ${path} ${isMade ? 'makes a credential' : 'may be on by itself'}`, () => {
    const { document, nature } = natureIn(path, { responses: answer(object('id')) }, 'post');
    assert.equal(/makes a credential/.test(asideReason(document, nature) ?? ''), isMade);
  });
}

/** Whether a GET is about credentials alone, by its path, its texts and its answer. */
for (const [path, given, more, isShown] of [
  ['/api-keys', object('id', 'name'), {}, true],
  ['/app/key/list', object('id', 'apiKey'), {}, true],
  ['/members/{id}/access_tokens', object('id'), {}, true],
  ['/credentials', object('id'), { summary: 'Get all credentials' }, true],
  ['/credentials', object('id'), { summary: 'Get credentials from the wallet' }, false],
  ['/keys', object('id', 'n'), {}, false],
  ['/user-registration-tokens', listed('token'), {}, true],
  ['/device-tokens', listed('token'), {}, false],
  ['/secrets', listed('value'), {}, true],
  ['/secrets', listed('name'), {}, false],
  ['/secrets/{name}', object('name', 'age'), {}, false],
  ['/vaults/{id}/secrets/{name}', { type: 'string' }, {}, true],
  ['/secrets/{name}', { properties: { data: { additionalProperties: text } } }, {}, true],
  ['/apps/{id}/keys', object('id', 'key'), { summary: 'Lists the API keys of an app' }, true],
  ['/1/keys/{key}', object('value'), { description: 'Shows what an API key may do.' }, true],
  ['/projects/{id}/keys', object('id', 'note'), { summary: 'Lists the API keys' }, false],
  ['/maps/{id}/keys', object('key', 'value'), { summary: 'Lists the keys of a map' }, false],
  ['/coins/tokens', object('symbol', 'token'), {}, false],
  ['/static-creds/{name}', object('id'), {}, true],
  ['/doors/{id}:password', object('value'), {}, true],
  ['/doors/{id}/getDoorSecret', object('secret'), {}, true],
  ['/doors/{id}/jwt', object(), {}, true],
  ['/doors/{id}/token', object('detail'), { description: 'With it one authenticates.' }, true],
  ['/doors/{id}/token', object('detail'), {}, false],
  ['/doors/{id}/has-password', object('value'), {}, false],
  ['/card/{id}/token', object('token'), {}, false],
  ['/doors/{id}/secret', { type: 'array', items: object('key') }, {}, false],
  ['/seals/{id}', object('id', 'private_key'), {}, true],
  ['/cards/{id}/pan', object('number', 'cvv'), {}, true],
  ['/cards/{id}/brand', object('number'), {}, false],
  ['/credentials/basic', object('access_token'), {}, true],
  ['/credentials/kinds', object('id', 'name'), {}, false],
  ['/servers/{id}/tsig-keys/{key}', object('name', 'key'), {}, true],
  ['/seals/{id}', object('id', 'key'), { summary: 'Get a seal, including the actual key' }, true],
  ['/seals/{id}', object('id', 'key'), { summary: 'Get a seal, not including the key' }, false],
  ['/seals/{id}', object('id'), { summary: 'Get a seal, including the key' }, false],
  ['/dkim/{domain}', object('pubkey', 'privkey'), {}, true],
  ['/apps', object('id', 'client_secret'), {}, false],
] as const) {
  test(`GET ${path} with ${JSON.stringify(given)} ${isShown ? 'is' : 'is not'} about credentials`, () => {
    const { document, nature } = natureIn(path, { responses: answer(given), ...more });
    const reason = 'it shows credentials, or is about them alone: agents have no use for those';
    assert.equal(asideReason(document, nature), isShown ? reason : undefined);
  });
}

test('a PUT that makes a credential says so', () => {
  const { document, nature } = natureIn('/api-keys', { responses: answer(object('id')) }, 'put');
  assert.match(String(asideReason(document, nature)), /^it makes a credential/);
});

for (const [path, texts, isMade] of [
  [
    '/keys',
    { summary: 'Create a key', description: 'Its access rights are those of the policy.' },
    true,
  ],
  ['/oauth/clients/create', { summary: 'Create a client' }, true],
  ['/m2m/clients', { summary: 'Create a client' }, true],
  ['/clients', { summary: 'Create a client of the practice' }, false],
  [
    '/projects/{id}/keys',
    { summary: 'Create a key', description: 'Keys have translations.' },
    false,
  ],
] as const) {
  test(`POST ${path} (${texts.summary}) ${isMade ? 'makes a credential' : 'makes none'}`, () => {
    const { document, nature } = natureIn(path, texts, 'post');
    assert.equal(/^it makes a credential/.test(asideReason(document, nature) ?? ''), isMade);
  });
}

test('what a service is set up with is not shown', () => {
  const { document, nature } = natureIn('/environment-variables', { summary: 'List variables' });
  assert.match(asideReason(document, nature) ?? '', /^it shows credentials/);
});

const made = 'it makes a credential, which agents would see: make one yourself';

for (const [description, reason] of [
  ['Checks a code and returns the Robot credentials of an application.', made],
  ['Returns the things that credentials are for.', undefined],
] as const) {
  test(`a POST that says "${description}" ${reason === undefined ? 'gives none' : 'gives credentials'}`, () => {
    const { document, nature } = natureIn('/robots', { description, responses: {} }, 'post');
    assert.equal(asideReason(document, nature), reason);
  });
}
