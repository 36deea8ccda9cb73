import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PageWalk } from '../../../pages/page-walk.ts';
import { bearer, rpc } from '../agent.ts';
import { Browser } from '../browser.ts';
import { Agent, personAt } from '../claiming-agent.ts';
import { freePort } from '../outbox/mail-server.ts';
import { serveIdentity } from '../served-identity.ts';

const email = 'ada@example.com';
const redirect = 'https://client.example/callback';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const enterPath = '/agent/identity/claim/complete';

/** An agent that asks whoever has this address, with the link for that. */
async function asking(agent: Agent, hint = email) {
  const { claimToken } = await agent.register({ type: 'anonymous', client_name: 'Helper' });
  const again = async () => {
    const { body } = await agent.claim({ claim_token: claimToken, login_hint: hint });
    const { verification_uri: link = '', user_code: code = '' } = body['claim_attempt'] as Record<
      string,
      string
    >;
    return { link, code };
  };
  return { ...(await again()), again, claimToken };
}

/** The ceremony of a claim, with all that may come between. */
export async function walkClaims(t: TestContext, walk: PageWalk): Promise<void> {
  const limits = { SERVICE_REGISTRATIONS_PER_NETWORK: '1000' };
  const { base, advance } = await serveIdentity(t, { SERVICE_AUTH: 'required', ...limits });
  const agent = new Agent(base);
  const person = new Browser(base);
  await walk.open(person, '/agents', 200);
  await walk.send(person, '/sign-in', 400, { email: 'nobody' });
  await walk.send(person, '/sign-in', 200, { email });
  const buttons = [
    { action: enterPath, entries: { user_code: 'BBBB-BBBB' } },
    { action: '/agent/claim/confirm', entries: {} },
    { action: '/agent/claim/deny', entries: {} },
  ];
  for (const [index, { action, entries }] of buttons.entries()) {
    // An address is asked a few times in a day.
    const own = `ada-${index}@example.com`;
    const { link, again } = await asking(agent, own);
    const one = await personAt(base, link, own);
    await walk.open(one, link, 200);
    const token = String(new URL(link).searchParams.get('claim_attempt_token'));
    await walk.forge(one, action, { claim_attempt_token: token, ...entries });
    await walk.open(one, link, 200);
    // Elsewhere the agent has asked anew.
    await again();
    await walk.send(one, action, 404, entries);
    await walk.open(one, link, 404);
    const late = await asking(agent, own);
    await walk.open(one, late.link, 200);
    const other = await personAt(base, late.link, own);
    await walk.send(other, '/agent/claim/deny', 200);
    await walk.send(one, action, 410, entries);
    await walk.open(one, late.link, 410);
    const done = await asking(agent, own);
    await walk.open(one, done.link, 200);
    await other.open(done.link);
    await walk.send(other, enterPath, 200, { user_code: done.code });
    await walk.send(one, action, 200, entries);
    await walk.open(one, done.link, 200);
  }
  const locked = await asking(agent);
  await walk.open(person, locked.link, 200);
  for (const status of [400, 400, 400, 400, 429]) {
    await walk.send(person, enterPath, status, { user_code: 'BBBB-BBBB' });
  }
  const shown = await asking(agent);
  await walk.open(person, shown.link, 200);
  await walk.send(person, '/agent/claim/confirm', 200);
  const expired = await asking(agent, 'eve@example.com');
  await walk.open(person, expired.link, 403);
  const foreign = new URL(expired.link).searchParams.get('claim_attempt_token') ?? '';
  for (const { action, entries } of buttons) {
    await walk.forge(person, action, { claim_attempt_token: foreign, ...entries });
  }
  advance(600_001);
  await walk.open(await personAt(base, expired.link, 'eve@example.com'), expired.link, 410);
  await walk.open(person, '/agents', 200);
  await walk.forge(person, '/agents/revoke', { id: 'reg_x' });
  await walk.forge(person, '/agents/sign-out', {});
  await walk.forge(person, '/sign-out', {});
  await walk.forge(person, '/sign-in', { email });
  await walk.open(person, '/agents', 200);
  const twin = await personAt(base, '/agents', 'ada-0@example.com');
  await walk.open(twin, '/agents', 200);
  await walk.send(twin, '/agents/revoke', 200);
  await walk.send(person, '/agents/sign-out', 200);
  const wrong = await personAt(
    base,
    (await asking(agent, 'eve@example.com')).link,
    'bob@example.com',
  );
  await walk.send(wrong, '/sign-out', 200);
}

