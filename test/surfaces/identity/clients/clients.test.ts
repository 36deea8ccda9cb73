import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { bearer, postForm, rpc } from '../agent.ts';
import { decide, openConsent, signedIn } from '../consent-browser.ts';
import { replicas } from '../served-identity.ts';
import { shared } from '../shared.ts';
import { startStranger } from '../strangers.ts';
import { startWholeServer } from '../whole-server.ts';

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const redirect = 'https://client.example/callback';

const serve = shared(startWholeServer);

async function start(env: Readonly<Record<string, string>> = {}) {
  const server = await serve({ SERVICE_ALLOW_INSECURE_FETCH: '1', ...env });
  return { ...server, person: await signedIn(server) };
}

function authorizeUrl(base: string, client: string, redirectUri = redirect): URL {
  const url = new URL(`${base}/oauth2/authorize`);
  const parameters = {
    ...{ response_type: 'code', client_id: client, redirect_uri: redirectUri },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

async function register(base: string, metadata: unknown) {
  const answer = await fetch(`${base}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

test('a client is known by the document at its id (client id metadata document, section 4)', async (t) => {
  const { base, person } = await start();
  const stranger = await startStranger(t);
  const id = `${stranger.url}/client.json`;
  stranger.documents.set('/client.json', {
    ...{ client_id: id, client_name: 'Far client', redirect_uris: [redirect] },
    token_endpoint_auth_method: 'none',
  });
  const { text } = await openConsent(person, authorizeUrl(base, id));
  assert.match(text, /Far client/);
  assert.ok(text.includes(new URL(id).host));
  const back = await decide(person, authorizeUrl(base, id));
  const { status } = await postForm(`${base}/oauth2/token`, {
    ...{ grant_type: 'authorization_code', code: String(back.searchParams.get('code')) },
    ...{ redirect_uri: redirect, code_verifier: verifier, client_id: id },
  });
  assert.equal(status, 200);
  assert.ok(stranger.seen.length <= replicas, 'each replica fetches it once and keeps it');
  // Who has agreed once is not asked again by a client that nobody can pass for.
  const { shown } = await openConsent(person, authorizeUrl(base, id));
  assert.equal(shown.status, 303);
});

test('a document that is not that of its address, or holds a secret, is no client', async (t) => {
  const { base, person } = await start();
  const stranger = await startStranger(t);
  const good = { client_name: 'Far client', redirect_uris: [redirect] };
  const cases: Readonly<Record<string, (id: string) => unknown>> = {
    '/other-id': () => ({ ...good, client_id: `${stranger.url}/elsewhere` }),
    '/no-id': () => good,
    '/no-name': (id) => ({ ...good, client_id: id, client_name: '' }),
    '/no-redirect': (id) => ({ ...good, client_id: id, redirect_uris: [] }),
    '/script-redirect': (id) => ({
      ...good,
      client_id: id,
      redirect_uris: ['javascript:alert(1)'],
    }),
    '/secret': (id) => ({ ...good, client_id: id, client_secret: 'everybody can read it' }),
    '/wants-secret': (id) => ({
      ...good,
      client_id: id,
      token_endpoint_auth_method: 'client_secret_post',
    }),
    '/no-keys': (id) => ({ ...good, client_id: id, token_endpoint_auth_method: 'private_key_jwt' }),
    '/large': (id) => ({ ...good, client_id: id, more: 'x'.repeat(6000) }),
    '/list': () => [good],
  };
  for (const [path, document] of Object.entries(cases)) {
    const id = stranger.url + path;
    stranger.documents.set(path, document(id));
    const { status } = await person.open(authorizeUrl(base, id).href);
    assert.equal(status, 400, path);
  }
});

test('an id that is a URL in another spelling, or leads to a private address, is not fetched (SSRF)', async (t) => {
  const { base, person } = await start({ SERVICE_ALLOW_INSECURE_FETCH: '0' });
  const stranger = await startStranger(t);
  const { port } = new URL(stranger.url);
  for (const id of [
    `https://127.0.0.1:${port}/c`,
    `https://localhost:${port}/c`,
    `https://2130706433:${port}/c`,
    `https://[::1]:${port}/c`,
    `https://[::ffff:127.0.0.1]:${port}/c`,
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/c',
    `http://localhost:${port}/c`,
    'https://client.example',
    'https://client.example/',
    'https://client.example/a/../b',
    'https://client.example/%2e%2e/b',
    'https://user@client.example/c',
    'https://client.example/c#x',
    'https://CLIENT.example/c',
    'https://client.example:443/c',
  ]) {
    const { status } = await person.open(authorizeUrl(base, id).href);
    assert.equal(status, 400, id);
    const { json } = await postForm(`${base}/oauth2/token`, {
      ...{
        grant_type: 'authorization_code',
        code: 'oac_x',
        code_verifier: verifier,
        client_id: id,
      },
    });
    assert.equal(json['error'], 'invalid_client', id);
    assert.ok(!JSON.stringify(json).includes('ECONN'), 'what can be reached is not told');
  }
  assert.deepEqual(stranger.seen, []);
});

