import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from '../workplace.ts';

const folder = 'specs/providers/acme';

const json = (schema: object = { type: 'object', properties: { id: {} } }) => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
});

function describe(paths: object, more: object = {}): string {
  const info = { title: 'Acme', version: '1' };
  const servers = [{ url: 'https://api.acme.example' }];
  return JSON.stringify({ openapi: '3.0.3', info, servers, paths, ...more });
}

test('signs of life, descriptions of itself and the forms of people stay off, and it is said why', async (t) => {
  const place = createWorkplace(t);
  const form = (...names: string[]) => ({
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: Object.fromEntries(names.map((name) => [name, {}])),
          },
        },
      },
    },
    ...json(),
  });
  const text = describe({
    '/things': { get: json({ type: 'array', items: {} }), post: form('name') },
    '/tokens': { post: form('name') },
    '/health-check': { get: json() },
    '/servers/e0ae4902-0000-4000-8000-00000000c0de/console': { get: json() },
    '/swagger.json': { get: json() },
    '/auth/login/': { post: form('username', 'password') },
    '/token/': { post: form('username', 'password') },
    '/token/renew/': { post: form('refresh') },
    '/token/verify/': { post: form('token') },
    '/end_user_authentications': { post: form('username', 'password') },
    '/partner-auth/google': { post: { ...form('id'), summary: 'Sign in with Google' } },
    '/otp/send': { post: form('phone') },
    '/auth/verify-email-of-user': { post: form('code') },
    '/authors/verify': { post: form('name') },
    '/Authentication/RefreshToken': { post: form('value') },
    '/login': { get: json() },
    '/keys/accessKeyLogin': { get: { ...json(), summary: 'Get an access token by a key' } },
    '/settings/email-login': { get: { ...json(), summary: 'Get the settings of e-mail login' } },
    '/own/api': { get: { ...json(), summary: 'The OpenAPI definition as JSON' } },
    '/api-keys': { post: form('name') },
    '/users/{id}/access-tokens': { post: form('name') },
    // What is made of a thing by this name is no form of a person.
    '/sign_in_tokens': { post: { ...form('user'), summary: 'Create a sign-in token' } },
  });
  place.write('forms.json', text);
  assert.equal((await place.run('add', 'acme', '--openapi', 'forms.json')).code, 0);
  const curation = place.read(`${folder}/curation.yaml`);
  const on = (curation.match(/^ {2}- name: \w+/gm) ?? []).map((line) => line.slice(10));
  assert.deepEqual(on.toSorted(), [
    ...['acme_authors_verify', 'acme_settings_email_login_get'],
    ...['acme_sign_in_tokens_create', 'acme_things_create'],
    ...['acme_things_list', 'acme_tokens_create'],
  ]);
  for (const said of [
    /# - name: acme_health_check_get # review: it says no more than that a service is up$/m,
    /# - name: acme_\w+ # review: its path holds the id of somebody, as an example/m,
    /# - name: acme_swagger_get # review: it gives the description itself$/m,
    /# - name: acme_auth_login # review: it is how people log in: set the credential of this/m,
    /# - name: acme_own\w* # review: it gives the description itself$/m,
    /# - name: acme_auth_\w+ # review: it is how people log in/m,
    /# - name: acme_api_keys_create # review: it makes a credential, which agents would see/m,
    /# - name: acme_users_access_tokens_create # review: it makes a credential/m,
    /# - name: acme_token_renew # review: it is how people log in/m,
  ]) {
    assert.match(curation, said);
  }
});

test('where next to no read says what it answers, those are on that its users need most', async (t) => {
  const place = createWorkplace(t);
  const ok = { responses: { 200: { description: 'ok' } } };
  const things = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => `${letter}things`);
  const paths = Object.fromEntries(
    things.flatMap((thing) => [
      [`/${thing}`, { get: ok, post: ok }],
      [`/${thing}/{id}`, { get: ok, delete: ok }],
    ]),
  );
  place.write('untyped.json', describe(paths));
  const { code, out } = await place.run('add', 'acme', '--openapi', 'untyped.json');
  assert.equal(code, 0);
  assert.match(out, /20 of 28 operations are switched on/);
  assert.doesNotMatch(place.read(`${folder}/curation.yaml`), /no read that answers JSON/);
});

