import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { guessAuth } from '../../../../generator/provider/guess/guess-auth.ts';
import { guessOwnAuth } from '../../../../generator/provider/guess/own-auth.ts';
import { answer, documentOf, list } from './described.ts';

test('keys that are demanded together travel together, each from a variable of its own', () => {
  const key = (name: string) => ({ type: 'apiKey', in: 'header', name });
  const securitySchemes = { app: key('ACME-APP-KEY'), secret: key('X-Secret'), other: key('K') };
  const security = [{ secret: [], app: [] }];
  const paths = {
    '/a': { get: { security }, put: { security } },
    '/b': { get: { security: [{ app: [] }] } },
  };
  const { auth, headers } = guessAuth(
    documentOf({ paths, components: { securitySchemes } }),
    'acme',
  );
  assert.equal(auth.name, 'ACME-APP-KEY');
  assert.deepEqual(headers, { 'X-Secret': '{env:SERVICE_ACME_SECRET}' });
});

test('of schemes demanded together, what a request can carry is sent, and a person is told', () => {
  const key = { type: 'apiKey', in: 'header', name: 'Authorization' };
  const securitySchemes = {
    key,
    token: { type: 'http', scheme: 'bearer' },
    certificate: { type: 'mutualTLS' },
  };
  const authOf = (...names: string[]) => {
    const security = [Object.fromEntries(names.map((name) => [name, []]))];
    const paths = { '/a': { get: { responses: {} } } };
    return guessAuth(documentOf({ components: { securitySchemes }, security, paths }), 'x');
  };
  // One header has one value (RFC 9110 section 11.6.2).
  const both = authOf('key', 'token');
  assert.deepEqual(
    [both.auth.type, both.headers, both.schemes],
    [...['bearer', undefined, ['key', 'token']]],
  );
  assert.match(both.review, /^the description wants key and token together, of which only some/);
  const certified = authOf('certificate', 'token');
  assert.equal(certified.auth.type, 'bearer');
  assert.match(certified.review, /wants certificate and token together/);
});

test('an optional key in the parameters becomes an optional credential; whose it is comes with it', () => {
  const header = (name: string, required: boolean) => ({
    name,
    in: 'header',
    required,
    schema: {},
  });
  const of = (...parameters: object[]) => documentOf({ paths: { '/a': { get: { parameters } } } });
  const { auth } = guessAuth(of(header('xi-api-key', false)), 'acme');
  assert.deepEqual([auth.name, auth.required], ['xi-api-key', false]);
  const { headers } = guessAuth(
    of(header('X-Auth-Token', true), header('X-User-Id', true)),
    'acme',
  );
  assert.deepEqual(headers, { 'X-User-Id': '{env:SERVICE_ACME_USER_ID}' });
});

test('operations that do not take the usual credential name their own, and the others', () => {
  const responses = { 200: { description: 'ok' } };
  const get = (security?: object[]) => ({ get: { responses, ...(security && { security }) } });
  const document = documentOf({
    security: [{ userToken: [] }],
    components: {
      securitySchemes: {
        userToken: { type: 'http', scheme: 'bearer' },
        appToken: { type: 'http', scheme: 'bearer' },
        adminKey: { type: 'apiKey', in: 'query', name: 'admin' },
        'X-Admin': { type: 'apiKey', in: 'header', name: 'X-Admin' },
      },
    },
    paths: {
      '/a': get(),
      '/b': get(),
      '/free': get([]),
      '/either': get([{ adminKey: [] }, {}]),
      '/app': get([{ appToken: [] }]),
      '/admin': get([{ adminKey: [] }, { 'X-Admin': [] }]),
    },
  });
  const own = guessOwnAuth(document, 'acme', guessAuth(document, 'acme'));
  const taken = new ApiOperations(document).all.map((each) => [each.path, own.of(each)]);
  assert.deepEqual(
    taken.filter(([, auth]) => auth !== undefined),
    [
      ['/free', { auth: ['none'] }],
      ['/either', { auth: ['admin_key', 'none'] }],
      ['/app', { auth: ['app_token'] }],
      ['/admin', { auth: ['x_admin'], review: 'it also takes adminKey' }],
    ],
  );
  const key = { type: 'api_key', in: 'header', name: 'X-Admin', format: '{token}' };
  assert.deepEqual(own.entries, [
    {
      ...{ id: 'admin_key', ...key, in: 'query', name: 'admin' },
      ...{ env: ['SERVICE_ACME_ADMIN_KEY'], required: true, default: false },
    },
    {
      ...{ id: 'app_token', type: 'bearer', required: true, default: false },
      // It travels as the usual one, which may well be good for both.
      env: ['SERVICE_ACME_APP_TOKEN', 'SERVICE_ACME_TOKEN'],
    },
    { id: 'x_admin', ...key, env: ['SERVICE_ACME_ADMIN'], required: true, default: false },
  ]);
});

