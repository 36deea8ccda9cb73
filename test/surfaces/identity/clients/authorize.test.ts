import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import * as oauth from 'oauth4webapi';
import { storeWith } from '#contract/house/store';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import { refreshGraceMs } from '../../../../runtime/surfaces/identity/numbers.ts';
import { createGrantRecords } from '../../../../runtime/surfaces/identity/records/grants.ts';
import { secretHash } from '../../../../runtime/surfaces/identity/secrets/secret.ts';
import { shared } from '../../common-server.ts';
import { postForm } from '../agent.ts';
import { browser, decide, formOf, leadsTo, openConsent, signedIn } from '../consent-browser.ts';
import { startWholeServer } from '../whole-server.ts';

const insecure = { [oauth.allowInsecureRequests]: true };
const redirect = 'http://127.0.0.1:7777/callback';
const configured = [
  {
    client_id: 'web',
    client_secret: 'a secret of the web client',
    client_name: 'Web client',
    redirect_uris: ['https://client.example/callback', 'https://client.example/other?keep=1'],
  },
  {
    client_id: 'native',
    client_name: 'Native client',
    redirect_uris: [redirect, 'app.example:/cb'],
  },
];

const serve = shared(startWholeServer);

/** Somebody new, at the server of all tests or at one of its own: an address begins sixty times a minute. */
async function start(t?: TestContext) {
  const env = { SERVICE_OAUTH_CLIENTS: JSON.stringify(configured) };
  const server = await (t ? startWholeServer(t, env) : serve(env));
  const issuer = new URL(server.base);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
  const person = await signedIn(server);
  return { ...server, as, person };
}

type Started = Awaited<ReturnType<typeof start>>;

const native: oauth.Client = { client_id: 'native' };

/** Make the address to which a client sends a person. */
async function request(as: oauth.AuthorizationServer, more: Readonly<Record<string, string>> = {}) {
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(String(as.authorization_endpoint));
  const parameters = {
    response_type: 'code',
    client_id: 'native',
    redirect_uri: redirect,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: 'the state',
    scope: 'mcp.tools',
    resource: `${as.issuer}/mcp`,
    ...more,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== '') url.searchParams.set(name, value);
  }
  return { url, verifier };
}

/** Let the client in and trade the code. */
async function tokens({ as, person }: Started, more: Readonly<Record<string, string>> = {}) {
  const { url, verifier } = await request(as, more);
  const back = await decide(person, url);
  const parameters = oauth.validateAuthResponse(as, native, back, 'the state');
  const trade = () =>
    oauth.authorizationCodeGrantRequest(
      as,
      native,
      oauth.None(),
      parameters,
      redirect,
      verifier,
      insecure,
    );
  const answer = await oauth.processAuthorizationCodeResponse(as, native, await trade());
  return { answer, trade };
}

async function callMcp(base: string, token: string | undefined) {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  return fetch(`${base}/mcp`, { method: 'POST', headers, body });
}

test('a client of others is let in by a person and calls tools (oauth4webapi; OAuth 2.1 section 4.1)', async () => {
  const server = await start();
  const { answer } = await tokens(server);
  assert.equal(answer.scope, 'mcp.tools');
  assert.equal(answer.expires_in, 3600);
  assert.equal((await callMcp(server.base, answer.access_token)).status, 200);
  assert.equal((await callMcp(server.base, undefined)).status, 401);
  const claims = JSON.parse(
    Buffer.from(answer.access_token.split('.')[1] ?? '', 'base64url').toString(),
  );
  assert.equal(claims.aud, `${server.base}/mcp`);
  assert.equal(claims.sub, server.person.user);
  assert.equal(claims.client_id, 'native');
  assert.deepEqual(claims.amr, ['pwd']);
});

test('the page names the client, where it leads and what it asks for, and is framed by nobody', async () => {
  const { as, person } = await start();
  const { url } = await request(as);
  const { shown, text } = await openConsent(person, url);
  assert.match(text, /Native client/);
  assert.match(text, /127\.0\.0\.1:7777/);
  assert.match(text, /Use the tools of this server/);
  assert.match(text, /not proven/);
  assert.match(String(shown.headers.get('content-security-policy')), /frame-ancestors 'none'/);
  assert.match(String(shown.headers.get('cache-control')), /no-store/);
});

