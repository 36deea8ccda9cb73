import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import type { ProviderAuth } from '#contract/provider';
import { problemsOf } from '../../../../runtime/outbound/provider-settings.ts';
import { callContext, caller, testOutbound, testProvider, testTool } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';
import { bearer, key } from './schemes.ts';

const cases: readonly (readonly [string, readonly ProviderAuth[], object, object])[] = [
  ['a bearer token', [bearer], { ALIAS: 'abcdef' }, { authorization: 'Bearer abcdef' }],
  ['a key in a header', [key], { ACME_KEY: 'abcdef' }, { 'x-key': 'Key abcdef' }],
  [
    'a key in a cookie',
    [{ ...key, in: 'cookie', name: 'sid', format: '{token}' }],
    { ACME_KEY: 'abcdef' },
    { cookie: 'sid=abcdef' },
  ],
  [
    'Basic with an empty password',
    [{ type: 'basic', format: '{token}:', env: ['ACME_KEY'], required: true }],
    { ACME_KEY: 'abcdef' },
    { authorization: `Basic ${Buffer.from('abcdef:').toString('base64')}` },
  ],
  [
    'Basic with a user from another variable',
    [{ type: 'basic', format: '{env:ACME_USER}:{token}', env: ['ACME_KEY'], required: true }],
    { ACME_KEY: 'abcdef', ACME_USER: 'jo' },
    { authorization: `Basic ${Buffer.from('jo:abcdef').toString('base64')}` },
  ],
  [
    'the first scheme that is set',
    [bearer, key],
    { ACME_KEY: 'abcdef', ACME_TOKEN: ' ' },
    { 'x-key': 'Key abcdef', authorization: undefined },
  ],
];

for (const [name, auth, env, expected] of cases) {
  test(`${name} travels as the provider wants it`, async (t) => {
    const upstream = await startUpstream(t, (response) => sendJson(response, {}));
    await caller(t, upstream.url, {
      provider: { auth },
      options: { env: { ...env } as Record<string, string> },
    }).call();
    const headers = upstream.seen[0]?.headers ?? {};
    for (const [header, value] of Object.entries(expected)) assert.equal(headers[header], value);
  });
}

test('a key that its scheme demands with a credential goes with it, and both have to be set', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const both = {
    ...bearer,
    headers: { 'X-App': '{env:ACME_APP}' },
    query: { k: '{env:ACME_KEY}' },
  };
  const call = (env: Record<string, string>, auth: readonly ProviderAuth[] = [both]) =>
    caller(t, upstream.url, { provider: { auth }, options: { env } });
  const env = { ACME_TOKEN: 'abcdef', ACME_APP: 'an-app', ACME_KEY: 'a-key' };
  await call(env).call();
  const { headers = {}, url = '' } = upstream.seen[0] ?? {};
  assert.deepEqual([headers['x-app'], headers.authorization], ['an-app', 'Bearer abcdef']);
  assert.equal(new URL(url, 'http://x').searchParams.get('k'), 'a-key');
  const { code, message } = await call({ ...env, ACME_APP: '' }).failure();
  assert.equal(code, 'missing_credential');
  assert.match(message, /ACME_APP/);
  // With another scheme it stays here.
  await call({ ...env, ACME_KEY: 'abc' }, [{ ...key, env: ['ACME_KEY'] }, both]).call();
  assert.equal(upstream.seen[1]?.headers['x-app'], undefined);
});

test('a credential comes from a file, trimmed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'credential-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'token');
  writeFileSync(file, 'from-a-file\n');
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  await caller(t, upstream.url, {
    provider: { auth: [bearer] },
    options: { env: { ACME_TOKEN_FILE: file } },
  }).call();
  assert.equal(upstream.seen[0]?.headers.authorization, 'Bearer from-a-file');
});

test('a file that cannot be read is missing_credential without its path', async (t) => {
  const options = { env: { ACME_TOKEN_FILE: '/nowhere/secret-folder/token' } };
  const provider = { auth: [bearer] };
  const error = await caller(t, 'http://127.0.0.1:1', { provider, options }).failure();
  assert.equal(error.code, 'missing_credential');
  assert.match(error.message, /ACME_TOKEN_FILE/);
  assert.doesNotMatch(error.message, /secret-folder/);
  const outbound = testOutbound(t, options);
  assert.equal(outbound.credential(testProvider('http://127.0.0.1:1', provider)), 'missing');
});

