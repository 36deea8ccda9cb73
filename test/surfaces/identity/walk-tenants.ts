import assert from 'node:assert/strict';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Route } from '#contract/surface/route';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { ask, bearer, freshToken, rpc } from './agent.ts';
import { serveIdentity } from './served-identity.ts';
import {
  agentsAreApart,
  codesAreApart,
  connectionsAreApart,
  keysAreApart,
  tasksAreApart,
} from './tenants/things-apart.ts';
import { neverWere, setting, type Things, thingsOf } from './things-of-tenant.ts';

const folder = join(import.meta.dirname, '../../../generated/surfaces');
const modules = globSync('*/routes.ts', { cwd: folder });
const routes: readonly Route[] = (
  await Promise.all(modules.map((path) => import(join(folder, path))))
).flatMap((module) => Object.values(module).filter(Array.isArray).flat());

/** Which of the things a parameter of a path names, by its route; a new one has to be added here. */
const inPaths: Readonly<Record<string, keyof Things | { readonly value: string }>> = {
  'acp id': 'acp_session',
  'approvals id': 'approval',
  'audit seq': 'seq',
  'audit index': { value: '000' },
  'audit level': { value: '0' },
  'checkout id': 'order',
  'connect provider': { value: 'github' },
  'observability signal': { value: 'log' },
  'observability id': 'back_end',
  'observability traceId': { value: '4bf92f3577b34da6a3ce929d0e0e4736' },
  'ucp id': 'ucp_session',
};

/** Parameters of paths that name documents, and nothing of a tenant. */
const documents = new Set(['/.well-known/oauth-protected-resource/{path}', '/agent/auth/{path}']);

/** What is the same for everybody: the one log proves itself to all, and signs anew each second. */
const shared = new Set(['getProof', 'getCheckpoint', 'verifyLog']);

const grant = 'urn:ietf:params:oauth:grant-type:';
/** The bodies of the token endpoint, one for each grant; other routes get all things at once. */
const bodies: Readonly<Record<string, (things: Things) => readonly Things[]>> = {
  exchangeToken: ({ assertion, claim_token, refresh_token, client_id, access_token }) =>
    [
      { grant_type: `${grant}jwt-bearer`, assertion },
      { grant_type: 'urn:workos:agent-auth:grant-type:claim', claim_token },
      { grant_type: 'refresh_token', refresh_token },
      { grant_type: 'refresh_token', refresh_token, client_id },
      { grant_type: 'authorization_code', client_id, code: 'oac_x', code_verifier: 'v'.repeat(43) },
      {
        grant_type: `${grant}token-exchange`,
        subject_token: access_token,
        subject_token_type: `${grant.replace('grant-type', 'token-type')}access_token`,
      },
    ] as readonly Things[],
  registerAgent: ({ refresh_token }) => [{ type: 'refresh', refresh_token }] as readonly Things[],
  introspectToken: ({ access_token }) => [{ token: access_token }] as readonly Things[],
  revokeToken: ({ access_token, refresh_token, assertion }) =>
    [{ token: access_token }, { token: refresh_token }, { token: assertion }] as readonly Things[],
};

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: object };
}

interface Sent {
  readonly title: string;
  readonly url: string;
  readonly init: { readonly method: string; readonly body?: string | URLSearchParams };
  readonly type: Readonly<Record<string, string>>;
}

/** The requests that name these things at one route. */
function requestsOf(route: Route, things: Things): readonly Sent[] {
  const { method, path, body, name } = route;
  const area = path.split('/')[1] ?? '';
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    if (documents.has(path)) return 'mcp';
    const known = inPaths[`${area} ${parameter}`];
    assert.ok(known, `${name}: say what the ${parameter} of another tenant is`);
    return typeof known === 'string' ? String(things[known]) : known.value;
  });
  const query = new URLSearchParams();
  for (const { name: parameter, in: place } of route.parameters ?? []) {
    const value = things[parameter];
    if (place === 'query' && value !== undefined) query.set(parameter, value);
  }
  const url = query.size > 0 ? `${filled}?${query}` : filled;
  const title = `${method} ${path}`;
  if (!body) return [{ title, url, init: { method }, type: {} }];
  const all: Things = { ...things, token: String(things['access_token']) };
  const isForm = Object.values(body).includes('form');
  return (bodies[name.replace(/Alias$/, '')]?.(things) ?? [all]).map((each) => ({
    title: `${title} ${each['grant_type'] ?? ''}`,
    url,
    init: { method, body: isForm ? new URLSearchParams(each) : JSON.stringify(each) },
    type: isForm ? {} : { 'content-type': 'application/json' },
  }));
}

/** An answer without what is another one each time. */
function comparable({ status, text, headers }: Awaited<ReturnType<typeof ask>>, things: Things) {
  const names = Object.values(things).filter((value) => value.length > 5);
  const hidden = (told: string) =>
    names
      .reduce(
        (rest, each) => rest.replaceAll(each, '*').replaceAll(encodeURIComponent(each), '*'),
        told,
      )
      .replaceAll(/[\w-]{20,}/g, '*')
      // What stands around data of others is made up anew each time.
      .replaceAll(/data [0-9a-f]{8,}\]/g, 'data *]')
      .replaceAll(/\d+(?:\.\d+)?/g, '0');
  return { status, text: hidden(text), location: hidden(headers.get('location') ?? '') };
}

