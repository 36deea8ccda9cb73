import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { request } from 'undici';
import { ask, bearer, exchange, freshToken, post, register, rpc } from '../agent.ts';
import { Browser } from '../browser.ts';
import { freePort } from '../outbox/mail-server.ts';
import { serveIdentity } from '../served-identity.ts';

const env = { SERVICE_AUTH: 'required', SERVICE_REGISTRATIONS_PER_NETWORK: '1000' };

suite('tenants under paths', () => {
  test('each has an issuer, keys and documents of its own', async (t) => {
    const tenants = JSON.stringify([{ id: 'acme' }, { id: 'globex' }]);
    const { base } = await serveIdentity(t, { ...env, SERVICE_TENANTS: tenants });
    const acme = `${base}/t/acme`;
    const globex = `${base}/t/globex`;
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
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
      const { json } = await ask(`${base}${document}`);
      assert.equal(json.resource, resource);
      assert.deepEqual(json.authorization_servers, [acme]);
    }
    const refused = await rpc(acme, 'tools/list');
    assert.equal(refused.status, 401);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const metadata = `${base}/.well-known/oauth-protected-resource/t/acme/mcp`;
    assert.ok(challenge.includes(`resource_metadata="${metadata}"`), challenge);
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
    for (const path of ['/t/nobody/auth.md', '/t/acme/t/globex/auth.md', '/t/acme/metrics']) {
      assert.equal((await ask(base + path)).status, 404, path);
    }
  });

  test('their pages lead to themselves, and only their people sign in', async (t) => {
    const acme = { id: 'acme', claim_auth: 'dev', email_domains: ['acme.example'] };
    const tenants = JSON.stringify([acme, { id: 'globex', claim_auth: 'dev' }]);
    const { base } = await serveIdentity(t, { ...env, SERVICE_TENANTS: tenants });
    const ada = new Browser(base);
    await ada.open('/t/acme/agents');
    assert.equal(new URL(ada.page.url).pathname, '/t/acme/sign-in');
    assert.equal((await ada.send('/sign-in', { email: 'ada@globex.example' })).status, 400);
    await ada.send('/t/acme/sign-in', { email: 'ada@acme.example' });
    assert.equal(ada.page.url, `${base}/t/acme/agents`);
    assert.match(ada.page.text, /action="\/t\/acme\/agents\/sign-out"/);
    assert.doesNotMatch(ada.page.text, /(?:href|action)="\/(?!t\/acme\/)/);
    await ada.open('/t/globex/agents');
    assert.equal(new URL(ada.page.url).pathname, '/t/globex/sign-in');
  });

  test('ending one ends all that it has given, and nothing of the others', async (t) => {
    const tenants = JSON.stringify([{ id: 'acme' }, { id: 'globex' }]);
    const { base, service, advance } = await serveIdentity(t, { ...env, SERVICE_TENANTS: tenants });
    const [acme, globex] = [`${base}/t/acme`, `${base}/t/globex`];
    const before = await freshToken(acme);
    const other = await freshToken(globex);
    const told = await service.commands['tenants']?.(['revoke', 'acme'], {});
    assert.match(told ?? '', /^acme has ended: .* 1 registrations$/);
    const status = async (at: string, token: string) =>
      (await rpc(at, 'tools/list', {}, bearer(token))).status;
    assert.equal(await status(acme, before.token), 401);
    assert.equal(await status(globex, other.token), 200);
    // No token is given that would be worth nothing.
    const { identity_assertion: assertion } = await register(acme);
    const early = await exchange(acme, assertion);
    assert.equal(early.status, 503);
    assert.equal(early.json.error, 'temporarily_unavailable');
    assert.equal(early.headers.get('retry-after'), '5');
    const command = service.commands['token'] ?? assert.fail();
    await assert.rejects(command([], { tenant: 'acme' }), { status: 503 });
    assert.equal((await exchange(globex, other.registration.identity_assertion)).status, 200);
    advance(5000);
    const later = await exchange(acme, assertion);
    assert.equal(await status(acme, later.json.access_token), 200);
    assert.equal(await status(acme, await command([], { tenant: 'acme' })), 200);
    const refused = await exchange(acme, before.registration.identity_assertion);
    assert.equal(refused.json.error, 'invalid_grant');
  });

  test('a session of MCP is known, and ended, at its own tenant alone', async (t) => {
    const tenants = JSON.stringify([{ id: 'acme' }, { id: 'globex' }]);
    const sessions = { SERVICE_MCP_SESSIONS: '1', SERVICE_TENANTS: tenants };
    const { base } = await serveIdentity(t, { ...env, ...sessions });
    const [acme, globex] = [`${base}/t/acme`, `${base}/t/globex`];
    const mine = bearer((await freshToken(acme)).token);
    const other = bearer((await freshToken(globex)).token);
    const clientInfo = { name: 'c', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const begun = await rpc(acme, 'initialize', params, mine);
    const id = begun.headers.get('mcp-session-id') ?? assert.fail(begun.text);
    const at = (session: string) => ({ ...other, 'mcp-session-id': session });
    const foreign = await rpc(globex, 'tools/list', {}, at(id));
    const unknown = await rpc(globex, 'tools/list', {}, at(id.replaceAll(/[a-z0-9]/gi, 'x')));
    assert.equal(foreign.status, 404);
    assert.deepEqual([foreign.status, foreign.text], [unknown.status, unknown.text]);
    const end = (tenant: string, headers: Readonly<Record<string, string>>) =>
      ask(`${tenant}/mcp`, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': id } });
    assert.equal((await end(globex, other)).status, 404);
    assert.equal((await end(acme, mine)).status, 204);
  });

  test('one that is taken out is gone, and its tokens with it', async (t) => {
    const tenants = JSON.stringify([{ id: 'acme' }]);
    const first = await serveIdentity(t, { ...env, SERVICE_TENANTS: tenants });
    const { token } = await freshToken(`${first.base}/t/acme`);
    await first.service.http.close();
    await first.service.life.stop();
    const { base } = await serveIdentity(t, { ...env, SERVICE_DATA_DIR: first.dataDir });
    assert.equal((await rpc(`${base}/t/acme`, 'tools/list', {}, bearer(token))).status, 404);
    assert.equal((await rpc(base, 'tools/list', {}, bearer(token))).status, 401);
  });
});

test('a tenant at a host of its own is reached there alone', async (t) => {
  const port = await freePort();
  const url = `http://acme.localhost:${port}`;
  const tenants = JSON.stringify([{ id: 'acme', url }]);
  const { base } = await serveIdentity(t, {
    ...{ ...env, PORT: String(port), SERVICE_TENANTS: tenants },
  });
  const at = async (host: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await request(base + path, { headers: { host, ...headers } });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  const document = '/.well-known/oauth-authorization-server';
  const own = JSON.parse((await at(`acme.localhost:${port}`, document)).text);
  assert.equal(own.issuer, url);
  assert.equal(JSON.parse((await at(`127.0.0.1:${port}`, document)).text).issuer, base);
  assert.equal((await at(`globex.localhost:${port}`, document)).status, 403);
  assert.equal((await at(`127.0.0.1:${port}`, `/t/acme${document}`)).status, 404);
  // Pages of the server are strangers to the tenant, as those of the tenant are to the server.
  const listening = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const fromServer = await request(`${base}/mcp`, {
    method: 'POST',
    headers: { host: `acme.localhost:${port}`, origin: base, 'content-type': 'application/json' },
    body: JSON.stringify(listening),
  });
  assert.equal(fromServer.statusCode, 403);
  await fromServer.body.dump();
  const fromTenant = await post(`${base}/mcp`, listening, { origin: url });
  assert.equal(fromTenant.status, 403);
});
