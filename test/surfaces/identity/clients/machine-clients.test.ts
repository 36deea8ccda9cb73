import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { shared } from '../../common-server.ts';
import { bearer, postForm, rpc } from '../agent.ts';
import { decide, signedIn } from '../consent-browser.ts';
import { startWholeServer } from '../whole-server.ts';
import { authorizeUrl, redirect, register, verifier } from './registering.ts';

const serve = shared(startWholeServer);

const { publicKey, privateKey } = await generateKeyPair('ES256');

async function startMachine() {
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' };
  const clients = [
    {
      ...{ client_id: 'machine', client_secret: 'a secret of the machine', scope: 'mcp.tools' },
      grant_types: ['client_credentials'],
    },
    {
      ...{ client_id: 'signer', token_endpoint_auth_method: 'private_key_jwt', scope: 'mcp.tools' },
      ...{ grant_types: ['client_credentials'], jwks: { keys: [jwk] } },
    },
    { client_id: 'public', grant_types: ['client_credentials'] },
  ];
  const server = await serve({
    SERVICE_ALLOW_INSECURE_FETCH: '1',
    SERVICE_OAUTH_CLIENTS: JSON.stringify(clients),
  });
  const person = await signedIn(server);
  const sign = (claims: JWTPayload = {}, typ = 'client-authentication+jwt') =>
    new SignJWT({ iss: 'signer', sub: 'signer', aud: server.base, jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ })
      .setIssuedAt()
      // A time may have a fraction (RFC 7519 section 2).
      .setExpirationTime(Math.floor(Date.now() / 1000) + 120.0005)
      .sign(privateKey);
  const ask = (form: Readonly<Record<string, string>>, headers = {}) =>
    postForm(`${server.base}/oauth2/token`, { grant_type: 'client_credentials', ...form }, headers);
  const signed = (client_assertion: string, more = {}) =>
    ask({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      ...{ client_assertion, ...more },
    });
  return { ...server, person, sign, ask, signed };
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

test('a client of the operator gets a token of its own (RFC 6749 section 4.4)', async () => {
  const { base, ask } = await startMachine();
  const secret = 'a secret of the machine';
  const byHeader = await ask({}, basic('machine', secret));
  const byForm = await ask({ client_id: 'machine', client_secret: secret, resource: base });
  for (const { status, json } of [byHeader, byForm]) {
    assert.equal(status, 200, JSON.stringify(json));
    assert.equal(json['scope'], 'mcp.tools');
    assert.equal(json['refresh_token'], undefined);
  }
  const wrong = await ask({}, basic('machine', 'another secret of it'));
  assert.equal(wrong.status, 401);
  assert.equal(wrong.json['error'], 'invalid_client');
  assert.match(String(wrong.headers.get('www-authenticate')), /^Basic /);
  const unknown = await ask({}, basic('nobody', secret));
  assert.deepEqual(unknown.json, wrong.json, 'nobody learns which clients there are');
  assert.equal((await ask({ client_id: 'machine' })).json['error'], 'invalid_client');
  assert.equal((await ask({ client_id: 'public' })).json['error'], 'unauthorized_client');
  assert.equal(
    (await ask({ scope: 'audit:read' }, basic('machine', secret))).json['error'],
    'invalid_scope',
  );
  const twice = await ask(
    { client_id: 'machine', client_secret: secret },
    basic('machine', secret),
  );
  assert.equal(twice.json['error'], 'invalid_request');
});

test('a client proves itself with its key, once with each assertion (RFC 7523 section 3, RFC 10070)', async () => {
  const { base, sign, signed } = await startMachine();
  const assertion = await sign();
  assert.equal((await signed(assertion)).status, 200);
  assert.equal((await signed(assertion)).json['error'], 'invalid_client', 'it came before');
  assert.equal((await signed(await sign({}, 'JWT'))).status, 200);
  const parallel = await sign();
  const all = await Promise.all(Array.from({ length: 20 }, () => signed(parallel)));
  assert.equal(all.filter(({ status }) => status === 200).length, 1);
  for (const [claims, typ] of [
    [{ jti: 'x'.repeat(1025) }],
    [{ aud: `${base}/oauth2/token` }, undefined],
    [{ aud: `${base}.evil.example` }, undefined],
    [{ aud: [base, 'https://other.example'] }, undefined],
    [{ iss: 'machine' }, undefined],
    [{ sub: 'machine' }, undefined],
    [{ jti: undefined }, undefined],
    [{}, 'at+jwt'],
    [{}, 'secevent+jwt'],
  ] as const) {
    const { json } = await signed(await sign(claims as JWTPayload, typ));
    assert.equal(json['error'], 'invalid_client', `${JSON.stringify(claims)} ${typ}`);
  }
  const { privateKey: another } = await generateKeyPair('ES256');
  const foreign = await new SignJWT({ iss: 'signer', sub: 'signer', aud: base, jti: 'x' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .setExpirationTime('2m')
    .sign(another);
  assert.equal((await signed(foreign)).json['error'], 'invalid_client');
  const [, payload] = (await sign()).split('.');
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  assert.equal((await signed(none)).json['error'], 'invalid_client');
});

test('a token can be traded for one that does less, and never for more (RFC 8693)', async () => {
  const { base, ask } = await startMachine();
  const whole = await ask({ resource: base }, basic('machine', 'a secret of the machine'));
  const exchange = (more: Readonly<Record<string, string>>) =>
    postForm(`${base}/oauth2/token`, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: String(whole.json['access_token']),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      ...more,
    });
  const { status, json } = await exchange({ resource: `${base}/mcp` });
  assert.equal(status, 200, JSON.stringify(json));
  assert.equal(json['issued_token_type'], 'urn:ietf:params:oauth:token-type:access_token');
  const claims = JSON.parse(
    Buffer.from(String(json['access_token']).split('.')[1] ?? '', 'base64url').toString(),
  );
  assert.deepEqual(claims.act, { sub: 'machine' });
  assert.equal(claims.aud, `${base}/mcp`);
  const narrow = String(json['access_token']);
  assert.equal(
    (await exchange({ subject_token: narrow, resource: base })).json['error'],
    'invalid_target',
  );
  assert.equal((await exchange({ scope: 'mcp.tools audit:read' })).json['error'], 'invalid_scope');
  assert.equal((await exchange({ subject_token: 'x' })).json['error'], 'invalid_grant');
  assert.equal((await exchange({ actor_token: narrow })).json['error'], 'invalid_request');
  // What came of a token ends with it, however often it was exchanged.
  const { json: next } = await exchange({ subject_token: narrow });
  const grandchild = String(next['access_token']);
  assert.equal((await rpc(base, 'ping', {}, bearer(grandchild))).status, 200);
  const token = String(whole.json['access_token']);
  await postForm(`${base}/oauth2/revoke`, { token }, basic('machine', 'a secret of the machine'));
  for (const each of [token, narrow, grandchild]) {
    assert.equal((await rpc(base, 'ping', {}, bearer(each))).status, 401);
    assert.equal((await exchange({ subject_token: each })).json['error'], 'invalid_grant');
  }
});

test('a chain of exchanges has an end', async () => {
  const { base, ask } = await startMachine();
  const first = await ask({}, basic('machine', 'a secret of the machine'));
  let last = first.json;
  let count = -1;
  while (last['access_token'] !== undefined) {
    count += 1;
    const { json } = await postForm(`${base}/oauth2/token`, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: String(last['access_token']),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    });
    last = json;
  }
  assert.equal(count, 8);
  assert.equal(last['error'], 'invalid_grant');
});

test('only the client that a token was issued to revokes it (RFC 7009 section 2.1)', async () => {
  const { base, person, ask } = await startMachine();
  const metadata = { redirect_uris: [redirect], token_endpoint_auth_method: 'client_secret_post' };
  const { json: registered } = await register(base, metadata);
  const own = {
    client_id: String(registered['client_id']),
    client_secret: String(registered['client_secret']),
  };
  const code = (await decide(person, authorizeUrl(base, own.client_id))).searchParams.get('code');
  const { json } = await postForm(`${base}/oauth2/token`, {
    ...{ grant_type: 'authorization_code', code: String(code), ...own },
    ...{ redirect_uri: redirect, code_verifier: verifier },
  });
  const tokens = [String(json['access_token']), String(json['refresh_token'])];
  const lives = async () =>
    (await rpc(base, 'ping', {}, bearer(String(json['access_token'])))).status === 200;
  const revoke = (token: string, form = {}, headers = {}) =>
    postForm(`${base}/oauth2/revoke`, { token, ...form }, headers);
  for (const token of [...tokens, 'nobody knows']) {
    const wrong = await revoke(token, { ...own, client_secret: 'x' });
    assert.deepEqual([wrong.status, wrong.json.error], [401, 'invalid_client'], token);
    const foreign = await revoke(token, {}, basic('machine', 'a secret of the machine'));
    assert.deepEqual([foreign.status, foreign.text], [200, ''], token);
  }
  for (const token of tokens) {
    for (const form of [{}, { client_id: own.client_id }, { client_id: 'machine' }]) {
      const { status, json: told } = await revoke(token, form);
      assert.deepEqual([status, told.error], [401, 'invalid_client'], JSON.stringify(form));
    }
    assert.equal((await revoke(token, { client_id: 'public' })).status, 200);
  }
  assert.ok(await lives());
  assert.equal((await revoke(tokens[1] ?? '', own)).status, 200);
  assert.ok(!(await lives()), 'its family is over');
  const machine = await ask({}, basic('machine', 'a secret of the machine'));
  const token = String(machine.json['access_token']);
  assert.equal((await revoke(token)).status, 401);
  assert.equal((await rpc(base, 'ping', {}, bearer(token))).status, 200);
});