/** A description of operations with the given `security`, of which two schemes are known. */
function securedBy(demands: readonly unknown[], root: unknown = [{ main: [] }]) {
  const bearer = { type: 'http', scheme: 'bearer' };
  const partner = { type: 'apiKey', in: 'header', name: 'X-Partner' };
  const paths = demands.map((security, index) => [
    `/things${index}`,
    { get: { ...(security !== undefined && { security }), responses: answer(list) } },
  ]);
  const document = documentOf({
    components: { securitySchemes: { main: bearer, partner } },
    security: root,
    paths: Object.fromEntries(paths),
  });
  const usual = guessAuth(document, 'acme');
  const own = guessOwnAuth(document, 'acme', usual);
  const taken = new ApiOperations(document).all.map((each) => own.of(each)?.auth);
  return { usual, taken, entries: own.entries };
}

test('what an operation says of itself decides whether a credential goes out (OpenAPI 3.1, security)', () => {
  const { taken } = securedBy([undefined, undefined, [], [{}], [{}, { partner: [] }]]);
  assert.deepEqual(taken, [undefined, undefined, ['none'], ['none'], ['partner', 'none']]);
});

test('an operation that also works without the usual credential says so', () => {
  const { taken, entries } = securedBy([undefined, [{}, { main: [] }]]);
  assert.deepEqual(taken, [undefined, ['main', 'none']]);
  assert.deepEqual(
    entries.map(({ id, env, default: isUsual }) => [id, env, isUsual]),
    [['main', ['SERVICE_ACME_TOKEN'], false]],
  );
});

test('a credential that every operation lets be left out is not required', () => {
  const { usual, taken } = securedBy([undefined, undefined], [{}, { main: [] }]);
  assert.equal(usual.auth.required, false);
  assert.match(usual.review, /the description lets it be left out/);
  assert.deepEqual(taken, [undefined, undefined]);
});

test('an operation with a parameter that is a credential by its name is not public', () => {
  const document = documentOf({
    components: { securitySchemes: { main: { type: 'http', scheme: 'bearer' } } },
    security: [{ main: [] }],
    paths: {
      '/things': {
        get: {
          security: [],
          parameters: [{ name: 'X-Api-Key', in: 'header', schema: { type: 'string' } }],
          responses: answer(list),
        },
      },
    },
  });
  const own = guessOwnAuth(document, 'acme', guessAuth(document, 'acme'));
  assert.deepEqual(
    new ApiOperations(document).all.map((each) => own.of(each)),
    [undefined],
  );
});

const key = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } });

/** What the operations of a description take, by their paths, and the entries for that. */
function ownOf(parts: object) {
  const document = documentOf(parts);
  const guessed = guessAuth(document, 'acme');
  const own = guessOwnAuth(document, 'acme', guessed);
  const { all } = new ApiOperations(document);
  const taken = Object.fromEntries(all.map((each) => [each.path, own.of(each)?.auth]));
  return { guessed, taken, entries: own.entries, unsent: all.map((each) => own.unsent(each)) };
}

