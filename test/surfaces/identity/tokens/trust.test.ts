import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import test from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type Ending, shared } from '../../common-server.ts';
import { personAt } from '../claiming-agent.ts';
import { signedIn } from '../consent-browser.ts';
import { serveIdentity } from '../served-identity.ts';
import { startStranger } from '../strangers.ts';
import { provider, unreadable } from '../vouching.ts';
import { startWholeServer } from '../whole-server.ts';

const revoked = 'https://schemas.workos.com/events/agent/auth/identity/assertion/revoked';
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A provider of others that publishes its key. */
async function startProvider(t: Ending) {
  const { url, documents } = await startStranger(t);
  const idp = await provider(url);
  documents.set('/.well-known/openid-configuration', { issuer: url, jwks_uri: `${url}/keys` });
  documents.set('/keys', { keys: [idp.jwk] });
  return { url, idp };
}

const serve = shared(serveIdentity);
const serveProvider = shared(startProvider);
let people = 0;

/** A server and a provider that all tests share, and a person of its own for each. */
async function start() {
  const { url, idp } = await serveProvider();
  const trusted = [
    {
      ...{ issuer: url, name: 'Provider', creates_people: true, domains: ['example.com'] },
      workloads: [{ subject: 'system:*', scopes: ['mcp.tools'] }],
    },
  ];
  const server = await serve({
    SERVICE_AUTH: 'required',
    SERVICE_ALLOW_INSECURE_FETCH: '1',
    SERVICE_TRUSTED_ISSUERS: JSON.stringify(trusted),
    SERVICE_OAUTH_CLIENTS: JSON.stringify([
      { client_id: 'host', client_secret: 'a secret of the host', grant_types: [jwtBearer] },
      {
        client_id: 'other',
        client_secret: 'a secret of the other',
        grant_types: ['client_credentials'],
      },
    ]),
  });
  // What the tests before have used of the limits of an hour is over.
  server.advance(3_600_000);
  const { base } = server;
  const sub = `u${people++}`;
  const email = `${sub}@example.com`;
  const claims = (more: JWTPayload = {}): JWTPayload => ({
    ...{ aud: base, sub, client_id: 'host', exp: idp.now() + 300, auth_time: idp.now() - 10 },
    ...{ email, email_verified: true, name: 'New', ...more },
  });
  const jag = (more: JWTPayload = {}, typ = 'oauth-id-jag+jwt') => idp.sign(claims(more), typ);
  const register = async (assertion: string) => {
    const answer = await fetch(`${base}/agent/identity`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'identity_assertion', assertion }),
    });
    const json = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, headers: answer.headers, json };
  };
  const exchange = async (form: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ grant_type: jwtBearer, ...form });
    const answer = await fetch(`${base}/oauth2/token`, { method: 'POST', body });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  const tell = async (token: string, type = 'application/secevent+jwt') => {
    const answer = await fetch(`${base}/agent/event/notify`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: token,
    });
    const text = await answer.text();
    return { status: answer.status, text };
  };
  return { ...server, idp, sub, email, jag, claims, register, exchange, tell };
}

test('an agent registers with the word of a provider, once for each assertion (ID-JAG)', async () => {
  const { jag, register, exchange, base } = await start();
  const assertion = await jag();
  const all = await Promise.all(Array.from({ length: 50 }, () => register(assertion)));
  const clean = all.filter(({ status }) => status === 200);
  assert.equal(clean.length, 1, 'of fifty posts of one assertion one counts');
  for (const { json, status } of all) {
    if (status !== 200)
      assert.ok(['replay_detected', 'rate_limited'].includes(String(json['error'])));
  }
  const { json } = clean[0] ?? assert.fail();
  assert.equal(json['status'], 'claimed');
  assert.ok(Array.isArray(json['scopes']));
  const token = await exchange({ assertion: String(json['identity_assertion']), resource: base });
  assert.equal(token.status, 200, JSON.stringify(token.json));
});

test('a provider cannot bind an agent to somebody who is known here already', async () => {
  const server = await start();
  await signedIn(server, server.email);
  const { status, json, headers } = await server.register(await server.jag({ sub: 'attacker' }));
  assert.equal(status, 401);
  assert.equal(json['error'], 'interaction_required');
  assert.equal(json['identity_assertion'], undefined);
  assert.match(String(json['claim_token']), /^clm_/);
  assert.match(String(headers.get('www-authenticate')), /^AgentAuth error="interaction_required"/);
  const foreign = await server.register(await server.jag({ email: 'eve@other.example' }));
  assert.equal(foreign.json['error'], 'missing_verified_email');
  assert.equal(foreign.status, 400);
  for (const email of ['a@evil.com@example.com', '"a b"@example.com', 'a@b', '@example.com']) {
    const none = await server.register(await server.jag({ email }));
    assert.deepEqual([none.status, none.json['error']], [400, 'missing_verified_email'], email);
  }
});

