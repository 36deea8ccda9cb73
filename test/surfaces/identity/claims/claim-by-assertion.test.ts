import assert from 'node:assert/strict';
import test from 'node:test';
import type { JWTPayload } from 'jose';
import { type Ending, shared } from '../../common-server.ts';
import { Agent, codeOn, personAt } from '../claiming-agent.ts';
import { serveIdentity } from '../served-identity.ts';
import { startVouching } from '../vouching.ts';

const revoked = 'https://schemas.workos.com/events/agent/auth/identity/assertion/revoked';

const github = {
  SERVICE_PROVIDER: 'github',
  SERVICE_PROVIDER_AUTH_JSON: '{"github":"a token of the operator"}',
};

async function start(t: Ending, settings: object = {}, more: Record<string, string> = {}) {
  const provider = await startVouching(t, settings);
  const env = { SERVICE_REGISTRATIONS_PER_NETWORK: '1000', SERVICE_AUTH: 'required', ...more };
  const served = await serveIdentity(t, { ...env, ...provider.env });
  const agent = new Agent(served.base);
  const jag = (more?: JWTPayload) => provider.jag(served.base, more);
  const claim = async (claim_token: string, more?: JWTPayload) => {
    const assertion = await jag(more);
    return agent.claim({ type: 'identity_assertion', claim_token, assertion });
  };
  return { ...served, agent, provider, jag, claim };
}

const serve = shared((t) => start(t));
let tests = 0;

/** A server that the tests share, and people of whom no other one has heard: by their subject and address. */
async function startTogether() {
  const number = ++tests;
  const { jag: sign, ...served } = await serve();
  // What the tests before have used of the limits of an hour is over.
  served.advance(3_600_000);
  const { agent } = served;
  const who = (name: string) => ({
    sub: `${name}-${number}`,
    email: `${name}-${number}@example.com`,
  });
  /** About somebody new, where nothing else is said. */
  const jag = (more?: JWTPayload) => sign({ ...who('new'), ...more });
  const claim = async (claim_token: string, more?: JWTPayload) => {
    const assertion = await jag(more);
    return agent.claim({ type: 'identity_assertion', claim_token, assertion });
  };
  return { ...served, jag, claim, who };
}

const idOf = (told: { readonly body: Readonly<Record<string, unknown>> }) => told.body['error'];

test('the word of a provider claims an agent whose person is new here, in whatever way it then asks', async () => {
  const { agent, claim, advance, who } = await startTogether();
  const metadata = await agent.send('GET', '/.well-known/oauth-authorization-server');
  const { claim_methods_supported: methods } = metadata.body['agent_auth'] as {
    readonly claim_methods_supported: readonly string[];
  };
  assert.deepEqual(methods, ['user_code', 'readback', 'identity_assertion']);
  const { id, claimToken, assertion: first } = await agent.register({ type: 'anonymous' });
  const before = await agent.exchange(first);
  assert.equal(before.status, 200);
  // A link that is open is over when the provider has vouched.
  const asked = await agent.claim({ claim_token: claimToken, email: who('eve').email });
  const { verification_uri: link = '' } = asked.body['claim_attempt'] as Record<string, string>;

  advance(1000);
  const { status, body } = await claim(claimToken);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    [body['registration_id'], body['id'], body['registration_type'], body['status']],
    [id, id, 'identity_assertion', 'claimed'],
  );
  assert.ok(body['assertion_expires']);
  const { identity_assertion: assertion, identity } = body as {
    readonly identity_assertion: string;
    readonly identity: Readonly<Record<string, { readonly value: string }>>;
  };
  assert.equal(identity['assertion'], assertion as unknown);
  assert.match(identity['refresh_token']?.value ?? '', /^art_/);
  const { email, email_verified: isVerified } = JSON.parse(
    Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString(),
  );
  assert.deepEqual([email, isVerified], [who('new').email, true]);

  const { body: token } = await agent.exchange(assertion);
  const me = await agent.whoami(token['access_token']);
  assert.equal(me.body['status'], 'claimed');
  assert.match(String(me.body['subject']), /^usr_/);
  assert.equal((await agent.whoami(before.body['access_token'])).status, 401);
  assert.equal(idOf(await agent.exchange(first)), 'invalid_grant');
  assert.equal((await personAt(agent.base, link, who('eve').email)).page.status, 404);
  // Whoever has lost the answer gets it again, the refresh token only once.
  advance(5000);
  const again = await agent.view(claimToken);
  assert.equal(again.body['status'], 'claimed');
  assert.ok(again.body['identity_assertion']);
  assert.equal(again.body['refresh_token'], undefined);
  const polled = await agent.pollToken(claimToken);
  assert.equal(polled.status, 200, JSON.stringify(polled.body));
  assert.equal(idOf(await claim(claimToken)), 'already_claimed');
});

