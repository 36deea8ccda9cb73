import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  generateKeyPair,
  jwtVerify,
  SignJWT,
} from 'jose';
import {
  ask,
  bearer,
  exchange,
  freshToken,
  jwtBearer,
  post,
  postForm,
  register,
  rpc,
  tokenPath,
} from '../agent.ts';
import { type ServedIdentity, serveIdentity } from '../served-identity.ts';

const many = {
  SERVICE_AUTH: 'required',
  SERVICE_REGISTRATIONS_PER_NETWORK: '1000',
  SERVICE_REGISTRATIONS_PER_HOUR: '1000',
};

describe('agents that register themselves', { concurrency: false }, () => {
  const cleanups: (() => unknown)[] = [];
  let server: ServedIdentity;
  let base = '';
  before(async () => {
    server = await serveIdentity(
      { after: (work: () => unknown) => cleanups.push(work) } as never,
      many,
    );
    base = server.base;
  });
  after(async () => {
    for (const work of cleanups.reverse()) await work();
  });

  test('nobody uses MCP without a token, and hears how to get one (RFC 9728 section 5.1)', async () => {
    const expected = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp", scope="mcp.tools"`;
    for (const method of ['POST', 'GET', 'DELETE', 'PUT']) {
      const { status, headers } = await ask(`${base}/mcp`, { method });
      assert.deepEqual([status, headers.get('www-authenticate')], [401, expected], method);
      assert.equal(headers.get('link'), `<${base}/auth.md>; rel="service-doc"`);
    }
  });

  test('a protected route says which scope it needs, without an error (RFC 6750 section 3.1)', async () => {
    const { status, headers } = await ask(`${base}/agent/identity`);
    assert.equal(status, 401);
    assert.equal(
      headers.get('www-authenticate'),
      `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource", scope="api.read"`,
    );
  });

  test('what is public needs no token', async () => {
    // It is ready once its log is open, for which nobody waits who begins to serve.
    while ((await ask(`${base}/readyz`)).status === 503) await setTimeout(10);
    for (const path of ['/healthz', '/readyz', '/auth.md', '/.well-known/jwks.json']) {
      assert.equal((await ask(`${base}${path}`)).status, 200, path);
    }
  });

  test('an agent registers, exchanges its assertion and lists tools', async () => {
    const { registration, token } = await freshToken(base);
    assert.match(registration.registration_id, /^reg_[\w-]{22}$/);
    assert.match(registration.claim_token, /^clm_[\w-]{32}$/);
    assert.deepEqual(registration.pre_claim_scopes, ['mcp.tools', 'api.read']);
    assert.equal(registration.claim.token, registration.claim_token);
    assert.equal(registration.identity.assertion, registration.identity_assertion);
    const { status, json } = await rpc(base, 'tools/list', {}, bearer(token));
    assert.equal(status, 200);
    assert.ok(json.result.tools.some(({ name }: { name: string }) => name === 'osv_query'));
    const health = await rpc(base, 'tools/call', { name: 'service_status' }, bearer(token));
    assert.equal(health.json.result.isError, undefined, health.text);
  });

  test('a token is what RFC 9068 says, and anybody can verify it', async () => {
    const { registration, token } = await freshToken(base);
    const keys = createRemoteJWKSet(new URL(`${base}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      ...{ issuer: base, audience: `${base}/mcp`, typ: 'at+jwt', algorithms: ['ES256'] },
      requiredClaims: ['exp', 'iat', 'jti', 'client_id', 'sub', 'scope'],
    });
    const { registration_id: id } = registration;
    assert.deepEqual(
      [payload.sub, payload['client_id'], payload['scope']],
      [id, id, 'mcp.tools api.read'],
    );
    assert.equal(Number(payload.exp) - Number(payload.iat), 3600);
    assert.ok(protectedHeader.kid);
  });

  test('a token for the MCP endpoint is worth nothing at other routes, one for all is', async () => {
    const { token } = await freshToken(base);
    const refused = await ask(`${base}/agent/identity`, { headers: bearer(token) });
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    const { registration, token: whole } = await freshToken(base, { resource: base });
    const { status, json } = await ask(`${base}/agent/identity`, { headers: bearer(whole) });
    assert.deepEqual([status, json.registration_id], [200, registration.registration_id]);
    const elsewhere = await exchange(base, registration.identity_assertion, {
      resource: `${base}.evil`,
    });
    assert.deepEqual([elsewhere.status, elsewhere.json.error], [400, 'invalid_target']);
  });

  test('scopes can be narrowed, never widened (RFC 6749 section 3.3)', async () => {
    const { identity_assertion: assertion } = await register(base, { scopes: ['mcp.tools'] });
    const narrow = await exchange(base, assertion, { scope: 'mcp.tools' });
    assert.equal(narrow.json.scope, 'mcp.tools');
    const wide = await exchange(base, assertion, { scope: 'audit:read' });
    assert.deepEqual([wide.status, wide.json.error], [400, 'invalid_scope']);
  });

  test('who lacks the scope of MCP, or of a tool, hears which (RFC 6750 section 3.1)', async () => {
    const { token } = await freshToken(base, { resource: base, scope: 'api.read' });
    const { status, headers, json } = await rpc(base, 'tools/list', {}, bearer(token));
    assert.equal(status, 403);
    assert.match(
      headers.get('www-authenticate') ?? '',
      /^Bearer resource_metadata="[^"]+\/mcp", scope="mcp.tools", error="insufficient_scope"/,
    );
    assert.deepEqual(json.error.data.required_scopes, ['mcp.tools']);
    assert.deepEqual(json.error.data.granted_scopes, ['api.read']);
  });

  test('a scope that nobody declares, or that no agent is given, is refused', async () => {
    for (const scopes of [['mcp.toolz'], ['admin:introspect']]) {
      const { status, json } = await post(`${base}/agent/identity`, { type: 'anonymous', scopes });
      assert.deepEqual([status, json.error], [400, 'invalid_scope']);
      assert.equal(json.message, json.error_description);
    }
    const near = await post(`${base}/agent/identity`, { type: 'anonymous', scopes: ['mcp.toolz'] });
    assert.match(near.json.message, /there is no scope 'mcp.toolz'; did you mean 'mcp.tools'\?/);
    const given = await post(`${base}/agent/identity`, {
      ...{ type: 'anonymous', scopes: ['admin:introspect'] },
    });
    assert.match(given.json.message, /is given these scopes: admin:introspect$/);
    const none = await post(`${base}/agent/identity`, { type: 'anonymous', scopes: [] });
    assert.deepEqual([none.status, none.json.error], [400, 'invalid_scope']);
    assert.match(none.json.message, /^scopes is empty/);
  });

  test('a token in a form is refused, whatever else the form says (RFC 6750 section 2.2)', async () => {
    const { token } = await freshToken(base);
    for (const path of [tokenPath, '/oauth2/revoke']) {
      const form = { grant_type: jwtBearer, token: 'x', access_token: token };
      const { status, json, text } = await postForm(`${base}${path}`, form);
      assert.deepEqual([status, json.error], [400, 'invalid_request'], text);
      assert.match(json.error_description, /belongs in the header Authorization/);
      assert.ok(!text.includes(token));
    }
  });

  test('registrations are refused in the form that agents read', async () => {
    const url = `${base}/agent/identity`;
    const unknown = await post(url, { type: 'magic' });
    assert.deepEqual([unknown.status, unknown.json.error], [400, 'invalid_request']);
    const shapeless = await post(url, { type: 'anonymous', scopes: 'all' });
    assert.deepEqual([shapeless.status, shapeless.json.error], [400, 'invalid_request']);
    assert.match(
      shapeless.json.message,
      /^Invalid arguments for registerAgent: body\.scopes: must be of type array, but 'all' was given\. Its arguments: /,
    );
    for (const [body, name] of [
      ['{"type":"anonymous","type":"service_auth"}', 'type'],
      ['{"type":"anonymous","\\u0074ype":"anonymous"}', 'type'],
      ['{"type":"anonymous","a":[{"b":{},"c":["b"],"b":1}]}', 'b'],
    ] as const) {
      const headers = { 'content-type': 'application/json' };
      const { status, json } = await ask(url, { method: 'POST', headers, body });
      assert.deepEqual([status, json.error], [400, 'invalid_request'], body);
      assert.equal(json.message, `the body must have each member once, but '${name}' comes twice`);
    }
    const alike = { type: 'anonymous', a: [{ type: 'type' }, { type: ['type', 'type', '{"'] }] };
    assert.equal((await post(url, alike)).status, 200, 'objects beside each other are told apart');
    // No bearer token helps against these.
    const { identity_assertion: assertion } = await register(base);
    const mismatch = await exchange(base, assertion, { client_id: 'another' });
    assert.deepEqual([mismatch.status, mismatch.json.error], [401, 'invalid_client']);
    assert.equal(mismatch.headers.get('www-authenticate'), null);
    const claim = await post(`${url}/claim`, { claim_token: 'clm_x', email: 'a@example.com' });
    assert.deepEqual([claim.status, claim.json.error], [401, 'invalid_claim_token']);
    const challenge = String(claim.headers.get('www-authenticate'));
    assert.match(challenge, /^AgentAuth error="invalid_claim_token", error_description="/);
    const form = await postForm(url, { type: 'anonymous' });
    assert.deepEqual([form.status, form.json.error], [415, 'invalid_request']);
    const secret = await post(url, { type: 'anonymous', jwk: { kty: 'oct', k: 'AAAA' } });
    assert.deepEqual([secret.status, secret.json.error], [400, 'invalid_request']);
    const huge = await post(url, { type: 'anonymous', client_name: 'x'.repeat(40_000) });
    assert.deepEqual([huge.status, huge.json.error], [413, 'invalid_request']);
  });

  test('the token endpoint refuses as RFC 6749 section 5.2 says', async () => {
    const url = `${base}${tokenPath}`;
    const get = await ask(url);
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS']);
    const bare = await postForm(url, { grant_type: 'password' });
    assert.deepEqual([bare.status, bare.json.error], [400, 'unsupported_grant_type']);
    const empty = await postForm(url, { grant_type: jwtBearer });
    assert.deepEqual([empty.status, empty.json.error], [400, 'invalid_request']);
    const twice = await ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=a&grant_type=b',
    });
    assert.deepEqual([twice.status, twice.json.error], [400, 'invalid_request']);
    const { identity_assertion: assertion } = await register(base);
    const other = await exchange(base, assertion, { client_id: 'reg_other' });
    assert.deepEqual([other.status, other.json.error], [401, 'invalid_client']);
    assert.equal(other.headers.get('cache-control'), 'no-store');
  });

  test('no token of another kind, key or algorithm passes (RFC 8725 sections 3.1 and 3.11)', async () => {
    const { registration, token } = await freshToken(base);
    const assertion = registration.identity_assertion;
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const { kid } = decodeProtectedHeader(token);
    const claims = decodeJwt(token);
    const foreign = await new SignJWT(claims)
      .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', kid: kid ?? '' })
      .sign(privateKey);
    const { exportJWK } = await import('jose');
    const embedded = await new SignJWT(claims)
      .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', jwk: await exportJWK(publicKey) })
      .sign(privateKey);
    const [set] = (await ask(`${base}/.well-known/jwks.json`)).json.keys;
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ typ: 'at+jwt', alg: 'HS256', kid: kid ?? '' })
      .sign(Buffer.from(JSON.stringify(set)));
    const none = `${Buffer.from(JSON.stringify({ typ: 'at+jwt', alg: 'none', kid })).toString('base64url')}.${token.split('.')[1]}.`;
    for (const bad of [
      assertion,
      foreign,
      embedded,
      confused,
      none,
      `${token}x`,
      'x',
      token.repeat(20),
    ]) {
      const { status, headers } = await rpc(base, 'ping', {}, bearer(bad));
      assert.equal(status, 401, bad.slice(0, 60));
      assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    }
    const swapped = await exchange(base, token);
    assert.deepEqual([swapped.status, swapped.json.error], [400, 'invalid_grant']);
  });

  test('a token in the address is refused (RFC 6750 section 2.3)', async () => {
    const { token } = await freshToken(base, { resource: base });
    const { status } = await ask(`${base}/agent/identity?access_token=${token}`);
    assert.equal(status, 400);
  });

  test('a revoked token is worth nothing from then on (RFC 7009)', async () => {
    const { registration, token } = await freshToken(base, { resource: base });
    assert.equal((await ask(`${base}/agent/identity`, { headers: bearer(token) })).status, 200);
    assert.equal((await postForm(`${base}/oauth2/revoke`, { token })).status, 200);
    assert.equal((await ask(`${base}/agent/identity`, { headers: bearer(token) })).status, 401);
    assert.equal((await postForm(`${base}/oauth2/revoke`, { token: 'nobody knows' })).status, 200);
    const missing = await postForm(`${base}/oauth2/revoke`, {});
    assert.deepEqual([missing.status, missing.json.error], [400, 'invalid_request']);
    // The assertion goes on until it is revoked itself.
    const { identity_assertion: assertion } = registration;
    assert.equal((await exchange(base, assertion)).status, 200);
    assert.equal((await postForm(`${base}/oauth2/revoke`, { token: assertion })).status, 200);
    const gone = await exchange(base, assertion);
    assert.deepEqual([gone.status, gone.json.error], [400, 'invalid_grant']);
  });

  test('only who may asks what a token is worth (RFC 7662 section 2.1)', async () => {
    const { token } = await freshToken(base);
    const { status, headers } = await postForm(`${base}/oauth2/introspect`, { token });
    assert.equal(status, 401);
    assert.match(headers.get('www-authenticate') ?? '', /Basic/);
  });

  test('a key registers once; its secrets are not given again', async () => {
    const key = { 'idempotency-key': '"once"' };
    const url = `${base}/agent/identity`;
    const first = await post(url, { type: 'anonymous' }, key);
    const again = await post(url, { type: 'anonymous' }, key);
    assert.deepEqual([first.status, again.status], [200, 409]);
    assert.equal(again.json.error, 'idempotency_replayed');
    assert.equal(again.json.registration_id, first.json.registration_id);
    assert.doesNotMatch(again.text, /clm_|eyJ/);
    const { answer } = await keptAnswer(server);
    assert.doesNotMatch(answer, /clm_|eyJ/);
  });

  test('time ends tokens, assertions and registrations', async () => {
    const { registration, token } = await freshToken(base, { resource: base });
    const url = `${base}/agent/identity`;
    server.advance(3_659_000);
    assert.equal((await ask(url, { headers: bearer(token) })).status, 200, 'clocks may differ');
    server.advance(2000);
    const { status, headers } = await ask(url, { headers: bearer(token) });
    assert.equal(status, 401);
    assert.match(headers.get('www-authenticate') ?? '', /it has expired/);
    const late = await exchange(base, registration.identity_assertion);
    assert.deepEqual([late.status, late.json.error], [400, 'invalid_grant']);
  });
});

async function keptAnswer({ service }: ServedIdentity): Promise<{ readonly answer: string }> {
  const { store } = service.engines;
  return store.db.selectFrom('idempotency_key').select('answer').executeTakeFirstOrThrow();
}

test('few agents register from one network in an hour', async (t) => {
  const { base, advance } = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  for (let count = 0; count < 5; count += 1) await register(base);
  const { status, json, headers } = await post(`${base}/agent/identity`, { type: 'anonymous' });
  assert.deepEqual(
    [status, json.error, json.error_aliases],
    [429, 'rate_limited', ['rate_limit_exceeded']],
  );
  assert.equal(String(json.retry_after), headers.get('retry-after'));
  advance(3_600_001);
  await register(base);
});

test('on loopback the operator needs no token, but a bad one is not passed over', async (t) => {
  const { base } = await serveIdentity(t);
  assert.equal((await rpc(base, 'ping')).status, 200);
  assert.equal((await rpc(base, 'ping', {}, bearer('bad'))).status, 401);
  const { token } = await freshToken(base, { resource: base });
  const { json } = await ask(`${base}/agent/identity`, { headers: bearer(token) });
  assert.match(json.subject, /^reg_/);
});
