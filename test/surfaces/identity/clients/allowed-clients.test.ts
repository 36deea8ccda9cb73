import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bearer, rpc } from '../agent.ts';
import { type Browser, decide, formOf, signedIn } from '../consent-browser.ts';
import { startWholeServer } from '../whole-server.ts';

// What people have let in with their browser stands beside the agents that they have claimed.

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const redirect = 'https://client.example/callback';

async function start(t: TestContext) {
  const server = await startWholeServer(t, {
    SERVICE_PROVIDER: 'osv',
    SERVICE_OAUTH_CLIENTS: JSON.stringify([
      { client_id: 'c', client_name: 'Code <host>', redirect_uris: [redirect] },
    ]),
  });
  const ask = async (form: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ client_id: 'c', ...form });
    const answer = await fetch(`${server.base}/oauth2/token`, { method: 'POST', body });
    return (await answer.json()) as Record<string, string>;
  };
  const letIn = async (person: Browser) => {
    const url = new URL(`${server.base}/oauth2/authorize`);
    url.search = new URLSearchParams({
      ...{ response_type: 'code', client_id: 'c', redirect_uri: redirect, scope: 'mcp.tools' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    }).toString();
    const code = String((await decide(person, url)).searchParams.get('code'));
    const form = { code, redirect_uri: redirect, code_verifier: verifier };
    return ask({ grant_type: 'authorization_code', ...form });
  };
  const agents = (...words: string[]) => server.service.commands['agents']?.(words, {});
  return { ...server, ask, letIn, agents };
}

test('a person sees a client that they have let in, and revokes it with all its tokens', async (t) => {
  const server = await start(t);
  const { base, ask, letIn } = server;
  const person = await signedIn(server);
  const eve = await signedIn(server, 'eve@example.com');
  const issued = await letIn(person);
  const access = bearer(String(issued['access_token']));
  assert.equal((await rpc(base, 'ping', {}, access)).status, 200);
  const read = async () => (await person.open(`${base}/agents`)).text();
  let text = await read();
  // Nobody waits until it is written down that a client was used.
  while (text.includes('Last used: never')) text = await read();
  assert.match(text, /“<bdi>Code &lt;host&gt;<\/bdi>”/);
  assert.match(text, /A client that you let in, since [^.]*\. Last used: 20\d\d/);
  assert.match(text, /<li>Use the tools of this server/);
  const hers = await (await eve.open(`${base}/agents`)).text();
  assert.match(hers, /Nothing acts for you/);

  const form = formOf(text);
  const own = formOf(hers);
  own.set('id', String(form.get('id')));
  await eve.send(`${base}/agents/revoke`, own);
  assert.equal((await rpc(base, 'ping', {}, access)).status, 200, 'it is not hers');
  const sent = await person.send(`${base}/agents/revoke`, form);
  assert.equal(sent.headers.get('location'), '/agents?revoked=1');
  assert.equal((await rpc(base, 'ping', {}, access)).status, 401);
  const refresh_token = String(issued['refresh_token']);
  assert.equal(
    (await ask({ grant_type: 'refresh_token', refresh_token }))['error'],
    'invalid_grant',
  );
  const after = await (await person.open(`${base}/agents`)).text();
  assert.match(after, /Nothing acts for you/);
  // Whoever comes back is asked again, and gets what the end of the former does not concern.
  const again = await letIn(person);
  assert.ok(again['refresh_token']);
});

test('the terminal lists, shows and revokes it as well', async (t) => {
  const server = await start(t);
  const { base, letIn, agents } = server;
  assert.equal(await agents('list'), 'no agent has registered, and no client was let in');
  const person = await signedIn(server);
  const issued = await letIn(person);
  const listed = String(await agents('list'));
  const [, id = ''] = /^(grt_\S+) +allowed +20\S+ +Code <host>$/m.exec(listed) ?? [];
  assert.ok(id !== '', listed);
  const shown = async () => JSON.parse(String(await agents('show', id)));
  // That it was used is noted behind the answer.
  while ((await shown()).used_at === undefined) await new Promise(setImmediate);
  const facts = await shown();
  assert.deepEqual(
    { kind: facts.kind, client: facts.client_id, user: facts.user, scopes: facts.scopes },
    { kind: 'oauth', client: 'c', user: person.user, scopes: ['mcp.tools'] },
  );
  assert.match(facts.used_at, /^20/);
  assert.equal(await agents('revoke', id), `${id} is revoked, with all its tokens`);
  assert.equal(await agents('revoke', id), `${id} was revoked before`);
  assert.match(String(await agents('list')), /grt_\S+ +revoked/);
  const access = bearer(String(issued['access_token']));
  assert.equal((await rpc(base, 'ping', {}, access)).status, 401);
  await assert.rejects(async () => agents('show', 'grt_x'), /there is no agent "grt_x"/);
});
