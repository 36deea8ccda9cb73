import assert from 'node:assert/strict';
import test from 'node:test';
import { guessAuth } from '../../../../generator/provider/guess/guess-auth.ts';
import { documentOf } from './described.ts';

for (const [what, scheme, expected] of [
  ['bearer', { type: 'http', scheme: 'Bearer' }, { type: 'bearer' }],
  ['OAuth', { type: 'oauth2', flows: {} }, { type: 'bearer' }],
  [
    'a header whose value stands in the place of its name',
    { type: 'apiKey', in: 'header', name: 'Bearer API_KEY' },
    { type: 'bearer' },
  ],
  [
    'a header and its word in the place of a name',
    { type: 'apiKey', in: 'header', name: 'Authorization Bearer' },
    { type: 'bearer' },
  ],
  [
    'a header that is said to be one',
    { type: 'apiKey', in: 'header', name: 'Authorization Header' },
    { type: 'api_key', in: 'header', name: 'Authorization', format: '{token}' },
  ],
  ['basic', { type: 'http', scheme: 'basic' }, { type: 'basic', format: '{token}' }],
  [
    'basic, whose password may be a key',
    { type: 'http', scheme: 'basic', description: 'Username and password, or API key of a host' },
    { type: 'basic', format: '{token}' },
  ],
  [
    'basic, with a key that is the user',
    { type: 'http', scheme: 'basic', description: 'Send your API key as the username.' },
    { type: 'basic', format: '{token}:' },
  ],
  [
    'basic, with a key that is shown as the user',
    { type: 'http', scheme: 'basic', description: 'curl -u key_xxxxxxxx: https://acme.example' },
    { type: 'basic', format: '{token}:' },
  ],
  [
    'basic, with a user and a password that are shown',
    { type: 'http', scheme: 'basic', description: 'curl -u user:secret https://acme.example' },
    { type: 'basic', format: '{token}' },
  ],
  [
    'a key in a header',
    { type: 'apiKey', in: 'header', name: 'X-Key' },
    { type: 'api_key', in: 'header', name: 'X-Key', format: '{token}' },
  ],
] as const) {
  test(`${what} becomes ${expected.type} with a variable of the provider`, () => {
    const document = documentOf({ components: { securitySchemes: { s: scheme } } });
    assert.deepEqual(guessAuth(document, 'acme').auth, {
      ...expected,
      env: ['SERVICE_ACME_TOKEN'],
      required: true,
    });
  });
}

for (const [place, name] of [
  ['header', 'X-Key\r\nX-Other: 1'],
  ['header', 'X Key'],
  ['cookie', 'sid=1; other'],
  ['query', 'key\n'.repeat(2)],
  ['header', ''],
  ['header', 'Host'],
] as const) {
  test(`${JSON.stringify(name)} is the name of no ${place}, so nothing is sent by it`, () => {
    const scheme = { type: 'apiKey', in: place, name };
    const document = documentOf({ components: { securitySchemes: { s: scheme } } });
    const { auth, note = '' } = guessAuth(document, 'acme');
    assert.deepEqual(auth, { type: 'none' });
    assert.match(note, /names s, which tools cannot send/);
  });
}

test('a description without security schemes is keyless; a demanded scheme goes before others', () => {
  assert.deepEqual(guessAuth(documentOf({}), 'acme').auth, { type: 'none' });
  const securitySchemes = { a: { type: 'http', scheme: 'basic' }, b: { type: 'oauth2' } };
  const document = documentOf({ components: { securitySchemes }, security: [{ b: [] }] });
  assert.equal(guessAuth(document, 'acme').auth.type, 'bearer');
});

test('what lies behind a login and names no scheme is taken for as much', () => {
  const { auth, review = '', note } = guessAuth(documentOf({}), 'acme', true);
  const env = ['SERVICE_ACME_TOKEN'];
  assert.deepEqual(auth, { type: 'basic', format: '{token}', env, required: true });
  assert.match(review, /lies behind a user and password/);
  assert.equal(note, 'SERVICE_ACME_TOKEN holds user:password');
  const securitySchemes = { b: { type: 'http', scheme: 'bearer' } };
  const named = documentOf({ components: { securitySchemes } });
  assert.equal(guessAuth(named, 'acme', true).auth.type, 'bearer');
});