test('a person can say no, and the client hears it with iss and state (RFC 9207)', async () => {
  const { as, person, base } = await start();
  const { url } = await request(as);
  const back = await decide(person, url, 'deny');
  assert.equal(back.searchParams.get('error'), 'access_denied');
  assert.equal(back.searchParams.get('iss'), base);
  assert.equal(back.searchParams.get('state'), 'the state');
  assert.equal(back.searchParams.get('code'), null);
});

test('whoever has not signed in does so first', async () => {
  const { as } = await start();
  const { url } = await request(as);
  const { shown } = await openConsent(browser(), url);
  assert.equal(shown.status, 303);
  assert.match(String(shown.headers.get('location')), /^\/sign-in\?return_to=%2Foauth2%2Fconsent/);
  const silent = await request(as, { prompt: 'none' });
  const back = await decide(browser(), silent.url);
  assert.equal(back.searchParams.get('error'), 'login_required');
});

test('no redirect is followed that the client has not registered to the letter (RFC 9700 section 4.1)', async (t) => {
  const { as, person } = await start(t);
  for (const [client_id, redirect_uri] of [
    ['web', 'https://client.example/callback/'],
    ['web', 'https://client.example/callback?x=1'],
    ['web', 'https://client.example/callback#x'],
    ['web', 'https://client.example/callback/../evil'],
    ['web', 'https://client.example:444/callback'],
    ['web', 'https://client.example@evil.example/callback'],
    ['web', 'https://client.example.evil.example/callback'],
    ['web', 'http://client.example/callback'],
    ['web', 'HTTPS://client.example/callback'],
    ['web', 'https://client.example/callback\\@evil.example'],
    ['web', 'https://client.example/%63allback'],
    ['web', 'javascript:alert(1)//https://client.example/callback'],
    ['web', '//client.example/callback'],
    ['native', 'http://127.0.0.1:7777/callback/x'],
    ['native', 'http://127.0.0.1:7777/callback?x'],
    ['native', 'http://127.0.0.1.evil.example:7777/callback'],
    ['native', 'http://127.0.0.1:7777@evil.example/callback'],
    ['native', 'http://127.0.0.1:7777:80/callback'],
    ['native', 'http://localhost:7777/callback'],
    ['native', 'http://127.0.0.2:7777/callback'],
    ['native', 'https://127.0.0.1:7777/callback'],
    ['native', 'app.example:/cb2'],
    ['nobody', redirect],
    ['', redirect],
    ['web', ''],
  ] as const) {
    const { url } = await request(as, { client_id, redirect_uri });
    const answer = await person.open(url.href);
    assert.equal(answer.status, 400, `${client_id} ${redirect_uri}`);
    assert.equal(answer.headers.get('location'), null);
    assert.match(String(answer.headers.get('content-type')), /text\/html/);
  }
});

test('an installed program may listen on any port of its machine (RFC 8252 section 7.3)', async () => {
  const { as, person } = await start();
  for (const redirect_uri of [
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1/callback',
    'app.example:/cb',
  ]) {
    const { url } = await request(as, { redirect_uri });
    const back = await decide(person, url);
    assert.ok(back.href.startsWith(redirect_uri), back.href);
    assert.ok(back.searchParams.has('code'));
  }
});

test('what else is wrong is told to the client with its state (RFC 6749 section 4.1.2.1)', async (t) => {
  const { as, person, base } = await start(t);
  for (const [more, error] of [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: '' }, 'invalid_request'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    [{ resource: `${base}.evil.example` }, 'invalid_target'],
    [{ resource: `${base}/mcp#x` }, 'invalid_target'],
    [{ scope: 'audit:read' }, 'invalid_scope'],
    [{ scope: 'no.such.scope' }, 'invalid_scope'],
    [{ request: 'eyJ' }, 'request_not_supported'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
  ] as const) {
    const { url } = await request(as, more);
    const answer = await person.open(url.href);
    const back = new URL(String(answer.headers.get('location')));
    assert.equal(back.searchParams.get('error'), error, JSON.stringify(more));
    assert.equal(back.searchParams.get('state'), 'the state');
    assert.equal(back.searchParams.get('iss'), base);
    assert.ok(back.href.startsWith(redirect));
  }
});

