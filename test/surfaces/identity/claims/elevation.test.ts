import assert from 'node:assert/strict';
import test from 'node:test';
import { shared } from '../../common-server.ts';
import { decide, formOf, signedIn } from '../consent-browser.ts';
import { startWholeServer } from '../whole-server.ts';

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const redirect = 'https://client.example/callback';
const scope = 'provider:github:read';

const serve = shared(startWholeServer);

async function start() {
  const server = await serve({
    SERVICE_PROVIDER: 'github',
    SERVICE_PROVIDER_AUTH_JSON: '{"github":"a token of the operator"}',
    SERVICE_OAUTH_CLIENTS: JSON.stringify([
      { client_id: 'c', client_name: 'A host', redirect_uris: [redirect] },
    ]),
  });
  const { base } = server;
  const person = await signedIn(server);
  const url = new URL(`${base}/oauth2/authorize`);
  url.search = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'c', redirect_uri: redirect, scope: 'mcp.tools' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  }).toString();
  const back = await decide(person, url);
  const ask = async (form: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ client_id: 'c', ...form });
    const answer = await fetch(`${base}/oauth2/token`, { method: 'POST', body });
    return (await answer.json()) as Record<string, string>;
  };
  const first = await ask({
    ...{ grant_type: 'authorization_code', code: String(back.searchParams.get('code')) },
    ...{ redirect_uri: redirect, code_verifier: verifier },
  });
  const call = async (token: string | undefined) => {
    const answer = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'github_users_get_me', arguments: {} },
      }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { ...server, person, ask, first, call };
}

test('a person gives more on a page, once, and the next refresh has it', async () => {
  const server = await start();
  const { person, ask, first, call } = server;
  const refused = await call(first['access_token']);
  assert.equal(refused.status, 403, refused.text);
  assert.match(String(refused.headers.get('www-authenticate')), /insufficient_scope/);
  const [, page = ''] = /"elevation_url":"([^"]+)"/.exec(refused.text) ?? [];
  assert.ok(page !== '', refused.text);
  const eve = await signedIn(server);
  assert.equal((await eve.open(page)).status, 404, 'nobody else can give it');
  assert.equal((await person.open(`${page}x`)).status, 404, 'nobody else can write it');
  const shown = await person.open(page);
  const text = await shown.text();
  assert.match(text, /Read from GitHub/);
  assert.match(text, /“A host”/, 'who asks');
  const form = formOf(text);
  form.set('decision', 'allow');
  const target = `${server.base}/oauth2/elevate`;
  assert.equal((await eve.send(target, form)).status, 403);
  assert.equal((await person.send(target, form)).status, 200);
  assert.equal((await person.send(target, form)).status, 404, 'once');
  assert.equal((await person.open(page)).status, 404, 'the page shows nothing that is over');
  const next = await ask({
    grant_type: 'refresh_token',
    refresh_token: String(first['refresh_token']),
  });
  assert.ok(String(next['scope']).split(' ').includes(scope), JSON.stringify(next));
  assert.notEqual((await call(next['access_token'])).status, 403);
});

test('the page of what was revoked since is gone', async () => {
  const { base, person, first, call } = await start();
  const { text } = await call(first['access_token']);
  const [, page = ''] = /"elevation_url":"([^"]+)"/.exec(text) ?? [];
  assert.equal((await person.open(page)).status, 200);
  const body = new URLSearchParams({ client_id: 'c', token: String(first['refresh_token']) });
  assert.equal((await fetch(`${base}/oauth2/revoke`, { method: 'POST', body })).status, 200);
  const agents = await (await person.open(`${base}/agents`)).text();
  const fields = formOf(agents);
  if (fields.has('id')) await person.send(`${base}/agents/revoke`, fields);
  assert.equal((await person.open(page)).status, 404);
});