/**
 * Send every request at one tenant with the things of another, and with things that never were: both
 * must be answered in the same way.
 */
export async function walkTenants(
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const policy = join(temporaryDirectory(t), 'policy.yaml');
  writeFileSync(policy, "prices:\n  tool:service_status: { amount: '1', currency: USD }\n");
  const { base, service } = await serveIdentity(t, {
    ...env,
    ...{ SERVICE_ACP_PREVIEW: 'yes', SERVICE_UCP_PREVIEW: 'yes', SERVICE_POLICY_FILE: policy },
    ...{ SERVICE_AUTH: 'required', SERVICE_CLAIM_AUTH: 'dev', SERVICE_PROVIDER: 'osv,github' },
    SERVICE_TENANTS: JSON.stringify([{ id: 'acme' }, { id: 'globex' }]),
    SERVICE_REGISTRATIONS_PER_NETWORK: '1000',
    SERVICE_ENABLE_OBSERVABILITY: '1',
  });
  const [acme, globex] = [`${base}/t/acme`, `${base}/t/globex`];
  const theirs = await thingsOf(acme, service);
  const own = await thingsOf(globex, service);
  const scopes = `mcp.tools api.read audit:read audit:append ${setting}`;
  const token = await service.commands['token']?.([], { tenant: 'globex', scope: scopes });
  const nobody = neverWere(theirs);
  const withToken = bearer(String(token));
  const withAll = { ...withToken, cookie: `session=${own['session']}` };
  let walked = 0;
  const tooOften: string[] = [];
  for (const route of routes.filter(({ name }) => !shared.has(name))) {
    const foreign = requestsOf(route, theirs);
    const unknown = requestsOf(route, nobody);
    for (const [index, sent] of foreign.entries()) {
      const other = unknown[index];
      assert.ok(other);
      const callers = [
        [withAll, withAll],
        // With what lets somebody in at the other tenant.
        [bearer(String(theirs['access_token'])), bearer(String(nobody['access_token']))],
        [{ cookie: `session=${theirs['session']}` }, { cookie: `session=${nobody['session']}` }],
      ] as const;
      for (const [mine, made] of callers) {
        const send = (each: Sent, headers: Readonly<Record<string, string>>) =>
          ask(globex + each.url, { ...each.init, headers: { ...each.type, ...headers } });
        const told = await send(sent, mine);
        const wanted = await send(other, made);
        assert.deepEqual(comparable(told, theirs), comparable(wanted, nobody), sent.title);
        // Whoever asked too often would hear the same of everything.
        if (told.status === 429) tooOften.push(sent.title);
        walked += 1;
      }
    }
  }
  assert.ok(walked > 120, `${walked} requests`);
  assert.deepEqual(tooOften, []);
  const tools: ListedTool[] = [];
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const page = await rpc(globex, 'tools/list', cursor === '0' ? {} : { cursor }, withToken);
    tools.push(...page.json.result.tools);
    cursor = page.json.result.nextCursor;
  }
  const names = tools.map(({ name }) => name);
  assert.ok(names.includes('audit'), names.join(' '));
  for (const { name, inputSchema } of tools) {
    // Vendors are asked for nothing that a tenant has.
    if (/^(?:osv|github)_/.test(name)) continue;
    const answers = await Promise.all(
      [theirs, nobody].map(async (things) => {
        const named = Object.keys(inputSchema.properties ?? {}).flatMap((each) =>
          things[each] === undefined ? [] : [[each, things[each]]],
        );
        const operation = name === 'audit' ? { operation: 'list' } : {};
        const args = { ...operation, ...Object.fromEntries(named) };
        const answer = await rpc(globex, 'tools/call', { name, arguments: args }, withToken);
        return comparable(answer, things);
      }),
    );
    assert.deepEqual(answers[0], answers[1], name);
  }
  const list = { name: 'audit', arguments: { operation: 'list', limit: 100 } };
  const seen = await rpc(globex, 'tools/call', list, withToken);
  const entries: readonly { readonly seq: number }[] = seen.json.result.structuredContent.entries;
  assert.ok(
    entries.some(({ seq }) => String(seq) === own['seq']),
    seen.text,
  );
  assert.ok(!entries.some(({ seq }) => String(seq) === theirs['seq']), seen.text);
  const both = { service, acme, globex, theirs, own, token: String(token) };
  await codesAreApart(both);
  await tasksAreApart(both);
  await keysAreApart(both);
  await connectionsAreApart(both);
  await agentsAreApart(both);
  // All of it is still there for its own tenant.
  const { status } = await rpc(acme, 'tools/list', {}, bearer(String(theirs['access_token'])));
  assert.equal(status, 200);
  await freshToken(acme);
}