test('a code is used once, and what came of it is taken back when it comes again (RFC 9700 section 2.1.1)', async () => {
  const server = await start();
  const { answer, trade } = await tokens(server);
  assert.equal((await callMcp(server.base, answer.access_token)).status, 200);
  const again = await trade();
  assert.equal(again.status, 400);
  assert.equal(((await again.json()) as { error: string }).error, 'invalid_grant');
  assert.equal((await callMcp(server.base, answer.access_token)).status, 401);
  const { json } = await postForm(String(server.as.token_endpoint), {
    grant_type: 'refresh_token',
    refresh_token: String(answer.refresh_token),
    client_id: 'native',
  });
  assert.equal(json['error'], 'invalid_grant');
});

test('of many who bring one code at the same time, nobody keeps more than one token', async () => {
  const server = await start();
  const { url, verifier } = await request(server.as);
  const back = await decide(server.person, url);
  const form = {
    grant_type: 'authorization_code',
    code: String(back.searchParams.get('code')),
    redirect_uri: redirect,
    code_verifier: verifier,
    client_id: 'native',
  };
  const all = await Promise.all(
    Array.from({ length: 20 }, () => postForm(String(server.as.token_endpoint), form)),
  );
  assert.equal(all.filter(({ status }) => status === 200).length <= 1, true);
  const token = all.find(({ status }) => status === 200)?.json['access_token'];
  // It was used again, so even the one is worth nothing.
  assert.equal((await callMcp(server.base, String(token))).status, 401);
});

