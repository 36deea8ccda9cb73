import assert from 'node:assert/strict';
import test from 'node:test';
import type { SafePath } from '#contract/path';
import type { ServerVariable } from '#contract/provider';
import { locate, resolveServers } from '../../../../runtime/outbound/connection/server-address.ts';
import { caller, testProvider } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

function addressOf(variable: ServerVariable, env: Record<string, string> = {}): string {
  const url = 'https://{region}.acme.example/v1/';
  const provider = testProvider(url, {
    servers: [{ id: 'api', url, variables: { region: variable } }],
  });
  const address = resolveServers(provider, env, undefined).get('api');
  return `${address?.origin}${address?.prefix}`;
}

test('a server variable comes from its default or its environment variable', () => {
  const variable = { env: 'ACME_REGION', default: 'eu', enum: ['eu', 'us'] };
  assert.equal(addressOf(variable), 'https://eu.acme.example/v1');
  assert.equal(addressOf(variable, { ACME_REGION: 'us' }), 'https://us.acme.example/v1');
  assert.equal(addressOf(variable, { ACME_REGION: '' }), 'https://eu.acme.example/v1');
});

test('a server variable outside its enum or pattern is refused', () => {
  const listed = { env: 'ACME_REGION', enum: ['eu', 'us'] };
  assert.throws(
    () => addressOf(listed, { ACME_REGION: 'evil' }),
    /ACME_REGION must be one of eu, us/,
  );
  const shaped = { env: 'ACME_REGION', pattern: '[a-z]+' };
  assert.throws(() => addressOf(shaped, { ACME_REGION: 'a.evil.example/' }), /ACME_REGION must be/);
  assert.throws(() => addressOf(shaped, { ACME_REGION: 'ok\nevil' }), /ACME_REGION must be/);
});

test('a server variable without a rule fills one host label, never more', () => {
  const free = { env: 'ACME_REGION' };
  assert.equal(addressOf(free, { ACME_REGION: 'my-team' }), 'https://my-team.acme.example/v1');
  for (const value of ['a.b', 'evil.example/', 'a@b', 'a:1', '-a', 'a b']) {
    assert.throws(() => addressOf(free, { ACME_REGION: value }), /ACME_REGION must be/, value);
  }
});

test('a server variable without a value names its environment variable', () => {
  assert.throws(() => addressOf({ env: 'ACME_REGION' }), /needs ACME_REGION to be set/);
});

test('SERVICE_PROVIDER_<ID>_URL replaces every server, with its path', () => {
  const provider = testProvider('https://a.example/x', {
    servers: [
      { id: 'a', url: 'https://a.example/x' },
      { id: 'b', url: 'https://{unset}.example', variables: { unset: { env: 'NOT_SET' } } },
    ],
  });
  const expected = { origin: 'http://127.0.0.1:8080', prefix: '/base' };
  const servers = resolveServers(provider, {}, 'http://127.0.0.1:8080/base/');
  assert.deepEqual(
    [...servers],
    [
      ['a', expected],
      ['b', expected],
    ],
  );
  for (const bad of ['ftp://x', 'nothing', 'http://u:p@x', 'http://x?q', 'http://x#f']) {
    assert.throws(() => resolveServers(provider, {}, bad), /server address/, bad);
  }
});

const server = { origin: 'https://api.example.com', prefix: '/v1' };

test('a path cannot leave the prefix of its server (GHSA-vv7q-7jx5-f767)', () => {
  const escapes = [
    '/../admin',
    '/a/../../admin',
    '/%2e%2e/admin',
    '/a/%2E%2e/%2e./admin',
    '/\\..\\..\\admin',
    '.evil/x',
  ];
  for (const path of escapes) {
    assert.throws(() => locate(server, path), /leaves the vendor/, path);
  }
  assert.throws(() => locate({ ...server, prefix: '' }, '@evil.example/'), /leaves the vendor/);
  assert.throws(() => locate(server, '/a#b'), /leaves the vendor/);
});

test('a path inside the prefix is sent as it was checked', async (t) => {
  assert.equal(locate(server, '/a/b?c=d').href, 'https://api.example.com/v1/a/b?c=d');
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const request = () => ({ method: 'GET', path: '/a/./b/../c' as SafePath });
  await caller(t, `${upstream.url}/v1`, { tool: { request } }).call();
  assert.equal(upstream.seen[0]?.url, '/v1/a/c');
});

test('a request goes to the server that it names', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const servers = [
    { id: 'a', url: `${upstream.url}/a` },
    { id: 'b', url: `${upstream.url}/b` },
  ] as const;
  const request = () => ({ method: 'GET', path: '/x' as SafePath, server: 'b' });
  await caller(t, '', { provider: { servers }, tool: { request } }).call();
  assert.equal(upstream.seen[0]?.url, '/b/x');
});
