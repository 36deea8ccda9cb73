import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { bearer, postForm, rpc } from '../agent.ts';
import { type Browser, decide, signedIn } from '../consent-browser.ts';
import { startWholeServer } from '../whole-server.ts';

// What hosts send over the wire that ask their user for no client id: the addresses that they
// register all at once, and the one of them that they come back to.

interface Host {
  readonly registers: Readonly<Record<string, unknown>>;
  readonly redirects: readonly string[];
  readonly state: string;
}

const hosts: Readonly<Record<string, Host>> = {
  'Visual Studio Code': {
    registers: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    // The port of its own, any other where that is taken, and the browser.
    redirects: [
      'http://127.0.0.1:33418/',
      'http://127.0.0.1:59656/',
      'https://vscode.dev/redirect',
    ],
    state: 'vscode://vscode.github-authentication/did-authenticate?nonce=1f%2F&windowId=1',
  },
  Cursor: {
    registers: {
      client_name: 'Cursor',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      token_endpoint_auth_method: 'none',
    },
    redirects: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:41111/callback',
    ],
    state: 'eyJpZCI6InVzZXItc2VydmVyIn0/+=',
  },
};

type Members = Readonly<Record<string, unknown>>;

async function json(url: string): Promise<Members> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200, url);
  return (await answer.json()) as Members;
}

/** What a header of a refusal says. */
function told(header: string | null, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(header ?? '')?.[1] ?? '';
}

/** From the refusal of a call to where to ask (RFC 9728 section 5, RFC 8414 section 3). */
async function discover(base: string) {
  const { status, headers } = await rpc(base, 'tools/list', {});
  assert.equal(status, 401);
  const challenge = headers.get('www-authenticate');
  const resource = await json(told(challenge, 'resource_metadata'));
  const [issuer] = resource['authorization_servers'] as readonly string[];
  const server = await json(`${issuer}/.well-known/oauth-authorization-server`);
  const scope = told(challenge, 'scope');
  return { server, resource: String(resource['resource']), scope };
}

type Found = Awaited<ReturnType<typeof discover>>;

async function register({ server, scope }: Found, { registers }: Host): Promise<string> {
  const answer = await fetch(String(server['registration_endpoint']), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // Hosts name the scope of the first challenge, and want more later.
    body: JSON.stringify({ ...registers, scope }),
  });
  assert.equal(answer.status, 201);
  const client = (await answer.json()) as Members;
  assert.deepEqual(client['redirect_uris'], registers['redirect_uris']);
  return String(client['client_id']);
}

interface Wish {
  readonly client: string;
  readonly redirect: string;
  readonly scope: string;
  readonly state: string;
}

/** Send the user to the server, and trade what comes back for tokens. */
async function login({ server, resource }: Found, person: Browser, wish: Wish) {
  const verifier = randomBytes(32).toString('base64url');
  const { client: client_id, redirect: redirect_uri, scope, state } = wish;
  const url = new URL(String(server['authorization_endpoint']));
  url.search = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri, scope, state, resource },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const back = await decide(person, url);
  const { code = '', state: returned, iss } = Object.fromEntries(back.searchParams);
  assert.equal(back.href.split('?')[0], redirect_uri);
  assert.deepEqual([returned, iss], [state, server['issuer']]);
  const { status, json: tokens } = await postForm(String(server['token_endpoint']), {
    ...{ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier },
    ...{ client_id, resource },
  });
  assert.equal(status, 200, JSON.stringify(tokens));
  assert.match(String(tokens['refresh_token']), /^ort_/);
  return String(tokens['access_token']);
}

async function start(t: TestContext) {
  const server = await startWholeServer(t);
  return { base: server.base, person: await signedIn(server) };
}

for (const [name, host] of Object.entries(hosts)) {
  test(`${name} needs no client id, wherever it comes back to (RFC 7591, RFC 8252 section 7)`, async (t) => {
    const { base, person } = await start(t);
    const found = await discover(base);
    const client = await register(found, host);
    const wish = { client, scope: found.scope, state: host.state };
    for (const redirect of host.redirects) {
      const token = await login(found, person, { ...wish, redirect });
      assert.equal((await rpc(base, 'tools/list', {}, bearer(token))).status, 200, redirect);
    }
  });
}

test('a host that has named the scope of its first challenge is given more where a call needs it', async (t) => {
  const { base, person } = await start(t);
  const found = await discover(base);
  const [host] = Object.values(hosts);
  const [redirect] = host?.redirects ?? [];
  assert.ok(host && redirect);
  assert.equal(found.scope, 'mcp.tools');
  const client = await register(found, host);
  const wish = { client, redirect, state: host.state };
  const token = await login(found, person, { ...wish, scope: found.scope });
  const call = { name: 'audit', arguments: { operation: 'list' } };
  const refused = await rpc(base, 'tools/call', call, bearer(token));
  assert.equal(refused.status, 403);
  const needed = told(refused.headers.get('www-authenticate'), 'scope').split(' ');
  assert.ok(needed.includes('audit:append'), String(needed));
  const scope = [...new Set([found.scope, ...needed])].join(' ');
  const wider = await login(found, person, { ...wish, scope });
  assert.equal((await rpc(base, 'tools/call', call, bearer(wider))).status, 200);
});