test('a required header that is a credential by its name is one for the operations that have it', () => {
  const get = (...parameters: object[]) => ({ get: { parameters, responses: answer(list) } });
  const { guessed, taken, entries } = ownOf({
    paths: {
      '/free': get(),
      '/news': get(),
      '/mine': get({ ...key('Authorization'), schema: { type: 'string', example: 'Token abc' } }),
      '/fleet': get(key('X-Auth-Token')),
      '/board': get(key('X-Authorization')),
      '/inbox': get({ ...key('JSESSIONID'), in: 'cookie' }),
    },
  });
  assert.equal(guessed.auth.type, 'none');
  assert.deepEqual(taken, {
    '/free': undefined,
    '/news': undefined,
    '/mine': ['authorization'],
    '/fleet': ['x_auth_token'],
    '/board': ['x_authorization'],
    '/inbox': ['jsessionid'],
  });
  assert.deepEqual(
    entries.map(({ in: place, name, format, env }) => [place, name, format, env?.[0]]),
    [
      ['header', 'Authorization', 'Token {token}', 'SERVICE_ACME_AUTHORIZATION'],
      ['header', 'X-Auth-Token', '{token}', 'SERVICE_ACME_AUTH_TOKEN'],
      ['header', 'X-Authorization', '{token}', 'SERVICE_ACME_AUTHORIZATION_2'],
      ['cookie', 'JSESSIONID', '{token}', 'SERVICE_ACME_JSESSIONID'],
    ],
  );
});

for (const [schema, expected] of [
  [{ pattern: '^Bearer .+$' }, ['api_key', 'Bearer {token}']],
  [{ pattern: '^Basic\\s+\\S+$' }, ['basic', '{token}']],
  [{ default: 'ApiKey {key}' }, ['api_key', 'ApiKey {token}']],
  [{ description: 'Basic auth of the account' }, ['basic', '{token}']],
  [{ description: 'OAuth 2.0 bearer access token' }, ['api_key', 'Bearer {token}']],
  [{ description: 'The key' }, ['api_key', '{token}']],
] as const) {
  test(`an Authorization that is told as ${JSON.stringify(schema)} is sent as ${expected}`, () => {
    const parameters = [{ ...key('Authorization'), schema }];
    const { entries } = ownOf({ paths: { '/a': { get: { parameters } }, '/b': { get: {} } } });
    assert.deepEqual(
      entries.map(({ type, format }) => [type, format]),
      [expected],
    );
  });
}

test('a key that one operation demands beside the usual credential goes with that operation alone', () => {
  const get = (security?: object[], ...parameters: object[]) => ({
    get: { ...(security && { security }), parameters, responses: answer(list) },
  });
  const { guessed, taken, entries, unsent } = ownOf({
    security: [{ user: [] }],
    components: {
      securitySchemes: {
        user: { type: 'http', scheme: 'bearer' },
        device: { type: 'apiKey', in: 'header', name: 'X-Device-Key' },
        signature: { type: 'http', scheme: 'digest' },
      },
    },
    paths: {
      '/a': get(),
      '/b': get(),
      '/both': get([{ user: [], device: [] }]),
      '/signed': get([{ user: [], signature: [] }]),
    },
  });
  assert.deepEqual([guessed.auth.type, guessed.headers], ['bearer', undefined]);
  assert.deepEqual(taken, {
    ...{ '/a': undefined, '/b': undefined, '/both': ['device_user'], '/signed': undefined },
  });
  assert.deepEqual(entries, [
    {
      ...{ id: 'device_user', type: 'bearer', env: ['SERVICE_ACME_TOKEN'], required: true },
      headers: { 'X-Device-Key': '{env:SERVICE_ACME_DEVICE_KEY}' },
      default: false,
    },
  ]);
  assert.deepEqual(unsent, [
    undefined,
    undefined,
    undefined,
    'signature and user, which tools cannot send',
  ]);
});

const bearer = { type: 'http', scheme: 'bearer' };

test('what is worked out from each request, or got for it, is sent by no tool, and an operation that wants it says so', () => {
  const signed = [
    {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      'x-amazon-apigateway-authtype': 'awsSigv4',
    },
    { type: 'apiKey', in: 'header', name: 'X-Acme-Signature' },
    { type: 'apiKey', in: 'header', name: 'X-Sign', description: 'HMAC-SHA256 of the body' },
    { type: 'apiKey', in: 'header', name: 'X-Sign', description: 'A SHA-1 hash of key and time' },
    { type: 'http', scheme: 'hmac-sha256' },
    { ...bearer, description: 'Upload token, issued by POST /uploads' },
    { type: 'apiKey', in: 'header', name: 'X-Upload-Ticket', description: 'One-time ticket.' },
  ];
  for (const scheme of signed) {
    const { guessed, unsent } = ownOf({
      components: { securitySchemes: { signed: scheme } },
      security: [{ signed: [] }],
      paths: { '/a': { get: { responses: answer(list) } } },
    });
    assert.equal(guessed.auth.type, 'none');
    assert.match(guessed.review, /names signed, which tools cannot send/);
    assert.deepEqual(unsent, ['signed, which tools cannot send']);
  }
});

