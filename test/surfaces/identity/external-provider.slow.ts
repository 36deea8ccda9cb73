import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import Provider from 'oidc-provider';
import { startWholeServer } from './whole-server.ts';

/** A real authorization server of others, whose access tokens are JWTs for the resource that is asked for. */
async function startProvider(t: test.TestContext) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: 'machine', client_secret: 'a secret of the machine' },
        ...{ grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
      },
    ],
    scopes: ['mcp.tools'],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          ...{ scope: 'mcp.tools', audience: resource, accessTokenFormat: 'jwt' },
        }),
      },
    },
  });
  server.on('request', provider.callback());
  return issuer;
}

test('tokens of oidc-provider are taken where the operator names it, for our resource alone', async (t) => {
  const issuer = await startProvider(t);
  const { base } = await startWholeServer(t, {
    SERVICE_TOKEN_ISSUER: issuer,
    SERVICE_ALLOW_INSECURE_FETCH: '1',
  });
  const tokenFor = async (resource: string) => {
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'client_credentials', resource, scope: 'mcp.tools' },
        ...{ client_id: 'machine', client_secret: 'a secret of the machine' },
      }),
    });
    return ((await answer.json()) as { access_token?: string }).access_token;
  };
  const call = async (token: string | undefined) => {
    const answer = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    return answer.status;
  };
  assert.equal(await call(await tokenFor(`${base}/mcp`)), 200);
  assert.equal(await call(await tokenFor('https://other.example/mcp')), 401);
});
