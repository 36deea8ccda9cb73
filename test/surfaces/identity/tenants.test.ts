import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ask, bearer, exchange, freshToken, register, rpc } from './agent.ts';
import { serveIdentity } from './served-identity.ts';

const tenants = JSON.stringify([{ id: 'acme' }, { id: 'globex', claim_auth: 'dev' }]);

suite('tenants under paths', async () => {
  const parts: { base: string } = { base: '' };
  test('each has an issuer, keys and documents of its own', async (t) => {
    const { base } = await serveIdentity(t, { SERVICE_AUTH: 'required', SERVICE_TENANTS: tenants });
    parts.base = base;
    const acme = `${base}/t/acme`;
    const globex = `${base}/t/globex`;
    const documents = ['oauth-authorization-server', 'openid-configuration'];
    for (const name of documents) {
      const { json } = await ask(`${acme}/.well-known/${name}`);
      const inserted = await ask(`${base}/.well-known/${name}/t/acme`);
      assert.equal(json.issuer, acme);
      assert.deepEqual(inserted.json, json);
      assert.equal(json.token_endpoint, `${acme}/.well-known/oauth-authorization-server/token`);
    }
    for (const [document, resource] of [
      ['/.well-known/oauth-protected-resource/t/acme/mcp', `${acme}/mcp`],
      ['/t/acme/.well-known/oauth-protected-resource/mcp', `${acme}/mcp`],
      ['/.well-known/oauth-protected-resource/t/acme', acme],
      ['/t/acme/.well-known/oauth-protected-resource', acme],
    ]) {
      const { json } = await ask(base + document);
      assert.equal(json.resource, resource);
      assert.deepEqual(json.authorization_servers, [acme]);
    }
    const refused = await rpc(acme, 'tools/list');
    assert.equal(refused.status, 401);
    assert.match(
      refused.headers.get('www-authenticate') ?? '',
      new RegExp(`resource_metadata="${base}/.well-known/oauth-protected-resource/t/acme/mcp"`),
    );
    const keys = await Promise.all(
      [base, acme, globex].map(async (each) => (await ask(`${each}/.well-known/jwks.json`)).json),
    );
    const ids = keys.flatMap((set) => set.keys.map(({ kid }: { kid: string }) => kid));
    assert.equal(new Set(ids).size, 3);

    const tokens = new Map<string, string>();
    for (const each of [base, acme, globex]) tokens.set(each, (await freshToken(each)).token);
    for (const [of, token] of tokens) {
      for (const at of [base, acme, globex]) {
        const { status } = await rpc(at, 'tools/list', {}, bearer(token));
        assert.equal(status, of === at ? 200 : 401, `${of} at ${at}`);
      }
    }
    const { identity_assertion: assertion } = await register(acme);
    assert.equal((await exchange(acme, assertion)).status, 200);
    assert.equal((await exchange(globex, assertion)).json.error, 'invalid_grant');
    assert.equal((await ask(`${base}/t/nobody/auth.md`)).status, 404);
  });
});
