import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { guessAuth } from '../../../../generator/provider/guess/guess-auth.ts';
import { guessHeaders } from '../../../../generator/provider/guess/guess-headers.ts';
import { guessOwnAuth } from '../../../../generator/provider/guess/own-auth.ts';
import { answer, documentOf, list } from './described.ts';

const header = (name: string, description?: string) => ({
  ...{ name, in: 'header', required: true, schema: { type: 'string' } },
  ...(description !== undefined && { description }),
});

const get = (...parameters: object[]) => ({ get: { parameters, responses: answer(list) } });

const bearer = {
  security: [{ main: [] }],
  components: { securitySchemes: { main: { type: 'http', scheme: 'bearer' } } },
};

/** What the operations are sent with, and which headers their callers are asked for. */
function draftOf(paths: object, more: object = bearer) {
  const document = documentOf({ ...more, paths });
  const usual = guessAuth(document, 'acme');
  const own = guessOwnAuth(document, 'acme', usual);
  const { all } = new ApiOperations(document);
  const taken = Object.fromEntries(all.map((each) => [each.path, own.of(each)?.auth]));
  const asked = Object.fromEntries(
    all.map((each) => [each.path, guessHeaders(document, each, usual, own.entries).asked]),
  );
  return { usual, taken, asked, entries: own.entries };
}

test('a header that is a credential by its name joins the declared one, and nobody is asked for it', () => {
  const { usual, taken, asked, entries } = draftOf({
    '/a': get(),
    '/b': get(header('x-access-token')),
    '/c': get(header('X-Request-Reason')),
  });
  assert.equal(usual.headers, undefined);
  assert.deepEqual(taken, { '/a': undefined, '/b': ['main_x_access_token'], '/c': undefined });
  assert.deepEqual(asked, { '/a': [], '/b': [], '/c': ['X-Request-Reason'] });
  assert.deepEqual(entries, [
    {
      ...{ id: 'main_x_access_token', type: 'bearer', env: ['SERVICE_ACME_TOKEN'], required: true },
      headers: { 'x-access-token': '{env:SERVICE_ACME_ACCESS_TOKEN}' },
      default: false,
    },
  ]);
});

test('what nearly all operations demand beside the declared credential goes with it', () => {
  const { usual, taken, asked, entries } = draftOf({
    '/a': get(header('X-Access-Token')),
    '/b': get(header('X-Access-Token')),
  });
  assert.deepEqual(usual.headers, { 'X-Access-Token': '{env:SERVICE_ACME_ACCESS_TOKEN}' });
  assert.deepEqual([Object.values(taken), entries], [[undefined, undefined], []]);
  assert.deepEqual(asked, { '/a': [], '/b': [] });
});

test('a bare token beside a declared scheme is that one, told twice', () => {
  const { taken, asked, entries } = draftOf({ '/a': get(), '/b': get(header('token')) });
  assert.deepEqual([taken, entries], [{ '/a': undefined, '/b': undefined }, []]);
  assert.deepEqual(asked, { '/a': [], '/b': [] });
});

test('an operation without the declared credential has the one that its header names', () => {
  const hook = get(header('X-Session-Token')).get;
  const { taken } = draftOf({ '/a': get(), '/b': { get: { ...hook, security: [] } } });
  assert.deepEqual(taken, { '/a': undefined, '/b': ['x_session_token'] });
});

test('tokens of those who call are credentials, those of one thing or step their callers know', () => {
  const isAsked = (name: string, text?: string) =>
    draftOf({ '/a': get(), '/b': get(header(name, text)) }, {}).asked['/b']?.includes(name);
  for (const name of [
    ...['end-user-token', 'user-token', 'X-User-Token', 'userToken', 'x-session-token'],
    ...['X-Acme-Session-Token', 'X-Acme-Server-Token', 'X-Acme-Access-Token', 'Acme-App-Key'],
  ]) {
    assert.equal(isAsked(name), false, name);
  }
  for (const name of [
    ...['X-CSRF-Token', 'Idempotency-Token', 'X-Client-Token', 'Next-Token', 'X-Page-Token'],
    ...['Continuation-Token', 'X-Sync-Token', 'X-Upload-Session-Token', 'X-Device-Token'],
    ...['X-Registration-Token', 'X-Checkout-Session-Token', 'Draft-Token', 'X-Pre-Auth-Token'],
    ...['X-Target-Access-Token', 'X-Session-Id', 'X-Landing-Key', 'X-User'],
  ]) {
    assert.equal(isAsked(name), true, name);
  }
  const said = 'What you get when you log in';
  assert.equal(isAsked('X-Session-Id', said), false);
  assert.equal(isAsked('X-Cart-Session-Id', said), true);
  assert.equal(isAsked('X-Session-Id', 'Groups the messages of one conversation'), true);
});

test('the token of a user in an address is no credential', () => {
  const parameter = { ...header('user_token'), in: 'query' };
  const { usual, entries } = draftOf({ '/a': get(parameter), '/b': get(parameter) }, {});
  assert.deepEqual([usual.auth.type, entries], ['none', []]);
});

test('the secret of a client that an operation demands is a credential, and that of a thing is an argument', () => {
  const { asked } = draftOf(
    {
      '/a': get(header('X-Client-Secret')),
      '/b': get(header('x-oauth-token')),
      '/c': get(header('X-Share-Secret')),
    },
    {},
  );
  assert.deepEqual(asked, { '/a': [], '/b': [], '/c': ['X-Share-Secret'] });
});

