import assert from 'node:assert/strict';
import test from 'node:test';
import { problemsOf } from '../../../../runtime/outbound/provider-settings.ts';
import { caller, testProvider } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';
import { bearer, key } from './schemes.ts';

const own = { auth: [bearer], schemes: { key } } as const;

test('a tool that takes another credential is sent with that one alone', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const env = { ACME_TOKEN: 'tok_123456', ACME_KEY: 'key_123456' };
  const { call } = caller(t, upstream.url, {
    ...{ provider: own, tool: { auth: ['key'] }, options: { env } },
  });
  await call();
  assert.equal(upstream.seen[0]?.headers['x-key'], 'Key key_123456');
  assert.equal(upstream.seen[0]?.headers.authorization, undefined);
});

test('a tool that takes another credential says which one is not set', async (t) => {
  const { failure } = caller(t, 'http://127.0.0.1:1', {
    ...{ provider: own, tool: { auth: ['key'] }, options: { env: { ACME_TOKEN: 'tok_123456' } } },
  });
  const { code, message } = await failure();
  assert.equal(`${code}: ${message}`, 'missing_credential: Acme needs a credential: set ACME_KEY');
});

test('what is given for all of a provider is for tools that have nothing else, too', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const { call } = caller(t, upstream.url, {
    ...{ provider: own, tool: { auth: ['key'] } },
    options: { env: {}, authJson: { acme: { 'X-All': 'all_123456' } } },
  });
  await call();
  assert.equal(upstream.seen[0]?.headers['x-all'], 'all_123456');
});

test('a credential of single tools that cannot be used is known before the first call', () => {
  const provider = testProvider('https://api.acme.example', own);
  const env = { ACME_TOKEN: 'tok_123456', ACME_KEY: '"key_123456"' };
  assert.deepEqual(
    problemsOf(provider, { env, baseUrls: new Map() }).map(({ variable }) => variable),
    ['ACME_KEY'],
  );
});

test('a public tool is sent without a credential, and without the keys that come with one', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const env = { ACME_TOKEN: 'tok_123456', ACME_APP_KEY: 'app_123456' };
  const constants = { 'X-App-Key': '{env:ACME_APP_KEY}', 'X-Version': '2' };
  const provider = { ...own, headers: constants, query: { app_key: '{env:ACME_APP_KEY}', v: '1' } };
  for (const authJson of [{}, { acme: 'tok_654321' }]) {
    const { call } = caller(t, upstream.url, {
      ...{ provider, tool: { auth: ['none'] }, options: { env, authJson } },
    });
    await call();
  }
  for (const { headers, url } of upstream.seen) {
    assert.equal(headers.authorization, undefined);
    assert.equal(headers['x-app-key'], undefined);
    assert.equal(headers['x-version'], '2');
    assert.equal(url, '/things?v=1');
  }
  assert.equal(upstream.seen.length, 2);
});

test('a tool that also works without a credential is sent with the one that is set', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  for (const env of [{ ACME_TOKEN: 'tok_123456' }, { ACME_KEY: 'key_123456' }]) {
    const { call } = caller(t, upstream.url, {
      ...{ provider: own, tool: { auth: ['key', 'none'] }, options: { env } },
    });
    await call();
  }
  const [without, with_] = upstream.seen.map(({ headers }) => headers);
  assert.deepEqual([without?.authorization, without?.['x-key']], [undefined, undefined]);
  assert.deepEqual([with_?.authorization, with_?.['x-key']], [undefined, 'Key key_123456']);
});