const given: readonly (readonly [unknown, ProviderAuth, object])[] = [
  ['plain', bearer, { authorization: 'Bearer plain' }],
  ['plain', key, { 'x-key': 'Key plain' }],
  ['Token t0', key, { authorization: 'Token t0', 'x-key': undefined }],
  ['Basic dTpw', bearer, { authorization: 'Basic dTpw' }],
  ['plain', { type: 'none' }, { authorization: 'Bearer plain' }],
  [
    { 'X-One': '1', 'X-Two': '2' },
    bearer,
    { 'x-one': '1', 'x-two': '2', authorization: undefined },
  ],
];

for (const [entry, auth, expected] of given) {
  test(`SERVICE_PROVIDER_AUTH_JSON ${JSON.stringify(entry)} goes over ${auth.type} variables`, async (t) => {
    const upstream = await startUpstream(t, (response) => sendJson(response, {}));
    const env = { ACME_TOKEN: 'other', ACME_KEY: 'other' };
    const options = { env, authJson: { acme: entry, somebody: 'else' } };
    await caller(t, upstream.url, { provider: { auth: [auth] }, options }).call();
    const headers = upstream.seen[0]?.headers ?? {};
    for (const [header, value] of Object.entries(expected)) assert.equal(headers[header], value);
  });
}

test('an entry may name variables, and says which one is not set', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const call = (entry: unknown, env: Readonly<Record<string, string>>) =>
    caller(t, upstream.url, {
      provider: { auth: [bearer] },
      options: { env, authJson: { acme: entry } },
    });
  await call('{env:OTHER}', { OTHER: 't1' }).call();
  await call({ 'X-Key': 'Key {env:OTHER}', 'X-Braces': '{"a"}' }, { OTHER: 't2' }).call();
  assert.equal(upstream.seen[0]?.headers.authorization, 'Bearer t1');
  assert.equal(upstream.seen[1]?.headers['x-key'], 'Key t2');
  assert.equal(upstream.seen[1]?.headers['x-braces'], '{"a"}');
  for (const entry of ['{env:OTHER}', { 'X-Key': '{env:OTHER}' }]) {
    const error = await call(entry, {}).failure();
    assert.equal(error.code, 'missing_credential');
    assert.match(
      error.message,
      /entry in SERVICE_PROVIDER_AUTH_JSON names \{env:OTHER\}, which is/,
    );
  }
});

test('a second key that a vendor demands comes from its variable, or from the headers of the entry', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, { told: 'second-key-of-acme-1' }),
  );
  const headers = { 'X-Second': '{env:ACME_SECOND_KEY}' };
  const call = (entry: unknown, env: Readonly<Record<string, string>> = {}) =>
    caller(t, upstream.url, {
      provider: { auth: [bearer], headers },
      options: { env, authJson: { acme: entry } },
    });
  const error = await call('first').failure();
  assert.equal(error.code, 'missing_credential');
  assert.match(error.message, /ACME_SECOND_KEY/);
  assert.equal(upstream.seen.length, 0);
  const { content } = await call('first', { ACME_SECOND_KEY: 'second-key-of-acme-1' }).call();
  assert.equal(upstream.seen[0]?.headers['x-second'], 'second-key-of-acme-1');
  assert.doesNotMatch(
    JSON.stringify(content),
    /second-key-of-acme-1/,
    'it is as secret as the first',
  );
  await call({ 'X-First': 'first', 'x-second': 'of the entry' }).call();
  assert.equal(upstream.seen[1]?.headers['x-second'], 'of the entry');
});

test('an entry that is neither text nor headers is missing_credential', async (t) => {
  for (const entry of [7, '', { a: 1 }, { 'bad name': 'x' }, { a: 'line\nbreak' }, null]) {
    const { failure } = caller(t, 'http://127.0.0.1:1', {
      provider: { auth: [bearer] },
      options: { authJson: { acme: entry } },
    });
    const error = await failure();
    assert.equal(error.code, 'missing_credential', JSON.stringify(entry));
  }
});

test('a credential that a header cannot carry is refused without being shown', async (t) => {
  const setting = {
    provider: { auth: [bearer] },
    options: { env: { ACME_TOKEN: 'a\r\nX-Evil: 1' } },
  };
  const error = await caller(t, 'http://127.0.0.1:1', setting).failure();
  assert.equal(error.code, 'missing_credential');
  assert.doesNotMatch(error.message, /Evil/);
});

test('a required credential that is not set is missing_credential and names its variables', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const { failure } = caller(t, upstream.url, { provider: { auth: [bearer] } });
  const error = await failure();
  assert.equal(error.code, 'missing_credential');
  assert.match(error.message, /ACME_TOKEN or ALIAS/);
  assert.equal(upstream.seen.length, 0);
});

