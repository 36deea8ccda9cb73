import assert from 'node:assert/strict';
import test from 'node:test';
import { shared } from '../../common-server.ts';
import { Browser } from '../browser.ts';
import { Agent, codeOn, personAt } from '../claiming-agent.ts';
import { serveIdentity } from '../served-identity.ts';

const serve = shared(serveIdentity);

/** Who is asked: somebody new in each test, for they share the server. Nothing ever acts for Eve. */
let email = '';
let people = 0;

async function start(env: Readonly<Record<string, string>> = {}) {
  email = `ada-${people++}@example.com`;
  const served = await serve({ SERVICE_REGISTRATIONS_PER_NETWORK: '1000', ...env });
  // What the tests before have used of the limits of an hour is over.
  served.advance(3_600_000);
  return { ...served, agent: new Agent(served.base) };
}

async function begun(agent: Agent, hint = email) {
  const registered = await agent.register({ type: 'anonymous', client_name: 'Helper' });
  const { body } = await agent.claim({ claim_token: registered.claimToken, login_hint: hint });
  const attempt = body['claim_attempt'] as Readonly<Record<string, string>>;
  return {
    ...registered,
    link: attempt['verification_uri'] ?? '',
    userCode: attempt['user_code'] ?? '',
  };
}

function otherThan(code: string): string {
  return code.replace(/^./, (first) => (first === 'B' ? 'C' : 'B'));
}

function errorOf({ status, body }: { status: number; body: Readonly<Record<string, unknown>> }) {
  assert.equal(body['message'], body['error_description']);
  assert.equal(typeof body['message'], 'string');
  return [status, body['error']];
}

test('the errors of the claim endpoint (10)', async () => {
  const { agent, advance } = await start();
  const { claimToken } = await agent.register({ type: 'anonymous' });
  const claim = async (body: object) => errorOf(await agent.claim(body));
  assert.deepEqual(await claim({ claim_token: 'clm_x', email }), [401, 'invalid_claim_token']);
  assert.deepEqual(await claim({ email }), [401, 'invalid_claim_token']);
  assert.deepEqual(await claim({ claim_token: claimToken }), [400, 'invalid_request']);
  assert.deepEqual(await claim({ claim_token: claimToken, email: 'ada' }), [
    400,
    'invalid_login_hint',
  ]);
  const two = { claim_token: claimToken, email, login_hint: 'bob@example.com' };
  assert.deepEqual(await claim(two), [400, 'invalid_request']);
  assert.deepEqual(await claim({ claim_token: claimToken, type: 'x', email }), [
    400,
    'invalid_request',
  ]);
  const vouched = { claim_token: claimToken, type: 'identity_assertion', assertion: 'x' };
  assert.deepEqual(await claim(vouched), [400, 'issuer_not_enabled']);
  const bearer = await agent.claim({ email }, { authorization: `Bearer ${claimToken}` });
  assert.equal(bearer.status, 200, 'the token may come in the header');
  advance(86_400_000);
  assert.deepEqual(await claim({ claim_token: claimToken, email }), [410, 'claim_expired']);
  assert.deepEqual(errorOf(await agent.view(claimToken)), [410, 'claim_expired']);
  assert.deepEqual(errorOf(await agent.complete(claimToken, 'BCDF')), [410, 'claim_expired']);
});

test('the errors of the completion (10)', async () => {
  const { agent, advance } = await start();
  assert.deepEqual(errorOf(await agent.complete('clm_x', 'BCDF')), [400, 'invalid_claim']);
  const { claimToken, link } = await begun(agent);
  assert.deepEqual(errorOf(await agent.complete(claimToken, 'BCDF')), [409, 'claim_not_confirmed']);
  const person = await personAt(agent.base, link, email);
  await person.send('/agent/claim/confirm');
  const code = codeOn(person);
  const wrong = await agent.complete(claimToken, otherThan(code));
  assert.deepEqual(errorOf(wrong), [401, 'invalid_user_code']);
  assert.equal(wrong.body['attempts_remaining'], 4);
  advance(600_000);
  assert.deepEqual(errorOf(await agent.complete(claimToken, code)), [410, 'user_code_expired']);
  assert.equal((await agent.view(claimToken)).body['status'], 'expired');
  const again = await begun(agent, 'bob@example.com');
  const bob = await personAt(agent.base, again.link, 'bob@example.com');
  await bob.send('/agent/claim/deny');
  assert.match(bob.page.text, /may not act for you/);
  assert.deepEqual(errorOf(await agent.complete(again.claimToken, code)), [403, 'claim_denied']);
  assert.equal((await agent.view(again.claimToken)).body['status'], 'denied');
  assert.equal((await agent.pollToken(again.claimToken)).body['error'], 'access_denied');
});

