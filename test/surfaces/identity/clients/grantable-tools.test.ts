import assert from 'node:assert/strict';
import test from 'node:test';
import { isObject } from '#contract/json';
import { bearer, freshToken, rpc } from '../agent.ts';
import { startWholeServer } from '../whole-server.ts';

const key = 'dev.agent-tool-server/requires-scope';
const scope = 'provider:github:read';
const tool = 'github_users_get_me';
const env = {
  SERVICE_PROVIDER: 'osv,github',
  SERVICE_PROVIDER_AUTH_JSON: '{"github":"a token of the operator"}',
};

test('an agent is listed what a person could give it, and told the steps when it calls that', async (t) => {
  const { base } = await startWholeServer(t, env);
  const { token } = await freshToken(base);
  const { json } = await rpc(base, 'tools/list', {}, bearer(token));
  const tools: { name: string; _meta?: Record<string, unknown> }[] = json.result.tools;
  const marked = tools.find(({ name }) => name === tool);
  assert.deepEqual(marked?._meta?.[key], [scope]);
  assert.ok(tools.some(({ name, _meta }) => name.startsWith('osv_') && _meta === undefined));
  const call = { name: tool, arguments: {} };
  const refused = await rpc(base, 'tools/call', call, bearer(token));
  assert.equal(refused.status, 403);
  const challenge = String(refused.headers.get('www-authenticate'));
  assert.match(challenge, /error="insufficient_scope"/);
  assert.match(challenge, new RegExp(`scope="${scope}"`));
  const { data } = refused.json.error;
  assert.deepEqual(data.required_scopes, [scope]);
  const url = `${base}/agent/identity/claim`;
  assert.deepEqual(data.claim, { url, available_after_claim: true });
});

test('where nobody can sign in, nothing is listed that nobody can give', async (t) => {
  const { base } = await startWholeServer(t, { ...env, SERVICE_CLAIM_AUTH: 'none' });
  const { token } = await freshToken(base);
  const { json } = await rpc(base, 'tools/list', {}, bearer(token));
  const names = json.result.tools.map(({ name }: { name: string }) => name);
  assert.ok(names.length > 0 && !names.includes(tool), names.join());
});

test('the search marks the same, and hides the same, as do suggestions and pages', async (t) => {
  for (const [claimAuth, isFound] of [
    ['dev', true],
    ['none', false],
  ] as const) {
    const { base } = await startWholeServer(t, {
      ...{ ...env, SERVICE_TOOL_MODE: 'search', SERVICE_CLAIM_AUTH: claimAuth },
    });
    const { token } = await freshToken(base);
    const query = { name: 'tool_search', arguments: { query: 'github who am I', limit: 20 } };
    const { json, text } = await rpc(base, 'tools/call', query, bearer(token));
    const found: Record<string, unknown>[] = json.result.structuredContent.tools;
    const one = found.find(({ name }) => name === tool);
    assert.deepEqual(one?.['requires_scope'], isFound ? [scope] : undefined, text);
    assert.equal(
      found.some((each) => isObject(each) && each['requires_scope']),
      isFound,
    );
    const names = [tool];
    const asked = { name: 'tool_describe', arguments: { names } };
    const described = (await rpc(base, 'tools/call', asked, bearer(token))).json.result;
    const { tools, unknown } = described.structuredContent;
    if (isFound) assert.deepEqual(tools[0].requires_scope, [scope]);
    else assert.equal(unknown[0].name, tool);
    assert.equal(unknown?.[0].suggestions.includes(tool) ?? false, false, 'suggested');
    for (const uri of [`docs://tools/${tool}`, `docs://tools/${tool}/arguments/%23`]) {
      const page = await rpc(base, 'resources/read', { uri }, bearer(token));
      assert.equal(page.json.result !== undefined, isFound, page.text);
    }
  }
});

test('an agent that nobody has claimed writes nothing that stays for ever', async (t) => {
  const { base } = await startWholeServer(t, { SERVICE_PROVIDER: 'osv' });
  const { token } = await freshToken(base);
  const note = { operation: 'append', category: 'c', action: 'a', summary: 's' };
  const call = { name: 'audit', arguments: note };
  const refused = await rpc(base, 'tools/call', call, bearer(token));
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.json.error.data.required_scopes, ['audit:append']);
  assert.equal(refused.json.error.data.claim.available_after_claim, true);
});