test('credential() tells apart none, set and missing', (t) => {
  const outbound = testOutbound(t, { env: { ACME_KEY: 'abcdef' } });
  const state = (id: string, auth: readonly ProviderAuth[]) =>
    outbound.credential(testProvider('http://127.0.0.1:1', { id, auth }));
  assert.equal(state('a', [{ type: 'none' }]), 'none');
  assert.equal(state('b', []), 'none');
  assert.equal(state('c', [bearer]), 'missing');
  assert.equal(state('d', [{ ...bearer, required: false }]), 'none');
  assert.equal(state('e', [{ type: 'none' }, bearer]), 'none');
  assert.equal(state('f', [key]), 'set');
  assert.equal(state('g', [bearer, key]), 'set');
});

test('a credential goes to its own provider only', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const outbound = testOutbound(t, { env: { ACME_KEY: 'abcdef' }, authJson: { acme: 'abcdef' } });
  const other = testProvider(upstream.url, { id: 'other', auth: [{ ...bearer, required: false }] });
  await outbound.tool(other, testTool()).call({}, callContext());
  assert.equal(upstream.seen[0]?.headers.authorization, undefined);
});

test('an optional credential is spent only for callers that hold a scope of its provider', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const inQuery: ProviderAuth = { ...key, in: 'query', name: 'key', format: '{token}' };
  const { call } = caller(t, upstream.url, {
    provider: { auth: [{ type: 'none' }, { ...inQuery, required: false }] },
    tool: { cache: { ttlMs: 60_000 } },
    options: { env: { ACME_KEY: 'abcdef' } },
  });
  const scopes = [
    'all',
    new Set(['mcp.tools', 'provider:acme:read']),
    new Set(['mcp.tools', 'provider:acme:write']),
    new Set(['mcp.tools', 'provider:other:read']),
    new Set(['mcp.tools']),
  ] as const;
  for (const held of scopes) {
    const context = callContext();
    await call({}, { ...context, caller: { ...context.caller, scopes: held } });
  }
  const sent = upstream.seen.map(({ url }) => url);
  assert.deepEqual(sent, ['/things?key=abcdef', '/things'], 'each is cached for its own callers');
});

test('what has to come with a credential is set too, or the call goes nowhere', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, { told: 'secret-of-the-app' }),
  );
  const provider = {
    auth: [key],
    headers: { 'X-App-Key': '{env:ACME_APP_KEY}', 'X-Mail': '{env:SERVICE_CONTACT}' },
    query: { shop: '{env:ACME_SHOP}' },
  };
  const at = (env: Record<string, string>) =>
    caller(t, upstream.url, { provider, options: { env } });
  const alone = await at({ ACME_KEY: 'abcdef', ACME_SHOP: 'blue' }).failure();
  assert.equal(alone.code, 'missing_credential');
  assert.match(alone.message, /needs a credential: set ACME_APP_KEY$/);
  const nothing = await at({}).failure();
  assert.match(nothing.message, /set ACME_KEY and ACME_APP_KEY and ACME_SHOP$/);
  assert.equal(upstream.seen.length, 0);
  const all = { ACME_KEY: 'abcdef', ACME_SHOP: 'blue', ACME_APP_KEY: 'secret-of-the-app' };
  assert.doesNotMatch(JSON.stringify(await at(all).data()), /secret-of-the-app/);
  assert.equal(upstream.seen[0]?.headers['x-app-key'], 'secret-of-the-app');
  assert.equal(upstream.seen[0]?.url, '/things?shop=blue');
});

test('what is sent as Basic has a colon (RFC 7617, section 2)', async (t) => {
  const basic: ProviderAuth = {
    ...{ type: 'basic', format: '{token}', env: ['ACME_KEY'], required: true },
  };
  const setting = { provider: { auth: [basic] }, options: { env: { ACME_KEY: 'sk_key123' } } };
  const error = await caller(t, 'http://127.0.0.1:1', setting).failure();
  assert.equal(error.code, 'missing_credential');
  assert.match(error.message, /it has no colon between user and password$/);
  const provider = testProvider('http://127.0.0.1:1', { auth: [basic] });
  const [problem] = problemsOf(provider, { ...setting.options, baseUrls: new Map() });
  assert.equal(problem?.variable, 'ACME_KEY');
  assert.match(problem?.expected ?? '', /^user:password; a key that is the user alone/);
});