test('somebody who is known here agrees on the page first, and is bound to the provider by it (8.2)', async () => {
  const { agent, claim, jag, who: named } = await startTogether();
  const who = named('ada');
  await personAt(agent.base, '/agents', who.email);
  const { claimToken } = await agent.register({ type: 'anonymous' });
  const { status, headers, body } = await claim(claimToken, who);
  assert.equal(status, 200);
  assert.equal(headers['www-authenticate'], undefined);
  assert.deepEqual(
    [body['registration_type'], body['status']],
    ['identity_assertion', 'initiated'],
  );
  assert.equal(body['identity_assertion'], undefined);
  const attempt = body['claim_attempt'] as Readonly<Record<string, string>>;
  const { verification_uri: link = '' } = attempt;
  assert.equal((await personAt(agent.base, link, named('eve').email)).page.status, 403);
  const person = await personAt(agent.base, link, who.email);
  assert.match(person.page.text, /Provider/);
  assert.match(person.page.text, /never let an agent of this provider/);
  await person.send('/agent/claim/confirm');
  assert.equal((await agent.complete(claimToken, codeOn(person))).status, 200);
  // From now on its word is enough, for another registration as well.
  const other = await agent.register({ type: 'anonymous' });
  const clean = await claim(other.claimToken, who);
  assert.deepEqual([clean.status, clean.body['status']], [200, 'claimed']);
  const assertion = await jag(who);
  const registered = await agent.register({ type: 'identity_assertion', assertion });
  assert.equal(registered.body['status'], 'claimed');
  assert.ok(![other.id].includes(registered.id), 'it registers an agent of its own');
});

test('whom a provider has named is never bound to the one who answers a later attempt', async () => {
  const { agent, claim, who: named } = await startTogether();
  const [who, { email }] = [named('ada'), named('eve')];
  for (const each of [who.email, email]) await personAt(agent.base, '/agents', each);
  const { claimToken } = await agent.register({ type: 'anonymous' });
  assert.equal((await claim(claimToken, who)).body['status'], 'initiated');
  const asked = await agent.claim({ claim_token: claimToken, email });
  const { verification_uri: link = '' } = asked.body['claim_attempt'] as Record<string, string>;
  const eve = await personAt(agent.base, link, email);
  await eve.send('/agent/claim/confirm');
  // Eve has agreed, so nobody else can be asked now, nor vouched for.
  const late = await claim(claimToken, who);
  assert.deepEqual([late.status, idOf(late)], [409, 'claimed_or_in_flight']);
  const fresh = await claim(claimToken, named('new'));
  assert.deepEqual([fresh.status, idOf(fresh)], [409, 'claimed_or_in_flight']);
  assert.equal((await agent.complete(claimToken, codeOn(eve))).status, 200);
  const other = await agent.register({ type: 'anonymous' });
  const asksAda = await claim(other.claimToken, who);
  assert.equal(asksAda.body['status'], 'initiated', 'the subject of Ada is not that of Eve');
});

test('the times of an assertion may have a fraction (RFC 7519, section 2)', async () => {
  const { agent, claim, jag, provider, who } = await startTogether();
  const times = { exp: provider.now() + 60.0005, auth_time: provider.now() - 9.5 };
  const assertion = await jag({ ...times, ...who('a') });
  const { body: registered } = await agent.send('POST', '/agent/identity', {
    ...{ type: 'identity_assertion', assertion },
  });
  assert.equal(registered['status'], 'claimed', JSON.stringify(registered));
  const { claimToken } = await agent.register({ type: 'anonymous' });
  const { status, body } = await claim(claimToken, times);
  assert.deepEqual([status, body['status']], [200, 'claimed'], JSON.stringify(body));
});

test('of two people who are vouched for at the same time, one claims the agent', async () => {
  const { agent, claim, who } = await startTogether();
  const { claimToken } = await agent.register({ type: 'anonymous' });
  const all = await Promise.all(['a', 'b', 'c'].map((name) => claim(claimToken, who(name))));
  const told = all.map(({ status, body }) => [status, body['error']]);
  assert.deepEqual(told.toSorted(), [
    [200, undefined],
    [409, 'already_claimed'],
    [409, 'already_claimed'],
  ]);
});

test('an assertion claims no more than it carries, and no scope that nobody was shown', async (t) => {
  const { agent, claim } = await start(t, {}, github);
  const scopes = ['mcp.tools', 'api.read', 'provider:github:read'];
  const scopesOf = async (token: string, more: JWTPayload) => {
    const { status, body } = await claim(token, more);
    return status === 200 ? body['post_claim_scopes'] : body['error'];
  };
  const narrow = await agent.register({ type: 'anonymous', scopes });
  assert.deepEqual(narrow.body['post_claim_scopes'], scopes);
  const carried = {
    sub: 'a',
    email: 'a@example.com',
    scope: 'mcp.tools provider:github:read tenants',
  };
  assert.deepEqual(await scopesOf(narrow.claimToken, carried), [
    'mcp.tools',
    'provider:github:read',
  ]);
  const plain = await agent.register({ type: 'anonymous', scopes });
  const silent = { sub: 'b', email: 'b@example.com' };
  assert.deepEqual(await scopesOf(plain.claimToken, silent), ['mcp.tools', 'api.read']);
  const none = await agent.register({ type: 'anonymous', scopes: ['mcp.tools'] });
  const foreign = { sub: 'c', email: 'c@example.com', scope: 'provider:github:read' };
  assert.equal(await scopesOf(none.claimToken, foreign), 'invalid_scope');
  const view = await agent.view(none.claimToken);
  assert.equal(view.body['status'], 'unclaimed', 'a refusal leaves it as it was');
});

