import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from '../browser.ts';
import { Agent, codeOn, personAt, type Told } from '../claiming-agent.ts';

// Everything that is written down and told of agents, clients and people, done once.

/** What the server of these deeds needs. */
export const deedsEnvironment = {
  SERVICE_AUTH: 'required',
  SERVICE_PROVIDER: 'github',
  SERVICE_PROVIDER_AUTH_JSON: '{"github":"a token of the operator"}',
  SERVICE_CLAIM_AUTH: 'dev',
};

/** An entry that has to come: its action and its subject. */
export type Expected = readonly [action: string, subject: string];

const email = 'ada@example.com';

/** Do it all; gives the entries that follow, but for those of tokens that were issued. */
export async function doDeeds(base: string): Promise<readonly Expected[]> {
  const claimed = await claim(base);
  const widened = await widen(base, claimed);
  const reused = await reuse(claimed.agent, claimed.refreshToken, claimed.id);
  const denied = await deny(base);
  const withdrawn = await withdraw(base);
  const consents = await consent(base, claimed.person);
  await claimed.person.open('/agents');
  while (claimed.person.page.text.includes('action="/agents/revoke')) {
    await claimed.person.send('/agents/revoke');
  }
  return [
    ['REGISTRATION_CREATED', claimed.id],
    ['CLAIM_REQUESTED', claimed.id],
    ['CLAIM_CONFIRMED', claimed.id],
    ...[widened, reused, ...denied, ...withdrawn, ...consents],
    ['REGISTRATION_REVOKED', claimed.id],
  ];
}

interface Claimed {
  readonly agent: Agent;
  readonly id: string;
  readonly person: Browser;
  readonly assertion: string;
  readonly refreshToken: string;
}

async function claim(base: string): Promise<Claimed> {
  const agent = new Agent(base);
  const { id, claimToken } = await agent.register({ type: 'anonymous', scopes: ['mcp.tools'] });
  const { body } = await agent.claim({ claim_token: claimToken, email });
  const { verification_uri: link = '' } = body['claim_attempt'] as Record<string, string>;
  const person = await personAt(base, link, email);
  await person.send('/agent/claim/confirm');
  const done = await agent.complete(claimToken, codeOn(person));
  assert.equal(done.status, 200, JSON.stringify(done.body));
  return {
    ...{ agent, id, person, assertion: String(done.body['identity_assertion']) },
    refreshToken: String(done.body['refresh_token']),
  };
}

/** A person gives an agent a scope that it was refused for. */
async function widen(base: string, { agent, id, person, assertion }: Claimed): Promise<Expected> {
  const issued = await agent.exchange(assertion);
  const call = { name: 'github_users_get_me', arguments: {} };
  const refused = await agent.send(
    'POST',
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${issued.body['access_token']}`,
    },
  );
  const [, page = ''] = /"elevation_url":"([^"]+)"/.exec(JSON.stringify(refused.body)) ?? [];
  assert.ok(page.startsWith(base), JSON.stringify(refused.body));
  await person.open(page);
  await person.send('/oauth2/elevate', { decision: 'allow' });
  assert.equal(person.page.status, 200, person.page.text);
  return ['SCOPES_WIDENED', id];
}

/** Somebody brings a refresh token whose successor was spent. */
async function reuse(agent: Agent, first: string, id: string): Promise<Expected> {
  const refresh = (refresh_token: unknown): Promise<Told> =>
    agent.send('POST', '/agent/identity', { type: 'refresh', refresh_token });
  const second = (await refresh(first)).body['refresh_token'];
  assert.equal((await refresh(second)).status, 200);
  assert.equal((await refresh(first)).status, 400);
  return ['REFRESH_REUSE_DETECTED', id];
}

async function deny(base: string): Promise<readonly Expected[]> {
  const { id, link = '' } = await new Agent(base).register({ type: 'service_auth', email });
  const person = await personAt(base, link, email);
  await person.send('/agent/claim/deny');
  assert.equal(person.page.status, 200, person.page.text);
  return [
    ['REGISTRATION_CREATED', id],
    ['CLAIM_REQUESTED', id],
    ['CLAIM_DENIED', id],
  ];
}

async function revoke(base: string, form: Readonly<Record<string, string>>): Promise<void> {
  const body = new URLSearchParams(form);
  assert.equal((await fetch(`${base}/oauth2/revoke`, { method: 'POST', body })).status, 200);
}

async function withdraw(base: string): Promise<readonly Expected[]> {
  const agent = new Agent(base);
  const { id, assertion = '' } = await agent.register({ type: 'anonymous' });
  const issued = await agent.exchange(assertion);
  const token = String(issued.body['access_token']);
  await revoke(base, { token });
  // Again it changes nothing.
  await revoke(base, { token });
  assert.equal((await agent.whoami(token)).status, 401);
  await revoke(base, { token: assertion });
  return [
    ['REGISTRATION_CREATED', id],
    ['TOKEN_REVOKED', id],
    ['TOKEN_REVOKED', id],
  ];
}

/** A client registers itself; the person lets it in, then not, and takes it back at last. */
async function consent(base: string, person: Browser): Promise<readonly Expected[]> {
  const redirect_uri = `${base}/callback`;
  const registered = await new Agent(base).send('POST', '/oauth2/register', {
    ...{ redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' },
  });
  assert.equal(registered.status, 201, JSON.stringify(registered.body));
  const client_id = String(registered.body['client_id']);
  const verifier = randomBytes(32).toString('base64url');
  const ask = async (decision: 'allow' | 'deny', scope: string) => {
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id, redirect_uri, scope, code_challenge_method: 'S256' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    await person.open(`/oauth2/authorize?${query}`);
    await person.send('/oauth2/consent', { decision, ...(decision === 'allow' && { scope }) });
    return new URL(person.page.url).searchParams;
  };
  assert.ok((await ask('allow', 'mcp.tools')).has('code'), person.page.url);
  assert.equal((await ask('deny', 'api.read')).get('error'), 'access_denied');
  return [
    ['CLIENT_REGISTERED', client_id],
    ['CONSENT_GIVEN', client_id],
    ['CONSENT_REFUSED', client_id],
    ['CONSENT_REVOKED', client_id],
  ];
}
