import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { JWTPayload } from 'jose';
import type { Outbound } from '../../../../runtime/contract/house/outbound.ts';
import type { JsonObject } from '../../../../runtime/contract/json.ts';
import { createService } from '../../../../runtime/main.ts';
import type { Addresses } from '../../../../runtime/surfaces/identity/addresses.ts';
import type { Scopes } from '../../../../runtime/surfaces/identity/scopes/catalogue.ts';
import { introspectExternalToken } from '../../../../runtime/surfaces/identity/trust/external-token.ts';
import { bearer, register, rpc } from '../agent.ts';
import { serveIdentity } from '../served-identity.ts';
import { startStranger } from '../strangers.ts';
import { provider, unreadable } from '../vouching.ts';

/** A server that asks a provider what its tokens are worth, and what that provider says. */
async function start(t: TestContext) {
  const { url, documents, seen } = await startStranger(t);
  const idp = await provider(url, 'ES256');
  documents.set('/.well-known/openid-configuration', {
    ...{ issuer: url, jwks_uri: `${url}/keys`, introspection_endpoint: `${url}/introspect` },
  });
  documents.set('/keys', { keys: [idp.jwk] });
  const { base, advance } = await serveIdentity(t, {
    ...{ SERVICE_AUTH: 'required', SERVICE_ALLOW_INSECURE_FETCH: '1', SERVICE_TOKEN_ISSUER: url },
    SERVICE_TOKEN_ISSUER_CLIENT_ID: 'tools',
    SERVICE_TOKEN_ISSUER_CLIENT_SECRET: 'a secret of the tools',
  });
  const say = (answer: object | undefined) => {
    if (answer) documents.set('/introspect', answer);
    else documents.delete('/introspect');
  };
  const active = (more: object = {}) => {
    const facts = { sub: 'usr_1', client_id: 'c', scope: 'mcp.tools', token_type: 'Bearer' };
    say({ active: true, iss: url, aud: `${base}/mcp`, ...facts, ...more });
  };
  const asked = () => seen.filter((path) => path === '/introspect').length;
  const call = (token: string) => rpc(base, 'tools/list', {}, bearer(token));
  const sign = (more: JWTPayload = {}) => {
    const told = { sub: 'usr_1', aud: `${base}/mcp`, client_id: 'c', scope: 'mcp.tools' };
    return idp.sign({ ...told, exp: idp.now() + 600, ...more }, 'at+jwt');
  };
  return { base, advance, documents, seen, say, active, asked, call, sign };
}

test('opaque tokens of the provider are taken for what it says of them (RFC 7662)', async (t) => {
  const { base, active, say, asked, call, sign } = await start(t);
  active();
  const all = await Promise.all(Array.from({ length: 8 }, () => call('opaque-1')));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200]);
  assert.equal(asked(), 1, 'one question for all who bring it');
  for (const [what, answer] of [
    ['audience', { aud: 'https://other.example' }],
    ['audiences', { aud: [`${base}/mcp`, 'https://other.example'] }],
    ['no audience', { aud: undefined }],
    ['issuer', { iss: 'https://evil.example' }],
    ['refresh token', { token_type: undefined }],
    ['no subject', { sub: undefined, client_id: undefined }],
    ['expired', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['DPoP of no key', { token_type: 'DPoP' }],
    ...unreadable.map((cnf, index) => [`key ${index}`, { cnf }] as const),
    ['expiry as text', { exp: '1' }],
    ['no expiry', { exp: null }],
    ['begin as text', { nbf: 'x' }],
    ['id as list', { jti: ['x'] }],
    ['id too long', { jti: 'x'.repeat(1025) }],
  ] as const) {
    active(answer);
    const told = await call(`opaque-${what.replaceAll(' ', '-')}`);
    assert.equal(told.status, 401, what);
    assert.match(String(told.headers.get('www-authenticate')), /error="invalid_token"/, what);
  }
  active({ cnf: { jkt: 'A'.repeat(43) } });
  assert.equal(
    (await call(await sign())).status,
    401,
    'the provider binds a JWT that names no key',
  );
  say({ active: false });
  assert.equal((await call('opaque-inactive')).status, 401);
  active({ scope: 'openid' });
  assert.equal((await call('opaque-weak')).status, 403);
});