test('the page gives no more than the assertion and its issuer allow', async (t) => {
  const { agent, claim } = await start(t, { scopes: ['mcp.tools', 'api.read'] });
  await personAt(agent.base, '/agents', 'ada@example.com');
  const who = { email: 'ada@example.com', sub: 'ada', scope: 'mcp.tools' };
  const scopes = ['mcp.tools', 'api.read'];
  const { claimToken } = await agent.register({ type: 'anonymous', scopes });
  const none = await claim(claimToken, { ...who, scope: 'tenants' });
  assert.equal(idOf(none), 'invalid_scope');
  const { body } = await claim(claimToken, who);
  const { verification_uri: link = '' } = body['claim_attempt'] as Record<string, string>;
  const person = await personAt(agent.base, link, 'ada@example.com');
  await person.send('/agent/claim/confirm');
  const { status, body: done } = await agent.complete(claimToken, codeOn(person));
  assert.equal(status, 200);
  const { body: token } = await agent.exchange(String(done['identity_assertion']));
  assert.equal(token['scope'], 'mcp.tools');
});

test('each thing that is wrong with a claim by assertion has its error', async (t) => {
  const { agent, claim, jag, provider, base } = await start(t, { creates_people: false });
  const { claimToken } = await agent.register({ type: 'anonymous' });
  const body = { type: 'identity_assertion', claim_token: claimToken };
  const used = await jag();
  for (const [what, told, expected] of [
    ['no assertion', await agent.claim(body), [400, 'invalid_request']],
    [
      'no token',
      await agent.claim({ ...body, claim_token: 'clm_x' }),
      [401, 'invalid_claim_token'],
    ],
    [
      'nobody is taken in',
      await agent.claim({ ...body, assertion: used }),
      [403, 'registration_not_allowed'],
    ],
    ['again', await agent.claim({ ...body, assertion: used }), [400, 'replay_detected']],
    [
      'other issuer',
      await claim(claimToken, { iss: 'https://evil.example' }),
      [400, 'issuer_not_enabled'],
    ],
    [
      'other audience',
      await claim(claimToken, { aud: 'https://other.example' }),
      [400, 'invalid_audience'],
    ],
    ['expired', await claim(claimToken, { exp: provider.now() - 120 }), [400, 'expired']],
    [
      'not verified',
      await claim(claimToken, { email_verified: false }),
      [400, 'missing_verified_email'],
    ],
    [
      'long ago',
      await claim(claimToken, { auth_time: provider.now() - 7200 }),
      [401, 'login_required'],
    ],
    ['bound to a key', await claim(claimToken, { cnf: { jkt: 'x' } }), [400, 'invalid_request']],
  ] as const) {
    assert.deepEqual(
      [told.status, told.body['error']],
      expected,
      `${what}: ${JSON.stringify(told.body)}`,
    );
    assert.equal(told.body['message'], told.body['error_description'], what);
  }
  const person = await agent.register({ type: 'service_auth', email: 'ada@example.com' });
  const wrongKind = await claim(person.claimToken, { sub: 'x' });
  assert.deepEqual([wrongKind.status, idOf(wrongKind)], [400, 'invalid_request']);
  const plain = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const nobody = new Agent(plain.base);
  const there = await nobody.register({ type: 'anonymous' });
  const untrusted = await nobody.claim({ ...body, claim_token: there.claimToken, assertion: used });
  assert.deepEqual([untrusted.status, idOf(untrusted)], [400, 'issuer_not_enabled']);
  assert.deepEqual(untrusted.body['error_aliases'], ['invalid_issuer']);
  assert.ok(base);
});

test('a provider ends the agents that its word has claimed, and those whose claim is open', async () => {
  const { agent, claim, provider, base, who } = await startTogether();
  const ada = who('ada');
  await personAt(base, '/agents', ada.email);
  const claimed = await agent.register({ type: 'anonymous' });
  const { body } = await claim(claimed.claimToken);
  const open = await agent.register({ type: 'anonymous' });
  assert.equal((await claim(open.claimToken, ada)).status, 200);
  for (const sub of [who('new').sub, ada.sub]) {
    const event = await provider.sign(
      { aud: base, sub, events: { [revoked]: {} } },
      'secevent+jwt',
    );
    const { status } = await fetch(`${base}/agent/event/notify`, {
      method: 'POST',
      headers: { 'content-type': 'application/secevent+jwt' },
      body: event,
    });
    assert.equal(status, 202);
  }
  assert.equal(idOf(await agent.exchange(body['identity_assertion'])), 'invalid_grant');
  assert.equal((await agent.view(open.claimToken)).body['error'], 'claim_revoked');
});