test('once the person has agreed on the page, the word of the provider is enough (8.2)', async () => {
  const server = await start();
  await signedIn(server, server.email);
  const { json } = await server.register(await server.jag());
  const claim = json['claim'] as Readonly<Record<string, string>>;
  const link = claim['verification_uri'] ?? '';
  const eve = await personAt(server.base, link, 'eve@example.com');
  assert.equal(eve.page.status, 403);
  const person = await personAt(server.base, link, server.email);
  assert.match(person.page.text, /never let an agent of this provider/);
  await person.send('/agent/identity/claim/complete', { user_code: claim['user_code'] ?? '' });
  assert.equal(person.page.status, 200, person.page.text);
  const again = await server.register(await server.jag());
  assert.equal(again.status, 200, JSON.stringify(again.json));
  assert.equal(again.json['status'], 'claimed');
});

test('each check of an assertion has its error (identity assertion authorization grant, section 6)', async () => {
  const { jag, register, idp, claims, base } = await start();
  const now = idp.now();
  const secret = idp.pem;
  const [header, payload] = [
    Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'oauth-id-jag+jwt', kid: 'k' })).toString(
      'base64url',
    ),
    Buffer.from(JSON.stringify(claims({ iss: '' }))).toString('base64url'),
  ];
  const confused = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url');
  const iss = JSON.parse(
    Buffer.from((await jag()).split('.')[1] ?? '', 'base64url').toString(),
  ).iss;
  const hs = async () => {
    const body = Buffer.from(JSON.stringify(claims({ iss, jti: randomUUID(), iat: now }))).toString(
      'base64url',
    );
    return `${header}.${body}.${createHmac('sha256', secret).update(`${header}.${body}`).digest('base64url')}`;
  };
  const none = async () => {
    const head = Buffer.from(JSON.stringify({ alg: 'none', typ: 'oauth-id-jag+jwt' })).toString(
      'base64url',
    );
    return `${head}.${(await jag()).split('.')[1]}.`;
  };
  const embedded = async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    return new SignJWT(claims({ iss, jti: randomUUID(), iat: now }))
      .setProtectedHeader({
        alg: 'ES256',
        typ: 'oauth-id-jag+jwt',
        jwk: await exportJWK(pair.publicKey),
      })
      .sign(pair.privateKey);
  };
  assert.ok(confused.length > 0);
  for (const [what, assertion, error] of [
    ['type', await jag({}, 'JWT'), 'invalid_request'],
    ['event as assertion', await jag({}, 'secevent+jwt'), 'invalid_request'],
    ['public key as secret', await hs(), 'invalid_signature'],
    ['no algorithm', await none(), 'invalid_signature'],
    ['key in the header', await embedded(), 'invalid_signature'],
    ['no issuer', await jag({ iss: 'https://evil.example' }), 'issuer_not_enabled'],
    ['expired', await jag({ exp: now - 120 }), 'expired'],
    ['not yet', await jag({ nbf: now + 240 }), 'expired'],
    ['long', await jag({ exp: now + 3600 }), 'expired'],
    ['other audience', await jag({ aud: 'https://other.example' }), 'invalid_audience'],
    ['two audiences', await jag({ aud: [base, 'https://other.example'] }), 'invalid_audience'],
    ['longer audience', await jag({ aud: `${base}.evil` }), 'invalid_audience'],
    ['other resource', await jag({ resource: 'https://other.example/mcp' }), 'invalid_audience'],
    ['no client', await jag({ client_id: undefined }), 'invalid_client_id'],
    ['list of scopes', await jag({ scope: ['mcp.tools'] }), 'invalid_request'],
    ['not verified', await jag({ email_verified: false }), 'missing_verified_email'],
    ['long ago', await jag({ auth_time: now - 7200 }), 'login_required'],
  ] as const) {
    const { status, json } = await register(assertion);
    assert.equal(json['error'], error, `${what}: ${JSON.stringify(json)}`);
    assert.equal(status, error === 'login_required' ? 401 : 400, what);
    assert.equal(json['message'], json['error_description']);
  }
});