/** The pages on which a host is let in, and given more. */
export async function walkConsent(t: TestContext, walk: PageWalk): Promise<void> {
  const client = { client_id: 'host', client_name: 'A host', redirect_uris: [redirect] };
  const { base } = await serveIdentity(t, {
    ...{ SERVICE_AUTH: 'required', SERVICE_PROVIDER: 'github' },
    SERVICE_PROVIDER_AUTH_JSON: '{"github":"a token of the operator"}',
    SERVICE_OAUTH_CLIENTS: JSON.stringify([client]),
  });
  const person = await personAt(base, '/agents', email);
  const begin = new URL(`${base}/oauth2/authorize`);
  const asked = {
    ...{ response_type: 'code', client_id: 'host', redirect_uri: redirect, scope: 'mcp.tools' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  };
  begin.search = new URLSearchParams({ ...asked, client_id: 'nobody' }).toString();
  await walk.open(person, begin.href, 400);
  await walk.open(person, '/oauth2/consent?request=nothing', 404);
  begin.search = new URLSearchParams(asked).toString();
  await walk.open(person, begin.href, 200);
  const { request } = person.formOf('/oauth2/consent').fields;
  const decision = { decision: 'deny' };
  await walk.forge(person, '/oauth2/consent', { request, ...decision });
  await walk.forge(person, '/oauth2/consent', { request: 'nothing', ...decision }, 404);
  await walk.open(person, '/oauth2/elevate?request=nothing', 404);

  const agent = new Agent(base);
  const { link, code, claimToken } = await asking(agent);
  await walk.open(person, link, 200);
  await walk.send(person, enterPath, 200, { user_code: code });
  const { body } = await agent.view(claimToken);
  const { body: issued } = await agent.exchange(body['identity_assertion']);
  const elevation = async () => {
    const call = { name: 'github_users_get_me', arguments: {} };
    const refused = await rpc(base, 'tools/call', call, bearer(String(issued['access_token'])));
    return String(refused.json.error.data.elevation_url);
  };
  const [first, second] = [await elevation(), await elevation()];
  await walk.open(person, first, 200);
  const more = { request: String(new URL(first).searchParams.get('request')) };
  await walk.forge(person, '/oauth2/elevate', { ...more, ...decision });
  await walk.open(person, first, 200);
  await walk.send(person, '/oauth2/elevate', 200, decision);
  await walk.open(person, second, 200);
  const twin = await personAt(base, second, email);
  await walk.send(twin, '/oauth2/elevate', 200, { decision: 'allow' });
  await walk.send(person, '/oauth2/elevate', 404, { decision: 'allow' });
}

/** The pages on which people sign in by mail, at a provider that is away, or not at all. */
export async function walkSignIns(t: TestContext, walk: PageWalk): Promise<void> {
  const { base, service } = await serveIdentity(t, { SERVICE_CLAIM_AUTH: 'email' });
  const person = new Browser(base);
  const told: string[] = [];
  t.mock.method(service.engines.log, 'info', (...words: unknown[]) =>
    told.push(JSON.stringify(words)),
  );
  t.mock.method(service.engines.log, 'warn', (...words: unknown[]) =>
    told.push(JSON.stringify(words)),
  );
  // Back at a page without a form, whose cookie this browser would keep in the place of the other.
  await walk.open(person, '/sign-in?return_to=/healthz', 200);
  await walk.send(person, '/sign-in', 200, { email });
  let link = '';
  while (link === '') {
    link = /http[^\s"]+\/sign-in\/link\?link=sgn_[\w-]+/.exec(told.join(' '))?.[0] ?? '';
    await sleep(20);
  }
  await walk.open(new Browser(base), link, 403);
  await walk.open(person, link, 200);
  const secret = String(new URL(link).searchParams.get('link'));
  await walk.forge(person, '/sign-in/link', { link: secret });
  await walk.open(person, link, 200);
  const { fields } = person.formOf('/sign-in/link');
  await person.send('/sign-in/link');
  await walk.forge(person, '/sign-in/link', fields, 410);
  await walk.open(new Browser(base), `/sign-in/link?link=sgn_${'a'.repeat(32)}`, 410);
  const late = new Browser(base);
  for (const status of [200, 200, 200, 200, 200, 429]) {
    await late.open('/sign-in');
    await walk.send(late, '/sign-in', status, { email: 'eve@example.com' });
  }
  const { base: none } = await serveIdentity(t, { SERVICE_CLAIM_AUTH: 'none' });
  const nobody = new Browser(none);
  for (const path of ['/sign-in', '/sign-in/callback?state=x', '/agents']) {
    await walk.open(nobody, path, 403);
  }
  const { base: away } = await serveIdentity(t, {
    ...{ SERVICE_CLAIM_AUTH: 'oidc', SERVICE_ALLOW_INSECURE_FETCH: '1' },
    ...{ SERVICE_OIDC_ISSUER: `http://127.0.0.1:${await freePort()}` },
    ...{ SERVICE_OIDC_CLIENT_ID: 'tools', SERVICE_OIDC_CLIENT_SECRET: 'a secret' },
  });
  await walk.open(new Browser(away), '/sign-in', 503);
  await walk.open(new Browser(away), '/sign-in/callback?state=x', 410);
}
