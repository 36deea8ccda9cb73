import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ask, bearer, freshToken, rpc } from '../agent.ts';
import { serveIdentity } from '../served-identity.ts';

const env = {
  SERVICE_AUTH: 'required',
  SERVICE_CLAIM_AUTH: 'dev',
  SERVICE_PROVIDER: 'osv,github,wikipedia',
  SERVICE_REGISTRATIONS_PER_NETWORK: '1000',
};
const tenants = [
  { id: 'acme', providers: ['osv'] },
  { id: 'globex' },
  { id: 'bare', providers: [] },
];

/** Everything that a server says of its tools, to a caller of one tenant. */
async function toldTo(base: string, token: string): Promise<string> {
  const headers = bearer(token);
  const told: string[] = [];
  for (const [method, params] of [
    ['tools/list', {}],
    ['resources/list', {}],
    ['resources/read', { uri: 'skill://github-tools/SKILL.md' }],
    ['resources/read', { uri: 'docs://tools/github_issues_list' }],
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }],
    ['tools/call', { name: 'service_status', arguments: {} }],
    ['tools/call', { name: 'tool_search', arguments: { query: 'list issues of a repository' } }],
    ['tools/call', { name: 'tool_search', arguments: { query: 'x', provider: 'github' } }],
    ['tools/call', { name: 'tool_describe', arguments: { names: ['issues_list'] } }],
    ['tools/call', { name: 'tool_call', arguments: { name: 'github_issues_lst', arguments: {} } }],
    ['tools/call', { name: 'github_repos_gett', arguments: {} }],
    [
      'completion/complete',
      {
        ref: { type: 'ref/prompt', name: 'use_tools' },
        argument: { name: 'provider', value: '' },
      },
    ],
    [
      'completion/complete',
      {
        ref: { type: 'ref/resource', uri: 'docs://tools/{name}' },
        argument: { name: 'name', value: '' },
      },
    ],
  ] as const) {
    const { text } = await rpc(base, method, params, headers);
    // What the request itself has said may be repeated.
    const asked =
      /(?:called|there is no)[^"]*\\"[^"]*\\"|skill:\/\/github-tools\/SKILL\.md|docs:\/\/tools\/github_issues_list/g;
    told.push(`${method} ${text.replaceAll(asked, '')}`);
  }
  for (const path of ['/auth.md', '/.well-known/oauth-authorization-server']) {
    told.push(`${path} ${(await ask(base + path)).text}`);
  }
  return told.join('\n');
}

for (const mode of ['direct', 'search'] as const) {
  suite(`vendors of a tenant, tools shown ${mode}`, () => {
    test('what it may not use it can neither find nor call', async (t) => {
      const { base, service } = await serveIdentity(t, {
        ...{ ...env, SERVICE_TOOL_MODE: mode, SERVICE_TENANTS: JSON.stringify(tenants) },
      });
      const token = async (tenant: string) =>
        String(await service.commands['token']?.([], { tenant, scope: 'mcp.tools api.read' }));
      const [acme, globex, bare] = await Promise.all(['acme', 'globex', 'bare'].map(token));
      const told = await toldTo(`${base}/t/acme`, String(acme));
      assert.doesNotMatch(told, /github|wikipedia/i);
      assert.match(told, /osv/);
      const all = await toldTo(`${base}/t/globex`, String(globex));
      for (const name of ['github', 'wikipedia', 'osv']) assert.ok(all.includes(name), name);
      assert.doesNotMatch(await toldTo(`${base}/t/bare`, String(bare)), /github|wikipedia|osv/i);
      const names = [...service.offer.catalogue.names()];
      const foreign = names.find((name) => name.startsWith('wikipedia_')) ?? assert.fail();
      for (const name of [foreign, 'no_such_tool']) {
        const answer = await rpc(
          ...([
            `${base}/t/acme`,
            'tools/call',
            { name, arguments: {} },
            bearer(String(acme)),
          ] as const),
        );
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.json.error.code, -32602);
      }
    });
  });
}

test('no account is connected at a vendor that a tenant may not use', async (t) => {
  const { base } = await serveIdentity(t, { ...env, SERVICE_TENANTS: JSON.stringify(tenants) });
  assert.equal((await ask(`${base}/t/acme/connect/github`)).status, 404);
  assert.equal((await ask(`${base}/t/globex/connect/github`)).status, 303);
});

test('a tenant is held to its own rates, and changes nothing for others', async (t) => {
  const limits = { call_rate: 2, total_call_rate: 3 };
  const { base } = await serveIdentity(t, {
    ...{ ...env, SERVICE_TENANTS: JSON.stringify([{ id: 'acme', limits }, { id: 'globex' }]) },
  });
  const statusOf = async (tenant: string, token: string) => {
    const call = { name: 'service_status', arguments: {} };
    return (await rpc(`${base}/t/${tenant}`, 'tools/call', call, bearer(token))).status;
  };
  const [one, two] = [await freshToken(`${base}/t/acme`), await freshToken(`${base}/t/acme`)];
  const other = await freshToken(`${base}/t/globex`);
  const seen: number[] = [];
  // The limits stand in windows of a second: a slow machine sees the next one begin.
  for (let count = 0; count < 40 && !seen.includes(429); count += 1) {
    seen.push(await statusOf('acme', one.token));
  }
  assert.ok(seen.includes(429), seen.join(' '));
  assert.ok(seen.indexOf(429) >= 2, seen.join(' '));
  const both = await Promise.all(
    Array.from({ length: 12 }, (_, index) => statusOf('acme', (index % 2 ? one : two).token)),
  );
  assert.ok(both.includes(429), both.join(' '));
  const others = await Promise.all(
    Array.from({ length: 12 }, () => statusOf('globex', other.token)),
  );
  assert.deepEqual([...new Set(others)], [200]);
});