test('a header that cannot be called so carries nothing, and it is said', () => {
  const securitySchemes = { Key: { type: 'apiKey', in: 'header', name: 'API Key' } };
  const { auth, note } = guessAuth(documentOf({ components: { securitySchemes } }), 'acme');
  assert.deepEqual(auth, { type: 'none' });
  assert.match(note ?? '', /^the description names Key, which tools cannot send/);
});

test('the scheme of most operations wins, a header before an address, and others are named', () => {
  const key = (place: string) => ({ type: 'apiKey', in: place, name: 'key' });
  const securitySchemes = { url: key('query'), header: key('header'), rare: { type: 'oauth2' } };
  const security = [{ url: [] }, { header: [] }];
  const paths = {
    '/a': { get: { security }, post: { security } },
    '/b': { get: { security: [{ rare: [] }] } },
  };
  const { auth, review } = guessAuth(
    documentOf({ paths, components: { securitySchemes } }),
    'acme',
  );
  assert.equal(auth.in, 'header');
  assert.match(review, /also offers url, rare/);
});

test('what operators have goes behind what nearly as many operations take, and two keys behind one', () => {
  const key = (name: string) => ({ type: 'apiKey', in: 'header', name });
  const securitySchemes = {
    ...{ key: key('X-Key'), old: { ...key('X-Old-Key'), description: '**Deprecated.**' } },
    ...{ admin: key('X-Admin-Token'), person: { type: 'http', scheme: 'bearer' } },
    team: key('X-Team'),
  };
  const both = { person: [], team: [] };
  const security = [{ old: [] }, { key: [] }, both, { admin: [] }];
  const get = { get: { security } };
  const paths = {
    ...{ '/a': get, '/b': get, '/c': get, '/d': get, '/e': { get: { security: [both] } } },
    ...{
      '/f': { get: { security: [{ admin: [] }] } },
      '/g': { get: { security: [{ admin: [] }] } },
    },
  };
  const { auth, headers } = guessAuth(
    documentOf({ paths, components: { securitySchemes } }),
    'acme',
  );
  assert.deepEqual([auth.name, headers], ['X-Key', undefined]);
});

test('a header that all demand and that is a declared key, or names the account, comes from a variable', () => {
  const header = (name: string, schema = {}) => ({ name, in: 'header', required: true, schema });
  const common = [header('Private-Key'), header('X-Acme-App-Id'), header('X-Thing-Id')];
  const parameters = [...common, header('X-Tenant-Id', { default: 'main' })];
  const get = { get: { parameters } };
  const securitySchemes = {
    public: { type: 'apiKey', in: 'header', name: 'Public-Key' },
    private: { type: 'apiKey', in: 'header', name: 'private-key' },
  };
  const security = [{ public: [] }, { private: [] }];
  const parts = { paths: { '/a': get, '/b': get }, security, components: { securitySchemes } };
  const { auth, headers } = guessAuth(documentOf(parts), 'acme');
  assert.equal(auth.name, 'Public-Key');
  assert.deepEqual(headers, {
    'Private-Key': '{env:SERVICE_ACME_PRIVATE_KEY}',
    'X-Acme-App-Id': '{env:SERVICE_ACME_APP_ID}',
  });
});

test('the version that a header of all operations shows as its example is sent with every request', () => {
  const header = (name: string, schema: object) => ({ name, in: 'header', required: true, schema });
  const shown = header('X-Acme-Version', { type: 'string', example: 'v2' });
  const untold = header('X-Other-Version', { type: 'string', example: 'the newest' });
  const own = header('X-Thing-Version', { type: 'string', example: '3' });
  const securitySchemes = { s: { type: 'http', scheme: 'bearer' } };
  const paths = {
    '/a': { get: { parameters: [shown, untold] } },
    '/b': { get: { parameters: [shown, untold] }, put: { parameters: [shown, own] } },
  };
  const { headers } = guessAuth(documentOf({ paths, components: { securitySchemes } }), 'acme');
  assert.deepEqual(headers, { 'X-Acme-Version': 'v2' });
});

