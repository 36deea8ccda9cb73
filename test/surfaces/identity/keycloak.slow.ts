import assert from 'node:assert/strict';
import test from 'node:test';
import { bearer, rpc } from './agent.ts';
import { ask, startKeycloak } from './keycloak.ts';
import { serveIdentity } from './served-identity.ts';

const machine = { client_id: 'machine', client_secret: 'a secret of the machine' };
const stranger = { client_id: 'stranger', client_secret: 'a secret of the stranger' };
const tools = { client_id: 'tools', client_secret: 'a secret of / the tools' };

/** A client of a realm that gets tokens of its own, for `audience` where one is named. */
function client(
  { client_id: clientId, client_secret: secret }: typeof machine,
  audience: string | undefined,
) {
  const config = {
    ...{ 'included.custom.audience': audience, 'access.token.claim': 'true' },
    'introspection.token.claim': 'true',
  };
  const mapper = { name: 'audience', protocol: 'openid-connect', config };
  return {
    ...{ clientId, secret, serviceAccountsEnabled: true, publicClient: false },
    ...{ standardFlowEnabled: false, defaultClientScopes: ['mcp.tools'] },
    ...(audience !== undefined && {
      protocolMappers: [{ ...mapper, protocolMapper: 'oidc-audience-mapper' }],
    }),
  };
}

test('tokens of Keycloak are taken for our resource, until it revokes them or cannot be asked', async (t) => {
  const keycloak = await startKeycloak(t);
  const realm = `${keycloak.url}/realms/office`;
  const external = {
    ...{ SERVICE_AUTH: 'required', SERVICE_ALLOW_INSECURE_FETCH: '1' },
    SERVICE_TOKEN_ISSUER: realm,
  };
  const strict = await serveIdentity(t, external);
  const { base, advance } = await serveIdentity(t, {
    ...external,
    // It does not write the type of RFC 9068.
    SERVICE_TOKEN_ISSUER_UNTYPED: '1',
    SERVICE_TOKEN_ISSUER_CLIENT_ID: tools.client_id,
    SERVICE_TOKEN_ISSUER_CLIENT_SECRET: tools.client_secret,
  });
  const scope = { protocol: 'openid-connect', attributes: { 'include.in.token.scope': 'true' } };
  await keycloak.admin('/realms', {
    ...{ realm: 'office', enabled: true },
    clientScopes: [{ name: 'mcp.tools', ...scope }],
    clients: [
      client(machine, `${base}/mcp`),
      client(stranger, 'https://other.example/mcp'),
      client(tools, undefined),
    ],
  });
  const tokenFor = async (who: typeof machine) => {
    const { access_token: token } = await ask(realm, { grant_type: 'client_credentials', ...who });
    return String(token);
  };
  const call = async (at: string, token: string) =>
    (await rpc(at, 'tools/list', {}, bearer(token))).status;

  const token = await tokenFor(machine);
  assert.equal(await call(strict.base, token), 401);
  assert.equal(await call(base, token), 200);
  assert.equal(await call(base, await tokenFor(stranger)), 401);
  const body = new URLSearchParams({ token, ...machine });
  const url = `${realm}/protocol/openid-connect/revoke`;
  assert.equal((await fetch(url, { method: 'POST', body })).status, 200);
  advance(30_000);
  assert.equal(await call(base, token), 401);

  const another = await tokenFor(machine);
  assert.equal(await call(base, another), 200);
  await keycloak.stop();
  assert.equal(await call(base, another), 200, 'its last answer is believed for a while');
  advance(30_000);
  assert.equal(await call(base, another), 503);
});
