import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import Provider from 'oidc-provider';
import type { Dialect, StandardAnswer } from './dialects.ts';

/** A vendor on loopback: a real authorization server behind its dialect, and an API that wants its tokens. */
export interface Vendor {
  readonly url: string;
  /** The token requests that it took, and what each was for. */
  readonly granted: string[];
  /** Tokens that were used at the API. */
  readonly used: string[];
  /** Tokens that came back. */
  readonly revoked: string[];
  /** Who is in front of the browser that comes; `refuses` turns back. */
  account: string | 'refuses';
  /** Answers of the token endpoint that fail, in place of a token. */
  failing: boolean;
  /** Whether its API takes no token at all. */
  refusing: boolean;
  /** What becomes of an answer of the token endpoint before it is sent. */
  change: (text: string) => string | Promise<string>;
  /** End one token. */
  end(token: string): void;
  /** End what was given to everybody. */
  revokeAll(): void;
}

const secretOf = (id: string) => `secret of tools-${id}`;

/** What the operator sets for a vendor. */
export function settingsOf({ id }: Dialect, { url }: Vendor): Record<string, string> {
  const name = id.toUpperCase();
  return {
    [`SERVICE_PROVIDER_${name}_URL`]: url,
    [`SERVICE_PROVIDER_${name}_OAUTH_URL`]: url,
    [`SERVICE_${name}_CLIENT_ID`]: `tools-${id}`,
    [`SERVICE_${name}_CLIENT_SECRET`]: secretOf(id),
  };
}

/** Start a vendor that speaks a dialect, for a server that is reached at `base`. */
export async function startVendor(
  t: Pick<TestContext, 'after'>,
  dialect: Dialect,
  base: string,
): Promise<Vendor> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { id: `tools-${dialect.id}`, secret: secretOf(dialect.id) };
  const redirectUri = `${base}/connect/${dialect.id}/callback`;
  const provider = new Provider(url, {
    clients: [
      {
        ...{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] },
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    scopes: ['things'],
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => dialect.pkce },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    ttl: { AccessToken: 3600, RefreshToken: 86_400, Grant: 86_400, Interaction: 600, Session: 600 },
    findAccount: async (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['of the test'] },
  });
  const standard = provider.callback();
  const dead = new Set<string>();
  const given = new Set<string>();
  const vendor: Vendor = {
    ...{ url, granted: [], used: [], revoked: [], account: 'ada', failing: false },
    ...{ refusing: false, change: (text: string) => text },
    end: (token) => void dead.add(token),
    revokeAll() {
      for (const token of given) dead.add(token);
    },
  };

  async function interact(request: IncomingMessage, response: ServerResponse) {
    await provider.interactionDetails(request, response);
    if (vendor.account === 'refuses') {
      const refusal = { error: 'access_denied', error_description: 'not today' };
      return provider.interactionFinished(request, response, refusal);
    }
    const grant = new provider.Grant({ accountId: vendor.account, clientId: client.id });
    grant.addOIDCScope('things');
    const login = { accountId: vendor.account, remember: false };
    return provider.interactionFinished(request, response, {
      ...{ login, consent: { grantId: await grant.save() } },
    });
  }

  async function token(request: IncomingMessage, text: string): Promise<StandardAnswer> {
    const { 'content-type': contentType = '', authorization = '' } = request.headers;
    const fields: Record<string, string> = contentType.includes('json')
      ? JSON.parse(text)
      : Object.fromEntries(new URLSearchParams(text));
    const flaw = dialect.flawOf({ contentType, authorization, fields }, client);
    if (flaw !== undefined) return { error: `flaw_${flaw.replaceAll(/\W/g, '_')}` };
    const { refresh_token = '' } = fields;
    if (dead.has(refresh_token)) return { error: 'invalid_grant' };
    const body = new URLSearchParams({ redirect_uri: redirectUri, ...fields });
    body.set('client_id', client.id);
    body.set('client_secret', client.secret);
    const answer = await fetch(`${url}/token`, { method: 'POST', body });
    const told = (await answer.json()) as StandardAnswer;
    for (const each of [told.access_token, told.refresh_token]) if (each) given.add(each);
    if (told.access_token) vendor.granted.push(String(fields['grant_type']));
    return told;
  }

  server.on('request', async (request, response) => {
    const { method = '', headers } = request;
    const { pathname: path, searchParams, search } = new URL(request.url ?? '', url);
    const { authorization = '' } = headers;
    if (path.startsWith('/interaction/')) return interact(request, response);
    if (path === dialect.authorizePath && method === 'GET' && searchParams.has('response_type')) {
      const wanted = dialect.scopesOf(searchParams).filter((scope) => scope !== '');
      const query = new URLSearchParams(search);
      for (const name of ['user_scope', 'owner', 'actor', 'prompt']) query.delete(name);
      query.set('scope', wanted.length > 0 ? 'things' : 'nothing-was-asked-for');
      response.writeHead(302, { location: `${url}/auth?${query}` });
      return response.end();
    }
    // What is left is of the standard server, or of the API.
    if (['/auth', '/token'].some((each) => path.startsWith(each)) && path !== dialect.path) {
      return standard(request, response);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks).toString();
    if (path === dialect.tokenPath) {
      if (vendor.failing) {
        response.writeHead(503);
        return response.end();
      }
      const told = dialect.answer(await token(request, sent));
      const text = await vendor.change(told.text);
      response.writeHead(told.status, { 'content-type': told.type });
      return response.end(text);
    }
    const back = dialect.revokedIn?.({ method, path, authorization, text: sent });
    if (back !== undefined) {
      vendor.revoked.push(back);
      dead.add(back);
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end('{"ok":true}');
    }
    const bearer = authorization.replace('Bearer ', '');
    const isRefused = vendor.refusing || dead.has(bearer);
    const known = isRefused ? undefined : await provider.AccessToken.find(bearer);
    if (known) vendor.used.push(bearer);
    const { status, body } = known
      ? { status: 200, body: dialect.whoami(known.accountId) }
      : dialect.refusal;
    response.writeHead(status, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(body));
  });
  return vendor;
}
