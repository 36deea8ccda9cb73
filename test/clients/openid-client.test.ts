import assert from 'node:assert/strict';
import test from 'node:test';
import * as oidc from 'openid-client';
import { decide, signedIn } from '../surfaces/identity/consent-browser.ts';
import { startWholeServer } from '../surfaces/identity/whole-server.ts';

const redirect = 'https://client.example/callback';
const secret = 'a secret of the web client';
const clients = [
  {
    ...{ client_id: 'web', client_secret: secret, client_name: 'Web' },
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    scope: 'mcp.tools',
  },
];

test('openid-client logs in, refreshes, asks what a token is worth, and revokes it', async (t) => {
  const server = await startWholeServer(t, { SERVICE_OAUTH_CLIENTS: JSON.stringify(clients) });
  const { base } = server;
  const person = await signedIn(server);
  const config = await oidc.discovery(new URL(base), 'web', secret, undefined, {
    algorithm: 'oauth2',
    execute: [oidc.allowInsecureRequests],
  });
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const url = await oidc.buildAuthorizationUrlWithPAR(config, {
    ...{ redirect_uri: redirect, scope: 'mcp.tools', state, resource: base },
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const back = await decide(person, url);
  const granted = await oidc.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  assert.equal(granted.scope, 'mcp.tools');
  const narrowed = await oidc.refreshTokenGrant(config, String(granted.refresh_token), {
    resource: `${base}/mcp`,
  });
  const worth = await oidc.tokenIntrospection(config, narrowed.access_token);
  assert.equal(worth.active, true);
  assert.equal(worth.aud, `${base}/mcp`);
  assert.equal(worth.client_id, 'web');
  await oidc.tokenRevocation(config, narrowed.access_token);
  assert.equal((await oidc.tokenIntrospection(config, narrowed.access_token)).active, false);
  const own = await oidc.clientCredentialsGrant(config, { scope: 'mcp.tools' });
  assert.equal(own.token_type, 'bearer');
  await oidc.tokenRevocation(config, String(narrowed.refresh_token));
  await assert.rejects(oidc.refreshTokenGrant(config, String(narrowed.refresh_token)), /./);
});