test('the cookie of people goes behind a token that most operations take, too', () => {
  const securitySchemes = {
    cookie: { type: 'apiKey', in: 'cookie', name: 'acme' },
    token: { type: 'http', scheme: 'bearer' },
  };
  const both = { get: { security: [{ token: [] }, { cookie: [] }] } };
  const paths = { '/a': both, '/b': both, '/c': { get: { security: [{ cookie: [] }] } } };
  const { auth } = guessAuth(documentOf({ paths, components: { securitySchemes } }), 'acme');
  assert.equal(auth.type, 'bearer');
  const alone = documentOf({
    paths,
    components: { securitySchemes: { cookie: securitySchemes.cookie } },
  });
  assert.equal(guessAuth(alone, 'acme').auth.in, 'cookie');
});

test('two keys that belong together go before the cookie of people, also where it is a header', () => {
  const header = (name: string) => ({ type: 'apiKey', in: 'header', name });
  const securitySchemes = {
    key: header('X-Acme-AppKey'),
    token: header('X-Acme-AppToken'),
    people: header('AcmeAuthCookie'),
  };
  const both = { get: { security: [{ key: [], token: [] }, { people: [] }] } };
  const paths = { '/a': both, '/b': both, '/c': { get: { security: [{ people: [] }] } } };
  const { auth, headers } = guessAuth(
    documentOf({ paths, components: { securitySchemes } }),
    'acme',
  );
  assert.equal(auth.name, 'X-Acme-AppKey');
  assert.deepEqual(headers, { 'X-Acme-AppToken': '{env:SERVICE_ACME_APPTOKEN}' });
  const alone = documentOf({
    paths,
    components: { securitySchemes: { people: header('Cookie') } },
  });
  assert.equal(guessAuth(alone, 'acme').auth.name, 'Cookie');
});

test('a user with a password is asked for as both', () => {
  const securitySchemes = { s: { type: 'http', scheme: 'basic' } };
  const { review } = guessAuth(documentOf({ components: { securitySchemes } }), 'acme');
  assert.match(review, /SERVICE_ACME_TOKEN holds user:password/);
});

for (const [title, description, pair] of [
  ['basicAuth', 'Your access key and secret key.', 'access key:secret key'],
  [
    'basicAuth',
    'The API key as the username, your API secret as the password',
    'api key:api secret',
  ],
  ['accountSid_authToken', undefined, 'account sid:auth token'],
  ['basicAuth', 'Send base64 of `client_id:client_secret`', 'client id:client secret'],
  ['basicAuth', 'Username and API token, see your profile', 'username:api token'],
  [
    'basicAuth',
    'The username is your account ID, the password is an API key',
    'account id:api key',
  ],
] as const) {
  test(`a user and password that are called ${pair} are asked for as such`, () => {
    const securitySchemes = { [title]: { type: 'http', scheme: 'basic', description } };
    const document = documentOf({ components: { securitySchemes } });
    const { auth, review } = guessAuth(document, 'acme');
    assert.equal(auth.format, '{token}');
    assert.ok(review.includes(`SERVICE_ACME_TOKEN holds ${pair}, the user and password`), review);
  });
}

test('what the service calls a pair is read where it speaks of Basic', () => {
  const securitySchemes = { s: { type: 'http', scheme: 'basic' } };
  const noteOf = (description: string) =>
    guessAuth(documentOf({ info: { description }, components: { securitySchemes } }), 'acme')
      .review;
  assert.match(noteOf('Basic authentication: access key and secret key.'), /access key:secret key/);
  assert.match(noteOf('Apps have a client ID and client secret.'), /user:password;/);
});

test('one key twice, or a key beside user and password, are no pair', () => {
  for (const description of [
    'Username and password, or an API key with a secret label',
    'An API key and API key names',
    'An API key, access token or user name',
    'Basic for the client ID, a token for apps',
  ]) {
    const securitySchemes = { s: { type: 'http', scheme: 'basic', description } };
    const { review } = guessAuth(documentOf({ components: { securitySchemes } }), 'acme');
    assert.match(review, /holds user:password;/);
  }
});

