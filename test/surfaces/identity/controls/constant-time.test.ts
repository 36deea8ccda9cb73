import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import test from 'node:test';
import { Agent, codeOn, personAt } from '../claiming-agent.ts';
import { browser, decide } from '../consent-browser.ts';
import { serveIdentity } from '../served-identity.ts';

// Times cannot be measured on a machine that others use, so what is looked at is whether the
// comparison is the one that takes the same time for all values.

const redirect = 'https://client.example/callback';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const clients = [
  { client_id: 'host', redirect_uris: [redirect] },
  {
    ...{ client_id: 'batch', client_secret: 'the secret of the batch client' },
    ...{ token_endpoint_auth_method: 'client_secret_post', grant_types: ['client_credentials'] },
  },
];

test('codes, secrets and verifiers are compared in constant time (threat 11)', async (t) => {
  const { base } = await serveIdentity(t, {
    SERVICE_AUTH: 'required',
    SERVICE_OAUTH_CLIENTS: JSON.stringify(clients),
  });
  const agent = new Agent(base);
  const email = 'ada@example.com';
  const { claimToken, link = '' } = await agent.register({ type: 'service_auth', email });
  const person = await personAt(base, link, email);
  const { timingSafeEqual } = crypto;
  let compared = 0;
  crypto.timingSafeEqual = (one, other) => {
    compared += 1;
    return timingSafeEqual(one, other);
  };
  syncBuiltinESMExports();
  t.after(() => {
    crypto.timingSafeEqual = timingSafeEqual;
    syncBuiltinESMExports();
  });
  const compares = async (what: string, act: () => Promise<{ readonly status: number }>) => {
    compared = 0;
    const { status } = await act();
    assert.ok(compared > 0, `${what} is compared in constant time`);
    return status;
  };

  const enter = '/agent/identity/claim/complete';
  const typed = () => person.send(enter, { user_code: 'BBBB-BBBB' });
  assert.equal(await compares('the typed code', typed), 400);
  await person.send('/agent/claim/confirm');
  const code = codeOn(person);
  const wrong = () => agent.complete(claimToken, 'BBBB-BBBB');
  assert.equal(await compares('the code of the page', wrong), 401);
  assert.equal(await compares('the right one', () => agent.complete(claimToken, code)), 200);

  const prove = (client_secret: string) => () =>
    agent.token({ grant_type: 'client_credentials', client_id: 'batch', client_secret });
  assert.equal(await compares('the secret of a client', prove('the secret of another')), 401);

  const session = browser(new Map([['session', String(person.cookie('session'))]]));
  const begin = new URL(`${base}/oauth2/authorize`);
  begin.search = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'host', redirect_uri: redirect, scope: 'mcp.tools' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  }).toString();
  const back = await decide(session, begin.href);
  const trade = () =>
    agent.token({
      ...{ grant_type: 'authorization_code', code: String(back.searchParams.get('code')) },
      ...{ client_id: 'host', redirect_uri: redirect, code_verifier: `${verifier}x` },
    });
  assert.equal(await compares('the verifier', trade), 400);
});