test('what is claimed is not claimed again, and what is revoked never', async () => {
  const { agent } = await start();
  const { claimToken, link, userCode } = await begun(agent);
  const person = await personAt(agent.base, link, email);
  await person.send('/agent/identity/claim/complete', { user_code: userCode });
  const again = await agent.claim({ claim_token: claimToken, email: 'eve@example.com' });
  assert.deepEqual(errorOf(again), [409, 'already_claimed']);
  assert.deepEqual(again.body['error_aliases'], ['claimed_or_in_flight']);
  assert.deepEqual(errorOf(await agent.complete(claimToken, 'BCDF')), [409, 'already_claimed']);
  await person.open('/agents');
  assert.match(person.page.text, /Helper/);
  await person.send('/agents/revoke');
  assert.match(person.page.text, /It was revoked/);
  assert.doesNotMatch(person.page.text, /Helper/);
  assert.deepEqual(errorOf(await agent.view(claimToken)), [410, 'claim_revoked']);
  assert.deepEqual(errorOf(await agent.claim({ claim_token: claimToken, email })), [
    410,
    'claim_revoked',
  ]);
});

test('five wrong codes lock an attempt, the right one included (threat 8)', async () => {
  const { agent } = await start();
  const { claimToken, link } = await begun(agent);
  const person = await personAt(agent.base, link, email);
  await person.send('/agent/claim/confirm');
  const code = codeOn(person);
  for (const left of [4, 3, 2, 1, 0]) {
    const { status, body } = await agent.complete(claimToken, otherThan(code));
    assert.deepEqual([status, body['attempts_remaining']], [401, left]);
  }
  assert.deepEqual(errorOf(await agent.complete(claimToken, code)), [429, 'too_many_attempts']);
  assert.equal((await person.open(link)).status, 410);
  const { body } = await agent.claim({ claim_token: claimToken, email });
  assert.equal(body['status'], 'initiated', 'a new attempt may be made');
});

test('wrong codes on the page are told there, and lock as well (threat 8)', async () => {
  const { agent } = await start();
  const { link, userCode } = await begun(agent);
  const person = await personAt(agent.base, link, email);
  for (const left of [4, 3, 2, 1]) {
    await person.send('/agent/identity/claim/complete', { user_code: otherThan(userCode) });
    assert.equal(person.page.status, 400);
    assert.match(person.page.text, new RegExp(`you may try ${left} more`));
  }
  await person.send('/agent/identity/claim/complete', { user_code: otherThan(userCode) });
  assert.equal(person.page.status, 429);
  assert.equal((await person.open(link)).status, 410);
});