test('a key is no signature for what its text says of another header', () => {
  const description = 'Sent as it is; x-user-hash is HMAC-SHA256 of the user.';
  const key = { type: 'apiKey', in: 'header', name: 'x-api-key', description };
  const { guessed, unsent } = ownOf({
    components: { securitySchemes: { key } },
    security: [{ key: [] }],
    paths: { '/a': { get: { responses: answer(list) } } },
  });
  assert.equal(guessed.auth.name, 'x-api-key');
  assert.deepEqual(unsent, [undefined]);
});

test('a token for all uploads of a repository is a credential like any other', () => {
  const token = { ...bearer, description: 'The upload token of the settings of a repository.' };
  const { guessed } = ownOf({ components: { securitySchemes: { token } } });
  assert.equal(guessed.auth.type, 'bearer');
});

test('whoever sets a token that no person fetches is told where it comes from', () => {
  const review = (flows: object) => {
    const securitySchemes = { oauth: { type: 'oauth2', flows } };
    return guessAuth(documentOf({ components: { securitySchemes } }), 'acme').review;
  };
  const flow = { tokenUrl: 'https://me:pw@acme.example/token?key=1', scopes: {} };
  assert.match(
    review({ clientCredentials: flow }),
    /^SERVICE_ACME_TOKEN holds an access token, .* at https:\/\/acme\.example\/token with your client id and secret/,
  );
  assert.match(review({ password: flow }), /with a user and password/);
  assert.match(review({ authorizationCode: flow, clientCredentials: flow }), /^how the credential/);
});

test('a header that is signed or got for each request is none that a text can carry (RFC 9421)', () => {
  const parameters = (schema: object) => [
    { name: 'Authorization', in: 'header', required: true, schema: { type: 'string', ...schema } },
  ];
  for (const schema of [
    { pattern: '^Signature keyId="[^"]+",headers="[^"]+",signature="[A-Za-z0-9+/=]+"$' },
    { description: 'HTTP Signature of the request' },
    { description: 'The upload token that createUpload returned' },
  ]) {
    const get = { parameters: parameters(schema), responses: {} };
    const document = documentOf({ paths: { '/a': { get }, '/b': { get } } });
    const guessed = guessAuth(document, 'x');
    assert.equal(guessed.auth.type, 'none');
    assert.match(
      guessed.review,
      /names Authorization, which tools cannot send: put a proxy that signs/,
    );
    const own = guessOwnAuth(document, 'x', guessed);
    const [operation] = new ApiOperations(document).all;
    assert.ok(operation);
    assert.equal(own.unsent(operation), 'Authorization, which tools cannot send');
    assert.deepEqual(own.entries, []);
  }
});

/** Operations of which some have a header, as frameworks write down what handlers read. */
function handlersReading(header: string, taken: readonly boolean[], required = false) {
  const parameters = [{ ...key(header), required }];
  const paths = Object.fromEntries(
    taken.map((has, index) => [
      `/things${index}`,
      { get: { ...(has && { parameters }), responses: answer(list) } },
    ]),
  );
  return guessAuth(documentOf({ paths }), 'acme');
}

test('a header that few operations read is the credential where nothing else is', () => {
  const { auth, note = '' } = handlersReading('Authorization', [true, true, false, false, false]);
  assert.deepEqual(
    [auth.type, auth.in, auth.name, auth.required],
    ['api_key', 'header', 'Authorization', false],
  );
  assert.match(note, /; the description lets it be left out; 2 of 5 operations name it$/);
});

const without: readonly (readonly [string, string, readonly boolean[], boolean])[] = [
  ['of one operation', 'Authorization', [true, false, false, false], false],
  ['of another name', 'X-Trace', [true, true, false, false, false], false],
  ['that few demand, which is theirs,', 'X-Api-Key', [true, true, false, false, false], true],
];
for (const [what, header, taken, required] of without) {
  test(`a header ${what} is no credential of all`, () => {
    assert.equal(handlersReading(header, taken, required).auth.type, 'none');
  });
}