test('a host trades an ID-JAG for a token directly, as the client that it names (enterprise-managed authorization)', async () => {
  const { jag, exchange, base } = await start();
  const host = { client_id: 'host', client_secret: 'a secret of the host' };
  const { status, json } = await exchange({
    assertion: await jag({ scope: 'mcp.tools', resource: `${base}/mcp` }),
    ...host,
  });
  assert.equal(status, 200, JSON.stringify(json));
  assert.equal(json['refresh_token'], undefined);
  assert.equal(json['scope'], 'mcp.tools');
  assert.equal(
    (await exchange({ assertion: await jag({ client_id: 'other' }), ...host })).json['error'],
    'invalid_grant',
  );
  assert.equal((await exchange({ assertion: await jag() })).json['error'], 'invalid_client');
  const other = { client_id: 'other', client_secret: 'a secret of the other' };
  const unfit = await exchange({ assertion: await jag({ client_id: 'other' }), ...other });
  assert.deepEqual([unfit.status, unfit.json['error']], [400, 'unauthorized_client']);
  assert.equal(
    (await exchange({ assertion: await jag({ aud: `${base}/mcp` }), ...host })).json['error'],
    'invalid_grant',
  );
  assert.equal(
    (await exchange({ assertion: await jag({ scope: 'audit:read' }), ...host })).json['error'],
    'invalid_scope',
  );
  const long = 'mcp.tools '.repeat(103);
  for (const scope of [['mcp.tools'], '', ' ', long, null, 5, { 'mcp.tools': true }]) {
    // A client that asks for one itself is not widened by it either.
    for (const asked of [{}, { scope: 'mcp.tools' }]) {
      const told = await exchange({ assertion: await jag({ scope }), ...host, ...asked });
      assert.deepEqual([told.status, told.json['error']], [400, 'invalid_grant'], String(scope));
      assert.match(String(told.json['error_description']), /its scope must be a text of at most/);
    }
  }
  for (const cnf of unreadable) {
    const told = await exchange({ assertion: await jag({ cnf }), ...host });
    assert.deepEqual([told.status, told.json['error']], [400, 'invalid_grant']);
    assert.match(String(told.json['error_description']), /cnf must /, JSON.stringify(cnf));
  }
});

test('a workload gets what the rules of its issuer give it (workload identity federation)', async () => {
  const { idp, exchange, base } = await start();
  const workload = (more: JWTPayload = {}) =>
    idp.sign(
      { sub: 'system:job', aud: `${base}/oauth2/token`, exp: idp.now() + 600, ...more },
      undefined,
    );
  const { status, json } = await exchange({ assertion: await workload() });
  assert.equal(status, 200, JSON.stringify(json));
  assert.equal((await exchange({ assertion: await workload({ aud: base }) })).status, 200);
  const started = await workload({ nbf: idp.now() });
  assert.equal((await exchange({ assertion: started })).status, 200);
  const early = await exchange({ assertion: await workload({ nbf: idp.now() + 300 }) });
  assert.equal(early.json['error'], 'invalid_grant');
  assert.match(String(early.json['error_description']), /its nbf must not be later than \d+/);
  assert.equal(
    (await exchange({ assertion: await workload({ sub: 'other' }) })).json['error'],
    'unauthorized_client',
  );
  assert.equal(
    (await exchange({ assertion: await workload(), scope: 'audit:read' })).json['error'],
    'invalid_scope',
  );
  assert.equal(
    (await exchange({ assertion: await workload({ aud: 'https://other.example' }) })).json['error'],
    'invalid_grant',
  );
  for (const [claims, expected] of [
    [{ sub: 5 }, /its sub must be a text of 1 to 1024 characters, not a value of the type number/],
    [{ sub: ['system:job'] }, /its sub must be .*, not a list$/],
    [{ sub: `system:${'x'.repeat(1100)}` }, /its sub must be .*, not one of 1107$/],
    [{ jti: 5 }, /its jti must be .*, not a value of the type number$/],
    [{ sub: undefined }, /it lacks sub or jti$/],
    ...unreadable.map((cnf) => [{ cnf }, /cnf must /] as const),
    [{ cnf: { jkt: 'A'.repeat(43) } }, /the proof of the key .* is missing/],
  ] as const) {
    const told = await exchange({ assertion: await workload(claims as JWTPayload) });
    assert.deepEqual([told.status, told.json['error']], [400, 'invalid_grant']);
    assert.match(String(told.json['error_description']), expected);
  }
});

test('a claim of a provider that is no text is not taken for one that is missing (ID-JAG)', async () => {
  const { jag, register } = await start();
  for (const [claims, error, expected] of [
    [{ tenant: 5 }, 'invalid_request', /its tenant must be a text .*, not a value of the type/],
    [{ tenant: '' }, 'invalid_request', /its tenant must be a text .*, not one of 0$/],
    [{ tenant: ['acme'] }, 'invalid_request', /its tenant must be a text .*, not a list$/],
    [{ tenant: null }, 'invalid_request', /its tenant must be a text .*, not null$/],
    [{ sub: 5 }, 'invalid_request', /its sub must be a text/],
    [{ client_id: {} }, 'invalid_request', /its client_id must be a text/],
    [{ client_id: undefined }, 'invalid_client_id', /its client_id is missing/],
    [{ email: ['a@example.com'] }, 'missing_verified_email', /its email must be a text/],
  ] as const) {
    const { status, json } = await register(await jag(claims as unknown as JWTPayload));
    assert.deepEqual([status, json['error']], [400, error]);
    assert.match(String(json['error_description']), expected);
  }
});