test('a header that holds a token of one person by what is said of it is no argument', () => {
  const consent = header('consent', 'The `consent-token` with the authorisation of the user.');
  const { taken, asked, entries } = draftOf({
    '/a': get(),
    '/b': get(consent),
    '/c': get(header('X-Registry-Auth')),
    '/d': get(header('X-Consent-Id', 'The id of the consent, which an access token is for.')),
    '/e': get(header('X-Upload-Token', 'The token that an access token was exchanged for.')),
  });
  assert.deepEqual(taken['/b'], ['main_consent']);
  assert.deepEqual(taken['/c'], ['main_x_registry_auth']);
  assert.deepEqual(asked, {
    ...{ '/a': [], '/b': [], '/c': [] },
    ...{ '/d': ['X-Consent-Id'], '/e': ['X-Upload-Token'] },
  });
  assert.deepEqual(
    entries.map(({ headers }) => headers),
    [
      { consent: '{env:SERVICE_ACME_CONSENT}' },
      { 'X-Registry-Auth': '{env:SERVICE_ACME_REGISTRY_AUTH}' },
    ],
  );
});

test('a header of most operations that is a credential by its name is the usual one', () => {
  const paths = { '/a': get(header('X-Gateway-Auth')), '/b': get(header('X-Gateway-Auth')) };
  const { usual, asked } = draftOf(paths, {});
  assert.equal(usual.auth.name, 'X-Gateway-Auth');
  assert.deepEqual(asked, { '/a': [], '/b': [] });
});

test('nobody is asked for what the connection says with each request', () => {
  const { asked } = draftOf({ '/a': get(header('Expect'), header('TE'), header('X-Reason')) });
  assert.deepEqual(asked, { '/a': ['X-Reason'] });
});

test('a key in addresses that nothing demands is no better than the header that something does', () => {
  const quiet = Object.fromEntries([...'abcdefghijklm'].map((name) => [`/${name}`, get()]));
  const demanding = { ...get(), get: { ...get().get, security: [{ inHeader: [] }] } };
  const inHeader = { type: 'apiKey', in: 'header', name: 'Authorization' };
  const inAddress = { type: 'apiKey', in: 'query', name: 'access_token' };
  const schemes = (others: object) => ({ components: { securitySchemes: others } });
  const paths = { ...quiet, '/z': demanding };
  const { usual, entries } = draftOf(paths, schemes({ inAddress, inHeader }));
  assert.deepEqual([usual.auth.name, entries], ['Authorization', []]);
  // What one operation wants may be of another kind than the header that the rest is silent about.
  const other = { type: 'apiKey', in: 'header', name: 'X-Key' };
  assert.equal(draftOf(paths, schemes({ other, inHeader })).usual.auth.name, 'X-Key');
  // Where each is demanded by something, that counts alone: not that one takes fewer parts.
  const two = { ...get(), get: { ...get().get, security: [{ inHeader: [], other: [] }] } };
  const one = { ...get(), get: { ...get().get, security: [{ login: [] }] } };
  const login = { type: 'http', scheme: 'basic' };
  const mixed = { ...quiet, '/o/1': one, '/t/1': two, '/t/2': two };
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`/q/${at}`, get()]));
  const { headers } = draftOf({ ...mixed, ...many }, schemes({ inHeader, other, login })).usual;
  assert.notEqual(headers, undefined);
});

test('of equals a key that may be taken back goes before the password of a person', () => {
  const security = [{ login: [] }, { key: [] }, { once: [] }];
  const login = { type: 'http', scheme: 'basic' };
  const description = 'API tokens must be prepended with "token".';
  const key = { type: 'apiKey', in: 'header', name: 'Authorization', description };
  const once = { type: 'apiKey', in: 'header', name: 'X-Code' };
  const usualOf = (securitySchemes: object) =>
    draftOf({ '/a': get() }, { security, components: { securitySchemes } }).usual.auth;
  assert.equal(usualOf({ login, key, once }).format, 'token {token}');
  const unsaid = { ...key, description: 'Who is who.' };
  assert.equal(usualOf({ login, key: unsaid, once }).type, 'basic');
  assert.equal(usualOf({ login, once }).type, 'basic');
});

test('of two tokens that one header is to hold together the usual one is sent, and nothing of a token and a password', () => {
  const scheme = { type: 'http', scheme: 'bearer' };
  const basic = { type: 'http', scheme: 'basic' };
  const both = (security: object) => ({ get: { security: [security], responses: answer(list) } });
  const document = documentOf({
    security: [{ main: [] }],
    components: { securitySchemes: { main: scheme, other: scheme, basic } },
    paths: {
      ...{ '/a': get(), '/b': get() },
      ...{ '/c': both({ other: [], main: [] }), '/d': both({ basic: [], main: [] }) },
    },
  });
  const own = guessOwnAuth(document, 'acme', guessAuth(document, 'acme'));
  const unsent = new ApiOperations(document).all.map((each) => own.unsent(each));
  const last = 'basic and main, which tools cannot send';
  assert.deepEqual(unsent, [undefined, undefined, undefined, last]);
  assert.deepEqual(own.entries, []);
});
