import assert from 'node:assert/strict';
import test from 'node:test';
import { request } from 'undici';
import { shared } from '../common-server.ts';
import { startWholeServer } from './whole-server.ts';

const wellKnown = '/.well-known';

const serve = shared(startWholeServer);

async function read(url: string, headers: Readonly<Record<string, string>> = {}) {
  const origin = 'https://page.example';
  const answer = await request(url, { headers: { origin, ...headers } });
  return { ...answer, json: (await answer.body.json()) as Record<string, unknown> };
}

test('each resource has a document that names it and its authorization server (RFC 9728 section 3)', async () => {
  const { base } = await serve();
  const root = await read(`${base}${wellKnown}/oauth-protected-resource`);
  const mcp = await read(`${base}${wellKnown}/oauth-protected-resource/mcp`);
  assert.equal(root.json['resource'], base);
  assert.equal(mcp.json['resource'], `${base}/mcp`);
  for (const { json, headers, statusCode } of [root, mcp]) {
    assert.equal(statusCode, 200);
    assert.deepEqual(json['authorization_servers'], [base]);
    assert.deepEqual(json['bearer_methods_supported'], ['header']);
    assert.equal(json['resource_documentation'], `${base}/auth.md`);
    assert.match(String(headers['content-type']), /^application\/json/);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.match(String(headers['cache-control']), /public, max-age=300/);
  }
  const listed = mcp.json['scopes_supported'] as readonly string[];
  assert.ok(listed.includes('mcp.tools'));
  assert.ok(!listed.some((scope) => scope.startsWith('provider:') || scope === 'offline_access'));
  const all = root.json['scopes_supported'] as readonly string[];
  assert.ok(!all.includes('audit:read'), 'nobody is told of what only operators have');
});

test('no other resource is described', async (t) => {
  const { base } = await startWholeServer(t, { MCP_PATH: '/tools/mcp' });
  const there = await read(`${base}${wellKnown}/oauth-protected-resource/tools/mcp`);
  assert.equal(there.json['resource'], `${base}/tools/mcp`);
  for (const path of ['/mcp', '/other', '/tools', '/tools/mcp/x', '/tools/mcp/']) {
    const { statusCode } = await read(`${base}${wellKnown}/oauth-protected-resource${path}`);
    assert.equal(statusCode, 404, path);
  }
});

test('the authorization server describes itself, twice alike, and its endpoints are there (RFC 8414)', async () => {
  const { base } = await serve();
  const { json, headers } = await read(`${base}${wellKnown}/oauth-authorization-server`);
  const openId = await read(`${base}${wellKnown}/openid-configuration`);
  assert.deepEqual(openId.json, json);
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.equal(json['issuer'], base);
  for (const [name, value] of Object.entries(json)) {
    if (!/_endpoint$|_uri$/.test(name)) continue;
    const { statusCode } = await request(String(value), { method: 'OPTIONS' });
    assert.ok(statusCode < 300, `${name}: ${value} answers ${statusCode}`);
  }
});

test('a foreign Host changes nothing in the documents', async () => {
  const { base } = await serve();
  for (const path of [
    `${wellKnown}/oauth-protected-resource`,
    `${wellKnown}/oauth-authorization-server`,
    '/auth.md',
  ]) {
    const plain = await (await request(base + path)).body.text();
    const forwarded = await request(base + path, {
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    });
    assert.equal(await forwarded.body.text(), plain, path);
    const foreign = await request(base + path, { headers: { host: 'evil.example' } });
    const text = await foreign.body.text();
    assert.ok(foreign.statusCode === 403 || text === plain, `${path}: ${foreign.statusCode}`);
  }
});

test('agents find instructions, and the first paths of the protocol lead to them', async (t) => {
  const { base } = await startWholeServer(t, { SERVICE_CONTACT: 'ops@example.com' });
  const answer = await request(`${base}/auth.md`);
  assert.equal(answer.headers['content-type'], 'text/markdown; charset=utf-8');
  const text = await answer.body.text();
  assert.ok(text.includes(`${base}/mcp`));
  assert.match(text, /\| `mcp\.tools` \| Use the tools/);
  assert.match(
    text,
    /## Contact\n\nThe operator of this server can be reached at ops@example\.com/,
  );
  // Every error of registration and claim, by section 10 of the protocol's reference.
  for (const error of [
    ...['invalid_request', 'invalid_scope', 'anonymous_not_enabled', 'service_auth_not_enabled'],
    ...['issuer_not_enabled', 'invalid_signature', 'expired', 'replay_detected'],
    ...['invalid_audience', 'invalid_client_id', 'missing_verified_email', 'login_required'],
    ...['interaction_required', 'registration_not_allowed', 'invalid_login_hint'],
    ...['invalid_refresh_token', 'invalid_claim_token', 'invalid_claim', 'already_claimed'],
    ...['claim_not_confirmed', 'invalid_user_code', 'user_code_expired', 'claim_expired'],
    ...['claim_revoked', 'claim_denied', 'auth_method_disabled', 'too_many_attempts'],
    ...['rate_limited', 'temporarily_unavailable'],
  ]) {
    assert.ok(text.includes(`| \`${error}\` |`), error);
  }
  for (const [method, path] of [
    ['POST', '/agent/auth'],
    ['GET', '/agent/auth'],
    ['POST', '/agent/auth/claim/complete'],
  ] as const) {
    const former = await request(base + path, { method });
    assert.equal(former.statusCode, 404, path);
    assert.match(JSON.stringify(await former.body.json()), /\/auth\.md/);
  }
  for (const path of ['/agent/auth', '/agent/auth/claim', '/agent/auth/claim/complete']) {
    for (const [type, body] of [
      ['application/json', '{"type":"anonymous"}'],
      ['application/json', '{'],
      ['application/x-www-form-urlencoded', 'a=1&a=2'],
      ['text/plain; charset=latin1', '\xe9'],
      ['', 'of no type'],
    ] as const) {
      const headers = type === '' ? {} : { 'content-type': type };
      const former = await request(base + path, { method: 'POST', headers, body });
      const told = JSON.stringify(await former.body.json());
      assert.equal(former.statusCode, 404, `${path} ${type} ${told}`);
      assert.match(told, /\/auth\.md/);
    }
  }
});

test('nothing lies beside the metadata (RFC 8414 section 3)', async () => {
  const { base } = await serve();
  const { statusCode } = await request(`${base}${wellKnown}/oauth-authorization-server/other`);
  assert.equal(statusCode, 404);
});