test('access tokens of the provider of the operator are taken, and its people are nobody else here', async (t) => {
  const { url, idp } = await serveProvider();
  const env = { SERVICE_ALLOW_INSECURE_FETCH: '1', SERVICE_TOKEN_ISSUER: url };
  const { base } = await startWholeServer(t, env);
  const untyped = await startWholeServer(t, { ...env, SERVICE_TOKEN_ISSUER_UNTYPED: '1' });
  const metadata = await fetch(`${base}/.well-known/oauth-protected-resource/mcp`);
  const { authorization_servers } = (await metadata.json()) as { authorization_servers: string[] };
  assert.deepEqual(authorization_servers, [url, base]);
  const token = (more: JWTPayload = {}, typ: string | undefined = 'at+jwt') => {
    const told = { sub: 'usr_1', aud: `${base}/mcp`, exp: idp.now() + 600, client_id: 'c' };
    return idp.sign({ ...told, scp: ['mcp.tools', 'openid'], ...more }, typ);
  };
  const call = async (server: string, value: string) => {
    const answer = await fetch(`${server}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${value}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    return answer.status;
  };
  assert.equal(await call(base, await token()), 200);
  assert.equal(await call(untyped.base, await token({ aud: `${untyped.base}/mcp` }, 'JWT')), 200);
  for (const [what, value] of [
    ['type', await token({}, 'JWT')],
    ['assertion', await token({}, 'oauth-id-jag+jwt')],
    ['event', await token({}, 'secevent+jwt')],
    ['audience', await token({ aud: 'https://other.example' })],
    ['audiences', await token({ aud: [`${base}/mcp`, 'https://other.example'] })],
    ['expired', await token({ exp: idp.now() - 120 })],
    ['issuer', await token({ iss: 'https://evil.example' })],
    ['own name', await token({ iss: base })],
  ] as const) {
    assert.equal(await call(base, value), 401, what);
  }
  for (const cnf of unreadable) {
    assert.equal(await call(base, await token({ cnf })), 401, JSON.stringify(cnf));
  }
});

test('an issuer ends the access of its own subjects, once for each event (RFC 8417, RFC 8935)', async () => {
  const { jag, register, exchange, tell, idp, sub, base } = await start();
  const first = await register(await jag());
  const assertion = String(first.json['identity_assertion']);
  const set = (more: object = {}, typ = 'secevent+jwt') =>
    idp.sign({ aud: base, sub, events: { [revoked]: {} }, ...more }, typ);
  const other = await tell(await set({ sub: 'somebody else' }));
  assert.equal(other.status, 202);
  assert.equal((await exchange({ assertion })).status, 200);
  const event = await set();
  const told = await tell(event);
  assert.equal(told.status, 202, told.text);
  assert.equal(told.text, '');
  assert.equal((await exchange({ assertion })).json['error'], 'invalid_grant');
  const again = await register(await jag());
  assert.equal(
    again.json['error'],
    'interaction_required',
    'the provider alone is not enough any more',
  );
  assert.equal((await tell(event)).status, 202, 'the same event again is a retransmission');
  for (const [token, err] of [
    [await set({ iss: 'https://evil.example' }), 'invalid_issuer'],
    [await set({ aud: 'https://other.example' }), 'invalid_audience'],
    [await set({}, 'JWT'), 'invalid_request'],
    [await set({ iat: idp.now() - 8 * 86_400 }), 'invalid_request'],
    [await set({ events: {} }), 'invalid_request'],
    [await set({ sub: undefined }), 'invalid_request'],
    [
      await set({ sub_id: { format: 'iss_sub', iss: 'https://evil.example', sub: 'u1' } }),
      'invalid_request',
    ],
    ['x', 'invalid_request'],
  ] as const) {
    const { status, text } = await tell(token);
    assert.equal(status, 400, text);
    assert.equal(JSON.parse(text).err, err);
  }
  for (const type of ['application/json', 'text/plain']) {
    const { status, text } = await tell(await set(), type);
    const { err, description } = JSON.parse(text);
    assert.deepEqual([status, err], [400, 'invalid_request']);
    assert.ok(description.startsWith('Content-Type must be application/secevent+jwt'), text);
  }
  assert.equal((await tell('')).status, 400);
  const unknown = await set({ sub: undefined, events: { 'urn:unknown': {} } });
  assert.equal((await tell(unknown)).status, 202);
});