test('a link is worth nothing for another account (threats 7 and 9)', async () => {
  const { agent } = await start();
  const { link, userCode, claimToken } = await begun(agent);
  const eve = await personAt(agent.base, link, 'eve@example.com');
  assert.equal(eve.page.status, 403);
  assert.match(eve.page.text, /asks for somebody else/);
  assert.doesNotMatch(eve.page.text, /ada-\d+@example|Helper|claim_attempt_token"/);
  const ada = await personAt(agent.base, link, email);
  const { fields } = ada.formOf('/agent/identity/claim/complete');
  const body = new URLSearchParams({ ...fields, user_code: userCode }).toString();
  assert.equal(
    (await eve.post('/agent/identity/claim/complete', body)).status,
    403,
    'the form of another',
  );
  assert.equal(
    (await new Browser(agent.base).post('/agent/identity/claim/complete', body)).status,
    403,
  );
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  assert.equal(
    (await ada.post('/agent/claim/confirm', body, foreign)).status,
    403,
    'a foreign page',
  );
  assert.equal((await agent.view(claimToken)).body['status'], 'pending');
});

test('the page says who asks from where for what, and warns (threat 7)', async () => {
  const { agent } = await start();
  const { link } = await begun(agent);
  const { page } = await personAt(agent.base, link, email);
  assert.match(page.text, /“<bdi>Helper<\/bdi>”/);
  assert.match(page.text, /Asked from the network<\/dt><dd>(127\.0\.0\.1|this machine), /);
  assert.match(page.text, /Go on only if you have started this yourself/);
  assert.match(page.text, /never let an agent act for you/);
  assert.match(page.text, /<li>Use the tools of this server/);
  assert.ok(Buffer.byteLength(page.text) < 30_000);
  const { headers } = page;
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
  assert.doesNotMatch(page.text, /class="code"/, 'the code is shown to nobody who has not agreed');
});

test('names of agents are text on every page (threat 21)', async () => {
  const { agent } = await start();
  const name = `</bdi><script>alert(1)</script>"'\u202e<img src=x>`;
  const { claimToken } = await agent.register({
    type: 'anonymous',
    client_name: name,
    software_id: name,
  });
  const { body } = await agent.claim({ claim_token: claimToken, email });
  const attempt = body['claim_attempt'] as Readonly<Record<string, string>>;
  const person = await personAt(agent.base, attempt['verification_uri'] ?? '', email);
  assert.match(person.page.text, /&lt;script&gt;/);
  assert.doesNotMatch(person.page.text, /<script|<img|\u202e/);
  await person.send('/agent/identity/claim/complete', { user_code: attempt['user_code'] ?? '' });
  await person.open('/agents');
  assert.match(person.page.text, /&lt;script&gt;/);
  assert.doesNotMatch(person.page.text, /<script|<img|\u202e/);
});

test('one attempt is live: a new one ends the link and the code of the old one (threat 9)', async () => {
  const { agent } = await start();
  const first = await begun(agent);
  const { body } = await agent.claim({ claim_token: first.claimToken, email });
  const second = body['claim_attempt'] as Readonly<Record<string, string>>;
  const person = await personAt(agent.base, second['verification_uri'] ?? '', email);
  assert.equal(person.page.status, 200);
  assert.equal((await person.open(first.link)).status, 404);
  await person.open(second['verification_uri'] ?? '');
  await person.send('/agent/identity/claim/complete', { user_code: first.userCode });
  assert.equal(person.page.status, 400, 'the old code is wrong now');
  await person.send('/agent/claim/confirm');
  const eve = await agent.claim({ claim_token: first.claimToken, email: 'eve@example.com' });
  assert.deepEqual(errorOf(eve), [409, 'claimed_or_in_flight'], 'the address is fixed now');
});

test('an address is answered the same whether anybody is known under it (threat 10)', async () => {
  const { agent } = await start();
  await personAt(agent.base, '/agents', 'known@example.com');
  const shapeOf = async (address: string) => {
    const { body, headers, status } = await agent.send('POST', '/agent/identity', {
      type: 'service_auth',
      email: address,
    });
    const secrets = /(reg|clm|cvt|cla)_[\w-]+|[A-Z]{4}-[A-Z]{4}|\d{4}-\d\d-\d\dT[\d:.]+Z/g;
    const { date: _, 'content-length': __, ...rest } = headers;
    return { status, rest, body: JSON.stringify(body).replaceAll(secrets, '') };
  };
  assert.deepEqual(await shapeOf('known@example.com'), await shapeOf('nobody@example.com'));
});

test('a person is not bothered without end, whoever asks (13)', async () => {
  const { agent, advance } = await start();
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) {
    const told = await agent.send('POST', '/agent/identity', { type: 'service_auth', email });
    statuses.push(told.status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 429], 'three live attempts');
  advance(3_600_000);
  const late = await agent.send('POST', '/agent/identity', { type: 'service_auth', email });
  assert.equal(late.status, 200);
  const sixth = await agent.send('POST', '/agent/identity', { type: 'service_auth', email });
  assert.deepEqual(errorOf(sixth), [429, 'rate_limited']);
  assert.ok(Number(sixth.headers['retry-after']) > 3600);
});

test('asking too often slows an agent down (RFC 8628 section 3.5)', async () => {
  const { agent, advance } = await start();
  const { claimToken } = await begun(agent);
  assert.equal((await agent.view(claimToken)).status, 200);
  const soon = await agent.view(claimToken);
  assert.deepEqual(errorOf(soon), [429, 'slow_down']);
  assert.equal(soon.body['interval'], 10);
  advance(5000);
  assert.equal((await agent.pollToken(claimToken)).body['error'], 'slow_down');
  advance(15_000);
  assert.equal((await agent.pollToken(claimToken)).body['error'], 'authorization_pending');
});

test('an agent that waits for news hears of them at once', async () => {
  const { agent } = await start();
  const { claimToken, link, userCode } = await begun(agent);
  const waiting = agent.view(claimToken, '?wait=25');
  const person = await personAt(agent.base, link, email);
  await person.send('/agent/identity/claim/complete', { user_code: userCode });
  const { body } = await waiting;
  assert.equal(body['status'], 'claimed');
  assert.ok(body['identity_assertion']);
});

test('of many who hand in the right code at once, one claims (5.1)', async () => {
  const { agent } = await start();
  const { claimToken, link } = await begun(agent);
  const person = await personAt(agent.base, link, email);
  await person.send('/agent/claim/confirm');
  const code = codeOn(person);
  const told = await Promise.all(
    Array.from({ length: 10 }, () => agent.complete(claimToken, code)),
  );
  assert.equal(told.filter(({ status }) => status === 200).length, 1);
  assert.equal(told.filter(({ status }) => status === 409).length, 9);
});