test('hosts that know no documents register themselves (RFC 7591)', async () => {
  const { base, person } = await start();
  const metadata = {
    client_name: 'Host‮evil\n',
    redirect_uris: ['http://127.0.0.1:3334/callback', 'cursor://host/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token', 'urn:of:others'],
    ...{ response_types: ['code'], software_id: '4NRB1-0XZABZI9E6-5SM3R' },
  };
  const { status, json } = await register(base, { ...metadata, software_version: '2.2' });
  assert.equal(status, 201, JSON.stringify(json));
  assert.equal(json['client_secret'], undefined);
  // All that is kept of it is told (RFC 7591 section 3.2.1).
  assert.deepEqual([json['software_id'], json['software_version']], [metadata.software_id, '2.2']);
  assert.deepEqual(json['grant_types'], ['authorization_code', 'refresh_token']);
  assert.deepEqual((await register(base, { ...metadata, software_version: '2.2' })).json, json);
  const unnumbered = (await register(base, metadata)).json;
  assert.notEqual(unnumbered['client_id'], json['client_id'], 'its answer is another one');
  assert.ok(!('software_version' in unnumbered));
  const id = String(json['client_id']);
  const { text, shown } = await openConsent(
    person,
    authorizeUrl(base, id, 'cursor://host/callback'),
  );
  assert.match(text, /registered itself/);
  assert.ok(!text.includes('‮'));
  assert.match(String(shown.headers.get('content-security-policy')), /form-action 'self' cursor:/);
  const back = await decide(person, authorizeUrl(base, id, 'cursor://host/callback'));
  assert.ok(back.searchParams.has('code'));
  const bound = { redirect_uris: [redirect], dpop_bound_access_tokens: true };
  const confidential = (await register(base, bound)).json;
  assert.match(String(confidential['client_secret']), /^[\w-]{43}$/);
  assert.equal(confidential['dpop_bound_access_tokens'], true);
  assert.ok(!('software_id' in confidential));
});

test('what is wrong with a registration is told as RFC 7591 section 3.2.2 says', async () => {
  const { base } = await start();
  for (const [metadata, error] of [
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://client.example/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://client.example/cb#x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://u:p@client.example/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://client.example/cb' }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://localhost/cb'], application_type: 'web' }, 'invalid_redirect_uri'],
    [
      { redirect_uris: [redirect], token_endpoint_auth_method: 'tls_client_auth' },
      'invalid_client_metadata',
    ],
    [
      { redirect_uris: [redirect], token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    [{ redirect_uris: [redirect], client_name: 5 }, 'invalid_client_metadata'],
  ] as const) {
    const { status, json } = await register(base, metadata);
    assert.equal(status, 400, JSON.stringify(metadata));
    assert.equal(json['error'], error, JSON.stringify(metadata));
  }
});

test('where it is switched off nobody registers, and nobody is told to', async () => {
  const { base } = await start({ SERVICE_CLIENT_REGISTRATION: '0' });
  assert.equal((await register(base, { redirect_uris: [redirect] })).status, 403);
  const metadata = await fetch(`${base}/.well-known/oauth-authorization-server`);
  assert.equal(
    ((await metadata.json()) as object & { registration_endpoint?: string }).registration_endpoint,
    undefined,
  );
});

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
  const server = await start({ SERVICE_OAUTH_CLIENTS: JSON.stringify(clients) });
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
  return { ...server, sign, ask, signed };
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
