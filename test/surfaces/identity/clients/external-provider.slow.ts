import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import Provider from 'oidc-provider';
import { bearer, rpc } from '../agent.ts';
import { Agent, codeOn, personAt } from '../claiming-agent.ts';
import { serveIdentity } from '../served-identity.ts';

const machine = {
  ...{ client_id: 'machine', client_secret: 'a secret of the machine' },
  ...{ grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
};
const tools = { ...machine, client_id: 'tools', client_secret: 'a secret of / the tools' };

/**
 * A real authorization server of others. Its access tokens are for the resource that is asked for:
 * JWTs, opaque ones where the scope says so, and identity assertions (ID-JAG) where it says that.
 */
async function startProvider(t: test.TestContext, sub: () => string) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [machine, tools],
    scopes: ['mcp.tools', 'opaque', 'id-jag'],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      introspection: { enabled: true, allowedPolicy: (_, { clientId }) => clientId === 'tools' },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: ({ oidc }, resource) => ({
          ...{ scope: 'mcp.tools opaque id-jag', audience: resource, accessTokenTTL: 300 },
          accessTokenFormat: String(oidc.params?.['scope']).includes('opaque') ? 'opaque' : 'jwt',
        }),
      },
    },
    formats: {
      customizers: {
        jwt(_, token, jwt) {
          if (!token.scope?.includes('id-jag')) return;
          jwt.header = { ...jwt.header, typ: 'oauth-id-jag+jwt' };
          const person = { sub: sub(), email: `${sub()}@example.com`, email_verified: true };
          const authTime = Math.floor(Date.now() / 1000) - 10;
          jwt.payload = { ...jwt.payload, ...person, auth_time: authTime, scope: 'mcp.tools' };
        },
      },
    },
  });
  server.on('request', provider.callback());
  const ask = async (path: string, form: object, client = machine) => {
    const { client_id, client_secret } = client;
    const body = new URLSearchParams({ client_id, client_secret, ...form });
    const answer = await fetch(`${issuer}${path}`, { method: 'POST', body });
    return (await answer.text()) || '{}';
  };
  const tokenFor = async (resource: string, scope = 'mcp.tools'): Promise<string> => {
    const told = await ask('/token', { grant_type: 'client_credentials', resource, scope });
    return JSON.parse(told).access_token;
  };
  const revoke = (token: string) => ask('/token/revocation', { token });
  return { issuer, tokenFor, revoke };
}

test('tokens of oidc-provider are taken where the operator names it, for our resource alone', async (t) => {
  const { issuer, tokenFor, revoke } = await startProvider(t, () => 'nobody');
  const external = {
    ...{ SERVICE_AUTH: 'required', SERVICE_ALLOW_INSECURE_FETCH: '1' },
    SERVICE_TOKEN_ISSUER: issuer,
  };
  const { base: plain } = await serveIdentity(t, external);
  const call = async (base: string, token: string) =>
    (await rpc(base, 'tools/list', {}, bearer(token))).status;
  assert.equal(await call(plain, await tokenFor(`${plain}/mcp`)), 200);
  assert.equal(await call(plain, await tokenFor('https://other.example/mcp')), 401);
  assert.equal(await call(plain, await tokenFor(`${plain}/mcp`, 'mcp.tools opaque')), 401);

  const { base, advance } = await serveIdentity(t, {
    ...external,
    SERVICE_TOKEN_ISSUER_CLIENT_ID: tools.client_id,
    SERVICE_TOKEN_ISSUER_CLIENT_SECRET: tools.client_secret,
  });
  const opaque = await tokenFor(`${base}/mcp`, 'mcp.tools opaque');
  assert.ok(!opaque.includes('.'));
  assert.equal(await call(base, opaque), 200);
  assert.equal(await call(base, 'no token of anybody'), 401);
  const foreign = await tokenFor('https://other.example/mcp', 'mcp.tools opaque');
  assert.equal(await call(base, foreign), 401);
  await revoke(opaque);
  advance(30_000);
  assert.equal(await call(base, opaque), 401);
  // It says nothing of its JWTs, which it keeps nowhere: their signature has to be enough.
  assert.equal(await call(base, await tokenFor(`${base}/mcp`)), 200);

  const wrong = await serveIdentity(t, {
    ...external,
    SERVICE_TOKEN_ISSUER_CLIENT_ID: tools.client_id,
    SERVICE_TOKEN_ISSUER_CLIENT_SECRET: 'another secret',
  });
  const token = await tokenFor(`${wrong.base}/mcp`, 'mcp.tools opaque');
  assert.equal(await call(wrong.base, token), 503, 'that is no word about the token');
});

test('assertions that oidc-provider has signed register and claim agents (ID-JAG)', async (t) => {
  let sub = 'new';
  const { issuer, tokenFor } = await startProvider(t, () => sub);
  const trusted = [{ issuer, name: 'Provider', creates_people: true, client_ids: ['machine'] }];
  const { base } = await serveIdentity(t, {
    ...{ SERVICE_AUTH: 'required', SERVICE_ALLOW_INSECURE_FETCH: '1' },
    SERVICE_TRUSTED_ISSUERS: JSON.stringify(trusted),
  });
  const agent = new Agent(base);
  const type = 'identity_assertion';
  const jag = () => tokenFor(base, 'id-jag');
  const registered = await agent.register({ type, assertion: await jag() });
  assert.equal(registered.body['status'], 'claimed');
  assert.equal((await agent.exchange(registered.assertion)).status, 200);

  const { claimToken: claim_token } = await agent.register({ type: 'anonymous' });
  const { status, body } = await agent.claim({ type, claim_token, assertion: await jag() });
  assert.deepEqual([status, body['status']], [200, 'claimed'], JSON.stringify(body));

  sub = 'ada';
  await personAt(base, '/agents', 'ada@example.com');
  const other = await agent.register({ type: 'anonymous' });
  const { claimToken } = other;
  const asked = await agent.claim({ type, claim_token: claimToken, assertion: await jag() });
  const attempt = asked.body['claim_attempt'] as Readonly<Record<string, string>>;
  const person = await personAt(base, attempt['verification_uri'] ?? '', 'ada@example.com');
  await person.send('/agent/claim/confirm');
  assert.equal((await agent.complete(claimToken, codeOn(person))).status, 200);
  const again = await agent.register({ type, assertion: await jag() });
  assert.equal(again.body['status'], 'claimed', 'from then on its word is enough');
  const access = await tokenFor(base);
  const refused = await agent.send('POST', '/agent/identity', { type, assertion: access });
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_request']);
});
