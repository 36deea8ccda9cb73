import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, importJWK, jwtVerify } from 'jose';
import Provider from 'oidc-provider';
import { announce } from '../../servers/announce.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const resource = 'https://tools.example.com/mcp';

/** The server of others with the same grant, as its documents say how to add one; all in memory. */
const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const provider = new Provider(issuer, {
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }] },
  clients: [
    {
      ...{ client_id: 'agent', token_endpoint_auth_method: 'none', response_types: [] },
      ...{ grant_types: [jwtBearer], redirect_uris: [] },
      id_token_signed_response_alg: 'ES256',
    },
  ],
  scopes: ['mcp.tools'],
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: { enabled: true },
  },
});
const trusted = await importJWK(JSON.parse(process.env['TRUSTED_KEY'] ?? ''), 'ES256');
const info = { audience: resource, scope: 'mcp.tools', accessTokenFormat: 'jwt' as const };

provider.registerGrantType(
  jwtBearer,
  async (context) => {
    const { client, params } = context.oidc;
    if (!client) throw new Error('the client is not known');
    const options = { issuer: 'https://idp.example.com', audience: resource };
    await jwtVerify(String(params?.['assertion']), trusted, options);
    const token = new provider.ClientCredentials({ client, scope: 'mcp.tools' });
    token.resourceServer = new provider.ResourceServer(resource, {
      ...info,
      jwt: { sign: { alg: 'ES256' } },
    });
    context.body = {
      ...{ access_token: await token.save(), token_type: 'Bearer', scope: 'mcp.tools' },
      expires_in: token.expiration,
    };
  },
  ['assertion'],
);
server.on('request', provider.callback());
announce(issuer);