test('what the provider revokes is refused within half a minute, opaque or not', async (t) => {
  const { active, say, asked, call, sign, advance } = await start(t);
  active();
  for (const token of ['opaque-1', await sign()]) {
    assert.equal((await call(token)).status, 200);
    const before = asked();
    say({ active: false });
    assert.equal((await call(token)).status, 200, 'the answer is believed for a while');
    assert.equal(asked(), before);
    advance(30_000);
    assert.equal((await call(token)).status, 401);
    assert.equal(asked(), before + 1);
    active();
  }
});

test('without a time of issue, what the provider says after a revocation counts (RFC 7662, section 2.2)', async () => {
  const said = { sub: 'usr_1', aud: 'http://tools.example/mcp', token_type: 'Bearer' };
  const askedAt = 1_000_000;
  const introspection = {
    ask: () => Promise.resolve({ claims: { ...said, ...more }, askedAt, until: askedAt + 30_000 }),
  };
  let more: JsonObject = {};
  const addresses = { resource: (audience: string) => audience } as Addresses;
  const scopes = { unknown: () => [], expanded: () => new Set() } as unknown as Scopes;
  const outbound = undefined as unknown as Outbound;
  const parts = { issuer: 'https://login.example', takesUntyped: false, now: () => askedAt };
  const take = () =>
    introspectExternalToken('opaque', { ...parts, addresses, scopes, outbound, introspection });
  assert.equal((await take()).issuedAt, askedAt);
  more = { iat: 7 };
  assert.equal((await take()).issuedAt, 7000);
});

test('while the provider cannot be asked, its tokens are answered with 503', async (t) => {
  const { say, active, call, sign, documents, advance } = await start(t);
  const token = await sign();
  for (const answer of [undefined, {}, { active: 'yes' }]) {
    say(answer);
    for (const each of ['opaque-1', token]) {
      const { status, headers } = await call(each);
      assert.equal(status, 503, JSON.stringify(answer));
      assert.equal(headers.get('www-authenticate'), null, 'nobody has to log in anew');
      assert.equal(headers.get('retry-after'), '5');
    }
  }
  active();
  assert.equal((await call('opaque-1')).status, 200, 'a failure is not kept');
  // The keys are at hand for a day at most, and then they are away.
  documents.delete('/keys');
  advance(90_000_000);
  assert.equal((await call(await sign())).status, 503);
});

test('nothing of this server is shown to the provider', async (t) => {
  const { base, active, asked, call } = await start(t);
  active();
  const { claim_token: claim, identity_assertion: assertion } = await register(base);
  for (const own of [claim, assertion, 'art_x', 'ort_x', 'oac_x', 'cvt_x', 'ses_x']) {
    assert.equal((await call(own)).status, 401, own.slice(0, 4));
  }
  const form = { method: 'POST', body: new URLSearchParams({ token: 'opaque-1' }) };
  assert.equal((await fetch(`${base}/oauth2/revoke`, form)).status, 200);
  assert.equal(asked(), 0);
});

test('settings that do not fit together stop the start', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const id = { SERVICE_TOKEN_ISSUER_CLIENT_ID: 'tools' };
  const secret = { SERVICE_TOKEN_ISSUER_CLIENT_SECRET: 'a secret' };
  const issuer = { SERVICE_TOKEN_ISSUER: 'https://login.example' };
  for (const [env, expected] of [
    [{ ...id, ...secret }, /SERVICE_TOKEN_ISSUER: expected an issuer/],
    [{ ...issuer, ...id }, /SERVICE_TOKEN_ISSUER_CLIENT_SECRET: expected a value/],
    [{ ...issuer, ...secret }, /SERVICE_TOKEN_ISSUER_CLIENT_ID: expected a value/],
  ] as const) {
    const started = createService({
      ...{ SERVICE_LOG_LEVEL: 'silent', SERVICE_DATA_DIR: join(folder, 'data'), ...env },
    });
    await assert.rejects(started, (error: Error) => expected.test(error.message));
  }
});
