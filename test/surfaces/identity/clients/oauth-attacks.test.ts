import assert from 'node:assert/strict';
import test from 'node:test';
import { storeWith } from '#contract/house/store';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import { shared } from '../../common-server.ts';
import { decide, openConsent, signedIn } from '../consent-browser.ts';
import { startStranger } from '../strangers.ts';
import { startWholeServer } from '../whole-server.ts';

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const redirect = 'https://client.example/callback';
const clients = [
  { client_id: 'one', redirect_uris: [redirect], client_name: '<script>alert(1)</script>' },
  { client_id: 'two', redirect_uris: [redirect] },
];

const serve = shared(startWholeServer);

async function start() {
  const server = await serve({
    SERVICE_ALLOW_INSECURE_FETCH: '1',
    SERVICE_OAUTH_CLIENTS: JSON.stringify(clients),
  });
  const { base } = server;
  const ask = async (form: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${base}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    return { status: answer.status, json: (await answer.json()) as Record<string, string> };
  };
  const begin = (more: Readonly<Record<string, string>> = {}) => {
    const url = new URL(`${base}/oauth2/authorize`);
    url.search = new URLSearchParams({
      ...{ response_type: 'code', client_id: 'one', redirect_uri: redirect },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', ...more },
    }).toString();
    return url;
  };
  const trade = (back: URL, more: Readonly<Record<string, string>> = {}) =>
    ask({
      ...{ grant_type: 'authorization_code', code: String(back.searchParams.get('code')) },
      ...{ redirect_uri: redirect, code_verifier: verifier, client_id: 'one', ...more },
    });
  return { ...server, person: await signedIn(server), ask, begin, trade };
}

test('a parameter that comes twice is refused, whichever of the two would be believed', async () => {
  const { begin, person, ask, base } = await start();
  for (const [name, value] of [
    ['redirect_uri', 'https://evil.example/'],
    ['client_id', 'two'],
    ['code_challenge', 'x'.repeat(43)],
    ['resource', 'https://evil.example/'],
  ] as const) {
    const url = begin({ resource: base });
    url.searchParams.append(name, value);
    const answer = await person.open(url.href);
    assert.equal(answer.status, 400, name);
    assert.equal(answer.headers.get('location'), null);
  }
  const twice = await fetch(`${base}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=authorization_code&code=a&code=b&client_id=one',
  });
  assert.equal(twice.status, 400);
  assert.equal(((await twice.json()) as { error: string }).error, 'invalid_request');
  assert.equal(
    (await ask({ grant_type: 'password', client_id: 'one' })).json['error'],
    'unsupported_grant_type',
  );
});

test('a refresh token in the hands of another client is worth nothing, and costs its owner nothing', async () => {
  const { begin, person, trade, ask } = await start();
  const { json } = await trade(await decide(person, begin()));
  const refresh = (client_id: string) =>
    ask({ grant_type: 'refresh_token', refresh_token: String(json['refresh_token']), client_id });
  assert.equal((await refresh('two')).json['error'], 'invalid_grant');
  assert.equal((await refresh('one')).status, 200);
});

test('a token for the MCP endpoint is none for other routes, and none is widened by a refresh', async () => {
  const { begin, person, trade, ask, base } = await start();
  const { json } = await trade(await decide(person, begin({ resource: `${base}/mcp` })));
  const wider = await ask({
    ...{ grant_type: 'refresh_token', refresh_token: String(json['refresh_token']) },
    ...{ client_id: 'one', resource: base },
  });
  assert.equal(wider.json['error'], 'invalid_target');
  const route = await fetch(`${base}/agent/identity/reg_x`, {
    headers: { authorization: `Bearer ${json['access_token']}` },
  });
  assert.ok(route.status === 401 || route.status === 404, String(route.status));
});

test('what a client calls itself is text on the page, and nothing more', async () => {
  const { begin, person } = await start();
  const { text, shown } = await openConsent(person, begin());
  assert.ok(!text.includes('<script>'));
  assert.match(text, /&lt;script&gt;/);
  assert.match(String(shown.headers.get('content-security-policy')), /default-src 'none'/);
});

test('what a person agreed to ends when the client is no longer what it was', async (t) => {
  const { begin, person, trade, ask, service } = await start();
  const stranger = await startStranger(t);
  const id = `${stranger.url}/c`;
  stranger.documents.set('/c', { client_id: id, client_name: 'C', redirect_uris: [redirect] });
  const { json } = await trade(await decide(person, begin({ client_id: id })), { client_id: id });
  assert.equal((await openConsent(person, begin({ client_id: id }))).shown.status, 303);
  // As if its redirect addresses, keys or proof had been others then.
  const { db } = storeWith<IdentityTables>(service.engines.store);
  await db
    .updateTable('identity_grant')
    .set({ client_digest: 'another' })
    .where('user', '=', person.user)
    .execute();
  assert.equal((await openConsent(person, begin({ client_id: id }))).shown.status, 200);
  const refresh_token = String(json['refresh_token']);
  const refreshed = await ask({ grant_type: 'refresh_token', refresh_token, client_id: id });
  assert.equal(refreshed.json['error'], 'invalid_grant');
});

test('a request that was decided, or was never made, leads nowhere', async () => {
  const { begin, person, base } = await start();
  const { page } = await openConsent(person, begin());
  await decide(person, begin());
  for (const key of ['oar_x', '', '../', page.searchParams.get('request')?.slice(0, -1) ?? '']) {
    const answer = await person.open(`${base}/oauth2/consent?request=${encodeURIComponent(key)}`);
    assert.ok(answer.status === 404 || answer.status === 400, key);
  }
});