for (const [text, format] of [
  ['`Authorization: DeepL-Auth-Key [yourAuthKey]`', 'DeepL-Auth-Key {token}'],
  ['Send it as "Bearer YOUR_KEY" please', 'Bearer {token}'],
  ['The word "Key" followed by a blank and your secret', 'Key {token}'],
  ["Your key, prefixed with 'Bot '", 'Bot {token}'],
  ["Prefix value with 'Apikey ' as in 'Apikey SECRET'", 'Apikey {token}'],
  ['Keys must be prepended with "token" and a space', 'token {token}'],
  ['Please insert JWT with Bearer into field', 'Bearer {token}'],
  ['BearerJwt', 'Bearer {token}'],
  ['Type "Bearer" followed by a space and JWT token.', 'Bearer {token}'],
  ['JWT Authorization header using the Bearer scheme.', 'Bearer {token}'],
  ['Access token that the service gives, in a Bearer format.', 'Bearer {token}'],
  ['Token-based authentication with required prefix "Token"', 'Token {token}'],
  ['Acme-ApiKey token=<api key>', 'Acme-ApiKey token={token}'],
  ['Acme-Key {your_key}', 'Acme-Key {token}'],
  ['The key in the form `Token token=<API_KEY>`', 'Token token={token}'],
  ['Authorization: Token api-key="abc"', 'Token api-key={token}'],
  ['Authorization: Token abc, or Bearer error="invalid_token"', 'Token {token}'],
  ['"Bearer {jwt}", not Bearer token=abc', 'Bearer {token}'],
  ['Type into the textbox: Bearer {your JWT token}.', 'Bearer {token}'],
  ['Type into the textbox: "Bearer {token}"', 'Bearer {token}'],
  ['Your token, prefixed by Bearer: Bearer <token>', 'Bearer {token}'],
  ['Enter bearer [the token that you were given] here', 'Bearer {token}'],
  ['Value: Bearer YOUR_TOKEN', 'Bearer {token}'],
  ['Value: "Bearer" {jwt}', 'Bearer {token}'],
  ['Enter Bearer your_token in the field', 'Bearer {token}'],
  ["أدخل 'Bearer' ثم رمز JWT", 'Bearer {token}'],
  ['Acme key (format: AcmeToken <token>)', 'AcmeToken {token}'],
  ['Value: Token {your token}', 'Token {token}'],
  ['Your token without the "Bearer" prefix', '{token}'],
  ['Enter only {your token}', '{token}'],
  ['Enter token {your token}', '{token}'],
  ['Authorization: your key in full', '{token}'],
  ['Authorization: YOUR_ACME_KEY\n\n> Keep it safe.', '{token}'],
  ['JWT <access token>', 'JWT {token}'],
  ['Value: your <token>', '{token}'],
  ['Your <api key>', '{token}'],
  ['Your key', '{token}'],
] as const) {
  test(`a key in Authorization that is described by ${text} is sent as ${format}`, () => {
    const s = { type: 'apiKey', in: 'header', name: 'Authorization', description: text };
    const document = documentOf({ components: { securitySchemes: { s } } });
    assert.equal(guessAuth(document, 'acme').auth.format, format);
  });
}

test('a credential that is an ordinary header of most operations becomes the way to authenticate', () => {
  const parameters = [{ name: 'X-Auth-Token', in: 'header', required: true }];
  const paths = { '/a': { get: { parameters }, post: { parameters } }, '/b': { get: {} } };
  const { auth } = guessAuth(documentOf({ paths }), 'acme');
  assert.deepEqual(
    { type: auth.type, in: auth.in, name: auth.name },
    { type: 'api_key', in: 'header', name: 'X-Auth-Token' },
  );
});