test('what a claim brings is what was registered, no more (threat 14)', async () => {
  const { agent } = await start();
  const { claimToken, body } = await agent.register({ type: 'anonymous', scopes: ['mcp.tools'] });
  assert.deepEqual(body['post_claim_scopes'], ['mcp.tools']);
  const { body: claim } = await agent.claim({
    claim_token: claimToken,
    email,
    scopes: ['audit:read'],
  });
  const attempt = claim['claim_attempt'] as Readonly<Record<string, string>>;
  const person = await personAt(agent.base, attempt['verification_uri'] ?? '', email);
  await person.send('/agent/identity/claim/complete', { user_code: attempt['user_code'] ?? '' });
  const { body: done } = await agent.view(claimToken);
  assert.deepEqual(done['post_claim_scopes'], ['mcp.tools']);
  assert.equal((await agent.exchange(done['identity_assertion'])).body['scope'], 'mcp.tools');
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const assertion = String(done['identity_assertion']);
  const more = await agent.token({ grant_type, assertion, scope: 'audit:read' });
  assert.equal(more.body['error'], 'invalid_scope');
});

test('bodies that are none are refused in the form of this endpoint (threat 20)', async () => {
  const { agent } = await start();
  const bodies: readonly [unknown, number][] = [
    [[], 400],
    [{ claim_token: { a: 1 } }, 400],
    [{ claim_token: 'x'.repeat(40_000) }, 413],
  ];
  for (const [body, status] of bodies) {
    const told = await agent.send('POST', '/agent/identity/claim', body as object);
    assert.deepEqual(errorOf(told), [status, 'invalid_request'], JSON.stringify(told.body));
  }
  const polluted = JSON.parse(
    '{"__proto__": {"claim_token": "clm_x"}, "constructor": 1, "user_code": "B"}',
  );
  const told = await agent.send('POST', '/agent/identity/claim/complete', polluted);
  assert.ok([400, 401].includes(told.status));
});

test('where nobody can sign in, nothing is claimed or advertised (5.6)', async () => {
  const { agent } = await start({ SERVICE_CLAIM_AUTH: 'none' });
  const registration = await agent.send('POST', '/agent/identity', { type: 'service_auth', email });
  assert.deepEqual(errorOf(registration), [403, 'auth_method_disabled']);
  const { claimToken } = await agent.register({ type: 'anonymous' });
  const claim = await agent.claim({ claim_token: claimToken, email });
  assert.deepEqual(errorOf(claim), [403, 'auth_method_disabled']);
  assert.deepEqual(errorOf(await agent.complete(claimToken, 'B')), [403, 'auth_method_disabled']);
  const { body } = await agent.send('GET', '/.well-known/oauth-authorization-server');
  const { identity_types_supported: types } = body['agent_auth'] as Readonly<
    Record<string, unknown>
  >;
  assert.deepEqual(types, ['anonymous']);
  assert.doesNotMatch(JSON.stringify(body), /grant-type:claim/);
});

test('the two codes of an attempt are two, and six digits where the operator wants them (2)', async () => {
  const { agent } = await start({ SERVICE_USER_CODE_STYLE: 'digits6' });
  const { link, userCode, claimToken } = await begun(agent);
  assert.match(userCode, /^\d{6}$/);
  const person = await personAt(agent.base, link, email);
  await person.send('/agent/claim/confirm');
  const code = codeOn(person);
  assert.match(code, /^\d{6}$/);
  assert.equal((await person.open(link)).status, 200);
  assert.equal(codeOn(person), code, 'the page can be loaded again');
  if (userCode !== code) assert.equal((await agent.complete(claimToken, userCode)).status, 401);
  assert.equal((await agent.complete(claimToken, code)).status, 200);
});

test('nobody revokes what acts for somebody else', async () => {
  const { agent } = await start();
  const { id, claimToken, link, userCode } = await begun(agent);
  const ada = await personAt(agent.base, link, email);
  await ada.send('/agent/identity/claim/complete', { user_code: userCode });
  const eve = await personAt(agent.base, '/agents', 'eve@example.com');
  assert.match(eve.page.text, /Nothing acts for you/);
  const token = eve.formOf('/agents/sign-out').fields['token'] ?? '';
  await eve.post('/agents/revoke', new URLSearchParams({ token, id }).toString());
  assert.doesNotMatch(eve.page.text, /It was revoked/);
  assert.equal((await agent.view(claimToken)).body['status'], 'claimed');
});