test('a scheme that is not declared is the only one that is', async (t) => {
  const place = createWorkplace(t);
  const securitySchemes = { key: { type: 'apiKey', in: 'cookie', name: 'sid' } };
  const text = describe(
    { '/things': { get: { ...json(), security: [{ 'read things': [] }] } } },
    { components: { securitySchemes } },
  );
  place.write('roles.json', text);
  assert.equal((await place.run('add', 'acme', '--openapi', 'roles.json')).code, 0);
  const curation = place.read(`${folder}/curation.yaml`);
  assert.match(curation, /^auth: \[ \{ type: api_key, in: cookie, name: sid,/m);
  assert.match(curation, /^ {2}- name: acme_things_get$/m);
});

test('a bound of a filter is no position in a list, and several values have another name than one', async (t) => {
  const place = createWorkplace(t);
  const query = (name: string, type = 'string') => ({ name, in: 'query', schema: { type } });
  const next = { next: { type: 'string', format: 'uri' }, results: { type: 'array', items: {} } };
  const list = { type: 'object', properties: next };
  const text = describe({
    '/things': {
      get: {
        ...json(list),
        parameters: [query('page', 'integer'), query('made[after]'), query('tag'), query('tag[]')],
      },
    },
    '/events': {
      get: {
        ...json({ type: 'array', items: {} }),
        parameters: [query('after', 'number'), query('before', 'number')],
      },
    },
  });
  place.write('filters.json', text);
  assert.equal((await place.run('add', 'acme', '--openapi', 'filters.json')).code, 0);
  const curation = place.read(`${folder}/curation.yaml`);
  assert.match(
    curation,
    /hide: \[ page \], rename: \{ "made\[after\]": made_after, "tag\[\]": tag_list \}/,
  );
  assert.doesNotMatch(curation, /cursor: after/);
});

test('what demands a credential in its body, or a signature of each request, stays off', async (t) => {
  const place = createWorkplace(t);
  const body = (properties: object, required: readonly string[]) => ({
    requestBody: {
      content: { 'application/json': { schema: { type: 'object', properties, required } } },
    },
    ...json(),
  });
  const text = { type: 'string' };
  const registry = {
    type: 'object',
    properties: { access_secret: text },
    required: ['access_secret'],
  };
  const paths = {
    '/things': { get: json({ type: 'array', items: {} }), post: body({ name: text }, ['name']) },
    '/reports': { post: body({ api_key: text, name: text }, ['api_key', 'name']) },
    '/registries': { post: body({ credential: registry }, ['credential']) },
    '/mirrors': { post: body({ url: text, pin: { ...text, format: 'password' } }, ['url', 'pin']) },
    '/carriers': { post: body({ name: text, credentials: {} }, ['name', 'credentials']) },
    '/proofs': { post: body({ credentials: { type: 'array' } }, ['credentials']) },
    '/notes': { post: body({ password: text, name: text }, ['name']) },
    '/rules': { post: body({ has_password: text, token: text }, ['has_password', 'token']) },
    '/orders': {
      get: {
        parameters: [{ name: 'X-Signature', in: 'header', required: true, schema: text }],
        ...json(),
      },
    },
  };
  place.write('secrets.json', describe(paths));
  assert.equal((await place.run('add', 'acme', '--openapi', 'secrets.json')).code, 0);
  const curation = place.read(`${folder}/curation.yaml`);
  const on = (curation.match(/^ {2}- name: \w+/gm) ?? []).map((line) => line.slice(10));
  assert.deepEqual(on.toSorted(), [
    'acme_notes_create',
    'acme_proofs_create',
    'acme_rules_create',
    'acme_things_create',
    'acme_things_list',
  ]);
  for (const name of ['api_key', 'access_secret', 'credentials', 'pin']) {
    assert.ok(curation.includes(`its body demands a credential ("${name}")`), name);
  }
  assert.match(curation, /header "X-Signature" is worked out from each request/);
});