test('an HTTP scheme of the vendor itself is the word before its credential', () => {
  const s = { type: 'http', scheme: 'X-Matrix' };
  const { auth } = guessAuth(documentOf({ components: { securitySchemes: { s } } }), 'acme');
  assert.deepEqual(
    [auth.type, auth.name, auth.format],
    [...['api_key', 'Authorization', 'X-Matrix {token}']],
  );
  const digest = { type: 'http', scheme: 'digest' };
  const other = documentOf({ components: { securitySchemes: { digest } } });
  assert.equal(guessAuth(other, 'acme').auth.type, 'none');
});

test('the word before a key stands in what operations show, where nothing else tells it', () => {
  const securitySchemes = { s: { type: 'apiKey', in: 'header', name: 'Authorization' } };
  const description = "Send it in the header as 'authorization: Bearer YOUR_API_KEY_HERE'.";
  const paths = { '/a': { get: {} }, '/b': { get: { description } } };
  const told = guessAuth(documentOf({ paths, components: { securitySchemes } }), 'acme');
  assert.equal(told.auth.format, 'Bearer {token}');
  const silent = { '/a': { get: { description: 'Authorization: the caller must own it.' } } };
  const untold = guessAuth(documentOf({ paths: silent, components: { securitySchemes } }), 'acme');
  assert.equal(untold.auth.format, '{token}');
});

test('a credential that is demanded and not described is asked for', () => {
  const document = documentOf({
    security: [{ tokenAuth: [] }],
    paths: { '/a': { get: { responses: {} } } },
  });
  const { auth, note } = guessAuth(document, 'acme');
  assert.equal(auth.type, 'none');
  assert.match(note ?? '', /^the description demands tokenAuth without a word on how it travels/);
});

test('a header of most operations that is called after the vendor is its key, one of another key is not', () => {
  const demanding = (name: string, required = true) => {
    const parameters = [{ name, in: 'header', required, schema: { type: 'string' } }];
    const get = { parameters, responses: {} };
    const paths = { '/a': { get }, '/b': { get }, '/c': { get: { responses: {} } } };
    return guessAuth(documentOf({ paths }), 'acme').auth;
  };
  assert.equal(demanding('X-Acme-Key').name, 'X-Acme-Key');
  assert.equal(demanding('X-Acme-Job-Key').type, 'api_key');
  assert.equal(demanding('X-Acme-Key', false).type, 'none');
  for (const name of ['X-Idempotency-Key', 'X-Partition-Key', 'X-Acme-Upload-Key', 'Cache-Key']) {
    assert.equal(demanding(name).type, 'none', name);
  }
});

test('the word before a key is read of other headers for authorization, too', () => {
  const s = {
    ...{ type: 'apiKey', in: 'header', name: 'X-MT-Authorization' },
    description: 'MTAuth accessToken={accessToken}',
  };
  const { auth } = guessAuth(documentOf({ components: { securitySchemes: { s } } }), 'acme');
  assert.equal(auth.format, 'MTAuth accessToken={token}');
});

for (const [description, told] of [
  ['All requests need an API key. Send it in the `X-Acme-Key` header.', 'api key'],
  ['## Access\nPass your `Authorization` header with each call.', 'authorization header'],
  ['No API key is required.', undefined],
  ['Things are read without an access token.', undefined],
  ['Lists the parts of an API key.', undefined],
] as const) {
  test(`where nothing declares a credential, ${JSON.stringify(description)} tells of ${told}`, () => {
    const info = { title: 'X', version: '1', description };
    const { auth, note } = guessAuth(documentOf({ info, paths: { '/a': { get: {} } } }), 'acme');
    assert.equal(auth.type, 'none');
    assert.equal(note?.includes(`(${told})`), told === undefined ? undefined : true);
  });
}

test('one operation that speaks of a key tells of none, most of them do', () => {
  const said = { get: { description: 'Send your access token in the header.' } };
  const of = (paths: object) => guessAuth(documentOf({ paths }), 'acme').note;
  assert.equal(of({ '/a': said, '/b': { get: {} }, '/c': { get: {} } }), undefined);
  assert.match(of({ '/a': said, '/b': said, '/c': { get: {} } }) ?? '', /\(access token\)/);
});