test('a code is worth nothing to others, with another verifier, redirect or resource', async () => {
  const server = await start();
  const { as, person } = server;
  for (const [change, error] of [
    [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    [{ code_verifier: '' }, 'invalid_grant'],
    [{ redirect_uri: 'http://127.0.0.1:7778/callback' }, 'invalid_grant'],
    [{ resource: server.base }, 'invalid_target'],
    [{ resource: 'https://elsewhere.example' }, 'invalid_target'],
    [{ client_id: 'web', client_secret: 'a secret of the web client' }, 'invalid_grant'],
    [{ client_id: 'web' }, 'invalid_client'],
    [{ client_id: 'nobody' }, 'invalid_client'],
  ] as const) {
    const { url, verifier } = await request(as);
    const back = await decide(person, url);
    const { json, status } = await postForm(String(as.token_endpoint), {
      grant_type: 'authorization_code',
      code: String(back.searchParams.get('code')),
      redirect_uri: redirect,
      code_verifier: verifier,
      client_id: 'native',
      ...change,
    });
    assert.equal(json['error'], error, JSON.stringify(change));
    assert.equal(status, error === 'invalid_client' ? 401 : 400);
  }
});

test('however many look at a code before it is spent, one spends it', async () => {
  const server = await start();
  const { url } = await request(server.as);
  const back = await decide(server.person, url);
  const store = storeWith<IdentityTables>(server.service.engines.store);
  const grants = createGrantRecords({ store, tenant: 'default', now: Date.now });
  const hash = secretHash(String(back.searchParams.get('code')));
  const spent = await Promise.all(Array.from({ length: 20 }, () => grants.spendCode(hash)));
  assert.equal(spent.filter((isFirst) => isFirst).length, 1);
});

test('refresh tokens rotate; a spent one that comes again ends all of them (RFC 9700 section 4.14.2)', async (t) => {
  // The house takes the clock when it is made.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const server = await start(t);
  const { answer } = await tokens(server);
  const refresh = (value: unknown, more = {}) =>
    postForm(String(server.as.token_endpoint), {
      grant_type: 'refresh_token',
      refresh_token: String(value),
      client_id: 'native',
      ...more,
    });
  const first = answer.refresh_token;
  t.mock.timers.setTime(Date.now() + 1000);
  const second = await refresh(first);
  assert.equal(second.status, 200);
  assert.notEqual(second.json['refresh_token'], first);
  assert.equal((await callMcp(server.base, String(second.json['access_token']))).status, 200);
  const wider = await refresh(second.json['refresh_token'], { scope: 'mcp.tools audit:read' });
  assert.equal(wider.json['error'], 'invalid_scope', 'a wish for more does not cost the token');
  const all = await Promise.all(
    Array.from({ length: 10 }, () => refresh(second.json['refresh_token'])),
  );
  const values = new Set(all.map(({ json }) => json['refresh_token']));
  const [third, ...others] = values;
  assert.deepEqual(others, [], 'whoever asks again within seconds gets the same one');
  const { access_token: token } = all[0]?.json ?? {};
  assert.equal((await callMcp(server.base, String(token))).status, 200);
  t.mock.timers.setTime(Date.now() + refreshGraceMs);
  const reused = await refresh(second.json['refresh_token']);
  assert.deepEqual([reused.status, reused.json['error']], [400, 'invalid_grant']);
  // One of two has stolen it, and nobody knows which.
  assert.equal((await refresh(third)).json['error'], 'invalid_grant');
  assert.equal((await callMcp(server.base, String(token))).status, 401);
});

test('a form that the page has not made counts for nothing', async () => {
  const server = await start();
  const { as, person } = server;
  const { url } = await request(as);
  const { page, text } = await openConsent(person, url);
  const target = new URL('/oauth2/consent', page).href;
  const form = formOf(text);
  form.set('decision', 'allow');
  const forged = new URLSearchParams(form);
  forged.set('token', 'x');
  assert.equal((await person.send(target, forged)).status, 403);
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  assert.equal((await person.send(target, form, foreign)).status, 403);
  const other = await signedIn(server);
  assert.equal((await other.send(target, form)).status, 403);
  const more = new URLSearchParams(form);
  more.append('scope', 'audit:read');
  const back = new URL(String((await person.send(target, more)).headers.get('location')));
  assert.ok(back.searchParams.has('code'), 'what was not asked for is not given either');
  assert.equal((await person.send(target, form)).status, 404, 'it is decided once');
});

test('a request can be sent ahead, for one use, by the client that it is of (RFC 9126)', async () => {
  const { as, person } = await start();
  const { url, verifier } = await request(as);
  const pushed = await oauth.processPushedAuthorizationResponse(
    as,
    native,
    await oauth.pushedAuthorizationRequest(as, native, oauth.None(), url.searchParams, insecure),
  );
  const short = new URL(String(as.authorization_endpoint));
  short.searchParams.set('client_id', 'native');
  short.searchParams.set('request_uri', pushed.request_uri);
  const foreign = new URL(short);
  foreign.searchParams.set('client_id', 'web');
  assert.equal((await person.open(foreign.href)).status, 400);
  const { begun } = await openConsent(person, short);
  assert.equal(begun.status, 303, 'another client has not used it up');
  assert.equal((await person.open(short.href)).status, 400);
  const wrong = await postForm(String(as.pushed_authorization_request_endpoint), {
    client_id: 'native',
    redirect_uri: 'https://evil.example/',
    response_type: 'code',
  });
  assert.equal(wrong.json['error'], 'invalid_request');
  assert.ok(verifier.length >= 43);
});

test('the consent pages of two clients in one browser can both be answered, the older one first', async () => {
  const { as, person } = await start();
  const pages = [];
  for (const state of ['one', 'two']) {
    const { url } = await request(as, { state });
    pages.push(await openConsent(person, url));
  }
  for (const [index, { page, text }] of pages.entries()) {
    const form = formOf(text);
    form.set('decision', 'allow');
    const target = new URL('/oauth2/consent', page).href;
    const back = leadsTo(await person.send(target, form), target);
    assert.equal(back.searchParams.get('state'), ['one', 'two'][index]);
    assert.notEqual(back.searchParams.get('code') ?? '', '');
  }
});
