import assert from 'node:assert/strict';
import test from 'node:test';
import { shared } from '../../common-server.ts';
import { Agent, codeOn, personAt, type Registered, type Told } from '../claiming-agent.ts';
import { replicas, serveIdentity } from '../served-identity.ts';
import { startVouching, type Vouching } from '../vouching.ts';

const serve = shared(serveIdentity);
const vouching = shared((t) => startVouching(t));

/** Whom it is about: somebody new in each test, for they share the server. */
let email = '';
let people = 0;

async function start(env: Readonly<Record<string, string>> = {}) {
  email = `ada-${people++}@example.com`;
  const served = await serve({ SERVICE_REGISTRATIONS_PER_NETWORK: '1000', ...env });
  // What the tests before have used of the limits of an hour is over.
  served.advance(3_600_000);
  return { ...served, agent: new Agent(served.base) };
}

interface Delivered {
  readonly identity_assertion: string;
  readonly identity: {
    readonly assertion: string;
    readonly refresh_token: { readonly value: string };
  };
}

/** How the agent gets a link to a person, by dialect and kind of registration. */
const begins: Readonly<Record<string, (agent: Agent) => Promise<Begun>>> = {
  'D1: verified_email': async (agent) =>
    linkOf(
      await agent.register({
        type: 'identity_assertion',
        assertion_type: 'verified_email',
        email,
      }),
    ),
  'the contract: service_auth with email': async (agent) =>
    linkOf(await agent.register({ type: 'service_auth', email })),
  'D2 and D3: service_auth with login_hint': async (agent) =>
    linkOf(await agent.register({ type: 'service_auth', login_hint: email })),
  'D1: anonymous, claim with email': (agent) =>
    anonymous(agent, (token) => ({ claim_token: token, email })),
  'claim with login_hint': (agent) =>
    anonymous(agent, (token) => ({ claim_token: token, login_hint: email })),
  'D2: claim of type login_hint': (agent) =>
    anonymous(agent, (token) => ({ type: 'login_hint', claim_token: token, login_hint: email })),
  'D3: claim of type service_auth': (agent) =>
    anonymous(agent, (token) => ({ type: 'service_auth', claim_token: token, login_hint: email })),
};

/** The same with the word of a provider, whose person is known here and has to agree. */
const vouched: Readonly<Record<string, (agent: Agent, provider: Vouching) => Promise<Begun>>> = {
  'registered with an ID-JAG': async (agent, { jag }) => {
    await known(agent.base);
    const assertion = await jag(agent.base, { email, sub: email });
    const { status, body } = await agent.send('POST', '/agent/identity', {
      ...{ type: 'identity_assertion', assertion },
    });
    assert.deepEqual([status, body['error']], [401, 'interaction_required']);
    const claim = body['claim'] as Readonly<Record<string, string>>;
    const [link, userCode, token] = [claim['verification_uri'], claim['user_code'], claim['token']];
    assert.ok(link && userCode && token);
    const registered = { id: String(body['id']), claimToken: token, body };
    return { registered: { ...registered, assertion: undefined, userCode, link }, link, userCode };
  },
  'D2: anonymous, claim with an ID-JAG': async (agent, { jag }) => {
    await known(agent.base);
    const assertion = await jag(agent.base, { email, sub: email });
    const begun = await anonymous(agent, (token) => ({
      ...{ type: 'identity_assertion', claim_token: token, assertion },
    }));
    assert.equal(begun.type, 'identity_assertion');
    return begun;
  },
};

/** Somebody with the address has been here before. */
async function known(base: string): Promise<void> {
  const person = await personAt(base, '/agents', email);
  assert.equal(person.page.status, 200);
}

interface Begun {
  readonly registered: Registered;
  readonly link: string;
  readonly userCode: string;
}

function linkOf(registered: Registered): Begun {
  const { link = '', userCode = '', body } = registered;
  assert.equal(body['status'], 'pending_claim');
  assert.equal(body['registration_type'], 'service_auth');
  assert.equal(body['identity_assertion'], undefined);
  const claim = body['claim'] as Readonly<Record<string, unknown>>;
  assert.equal(claim['verification_uri_complete'], link, 'without the code');
  assert.deepEqual([claim['expires_in'], claim['interval']], [600, 5]);
  assert.equal((claim['attempt'] as Readonly<Record<string, unknown>>)['verification_uri'], link);
  return { registered, link, userCode };
}

async function anonymous(agent: Agent, bodyOf: (token: string) => object) {
  const registered = await agent.register({ type: 'anonymous', client_name: 'Helper' });
  const { status, body } = await agent.claim(bodyOf(registered.claimToken));
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body['registration_id'], registered.id);
  assert.equal(body['status'], 'initiated');
  assert.match(String(body['claim_attempt_id']), /^cla_/);
  const attempt = body['claim_attempt'] as Readonly<Record<string, unknown>>;
  assert.deepEqual([attempt['expires_in'], attempt['interval']], [600, 5]);
  const link = String(attempt['verification_uri']);
  const nested = body['attempt'] as Readonly<Record<string, unknown>>;
  assert.deepEqual(nested, { verification_uri: link, expires_at: body['expires_at'] });
  const type = body['registration_type'];
  return { registered, link, userCode: String(attempt['user_code']), type };
}

/** How it is completed; gives what brings the assertion. */
const completions: Readonly<Record<string, (agent: Agent, begun: Begun) => Promise<Told['body']>>> =
  {
    'the person enters the code, the agent polls claim/view': async (agent, begun) => {
      await enter(agent, begun);
      const { status, body } = await agent.view(begun.registered.claimToken);
      assert.equal(status, 200);
      return body;
    },
    'the person enters the code, the agent polls the token endpoint': async (agent, begun) => {
      await enter(agent, begun);
      const { status, body } = await agent.pollToken(begun.registered.claimToken);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body['token_type'], 'Bearer');
      const { body: me } = await agent.whoami(body['access_token']);
      assert.equal(me['status'], 'claimed');
      return { ...body, status: 'claimed' };
    },
    'the agent hands in the code of the page': async (agent, { registered, link }) => {
      const person = await personAt(agent.base, link, email);
      await person.send('/agent/claim/confirm');
      const code = codeOn(person).toLowerCase().replace('-', ' ');
      const { status, body } = await agent.complete(registered.claimToken, code);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body['access_token'], undefined);
      return body;
    },
  };

async function enter(agent: Agent, { link, userCode }: Begun): Promise<void> {
  const person = await personAt(agent.base, link, email);
  await person.send('/agent/identity/claim/complete', { user_code: userCode.toLowerCase() });
  assert.equal(person.page.status, 200);
  assert.match(person.page.text, /This agent acts for you/);
}

for (const beginning of [...Object.keys(begins), ...Object.keys(vouched)]) {
  for (const [completion, complete] of Object.entries(completions)) {
    test(`${beginning}; ${completion}`, async () => {
      const vouch = vouched[beginning];
      const provider = vouch && (await vouching());
      const { agent, advance } = await start(provider?.env);
      const begun =
        vouch && provider ? await vouch(agent, provider) : await begins[beginning]?.(agent);
      assert.ok(begun);
      const before =
        begun.registered.assertion && (await agent.exchange(begun.registered.assertion));
      if (before) assert.equal((await agent.whoami(before.body['access_token'])).status, 200);
      const pending = await agent.pollToken(begun.registered.claimToken);
      assert.deepEqual([pending.status, pending.body['error']], [400, 'authorization_pending']);
      advance(5000);
      const waiting = await agent.view(begun.registered.claimToken);
      assert.equal(waiting.body['status'], 'pending');
      assert.equal(waiting.headers['retry-after'], '5');
      advance(5000);
      const done = await complete(agent, begun);
      assert.equal(done['status'], 'claimed');
      const { identity_assertion: assertion, identity } = done as unknown as Delivered;
      assert.equal(identity.assertion, assertion);
      assert.match(identity.refresh_token.value, /^art_/);
      const { email: address, email_verified, epoch } = claimsOf(assertion);
      assert.deepEqual([address, email_verified, epoch], [email, true, 2]);
      const { status, body } = await agent.exchange(assertion);
      assert.equal(status, 200, JSON.stringify(body));
      const me = await agent.whoami(body['access_token']);
      assert.equal(me.body['status'], 'claimed');
      assert.match(String(me.body['subject']), /^usr_/);
      // Everything of before is dead (5.1).
      if (before) {
        assert.equal((await agent.whoami(before.body['access_token'])).status, 401);
        const old = await agent.exchange(begun.registered.assertion);
        assert.equal(old.body['error'], 'invalid_grant');
      }
      // The refresh token leaves once, the assertion for ten minutes.
      const again = await agent.view(begun.registered.claimToken);
      assert.ok(again.body['identity_assertion']);
      assert.equal((again.body['identity'] as Record<string, unknown>)['refresh_token'], undefined);
      advance(600_000);
      const late = await agent.view(begun.registered.claimToken);
      assert.equal(late.body['status'], 'claimed');
      assert.equal(late.body['identity_assertion'], undefined);
      const gone = await agent.pollToken(begun.registered.claimToken);
      assert.equal(gone.body['error'], 'expired_token');
    });
  }
}

function claimsOf(jwt: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

test('an agent that nobody has been asked about hears how long it can be claimed, and how often to ask', async () => {
  const { agent } = await start();
  const { claimToken } = await agent.register({ type: 'anonymous' });
  const { status, body } = await agent.view(claimToken);
  assert.deepEqual([status, body['status'], body['interval']], [200, 'unclaimed', 5]);
  const seconds = Number(body['expires_in']);
  assert.ok(seconds > 86_000 && seconds <= 86_400, String(seconds));
});

test('whoever asks too often before anybody was asked is told to slow down, by both ways (RFC 8628, 3.5)', async () => {
  const { agent, advance } = await start();
  const { claimToken } = await agent.register({ type: 'anonymous' });
  for (let count = 0; count < replicas; count++) {
    assert.equal((await agent.view(claimToken)).status, 200);
  }
  const intervals: unknown[] = [];
  for (let count = 0; count < 2 * replicas; count++) {
    const { status, body, headers } = await agent.view(claimToken);
    assert.deepEqual([status, body['error']], [429, 'slow_down']);
    assert.equal(headers['retry-after'], String(body['interval']));
    intervals.push(body['interval']);
  }
  assert.deepEqual([intervals[0], intervals.at(-1)], [10, 15]);
  const polled = await agent.pollToken(claimToken);
  assert.deepEqual([polled.status, polled.body['error']], [400, 'slow_down']);
  advance(20_000);
  assert.equal((await agent.view(claimToken)).status, 200, 'it has waited');
  advance(20_000);
  const pending = await agent.pollToken(claimToken);
  assert.deepEqual([pending.status, pending.body['error']], [400, 'authorization_pending']);
  // An attempt has a clock of its own, and another agent has none of this.
  await agent.claim({ claim_token: claimToken, login_hint: email });
  assert.equal((await agent.view(claimToken)).body['status'], 'pending');
  const other = await agent.register({ type: 'anonymous' });
  assert.equal((await agent.view(other.claimToken)).status, 200);
});

test('what has become of a claim is told sixty times a minute to one agent', async () => {
  const { agent, advance } = await start();
  const begun = await anonymous(agent, (token) => ({ claim_token: token, email }));
  await enter(agent, begun);
  const { claimToken } = begun.registered;
  const statuses = new Set<number>();
  for (let count = 0; count < 60; count++) statuses.add((await agent.view(claimToken)).status);
  assert.deepEqual([...statuses], [200]);
  for (let count = 0; count < 60 * (replicas - 1); count++) await agent.view(claimToken);
  const { status, body, headers } = await agent.view(claimToken);
  assert.deepEqual([status, body['error']], [429, 'rate_limited']);
  assert.ok(Number(headers['retry-after']) > 0);
  advance(60_000);
  assert.equal((await agent.view(claimToken)).body['status'], 'claimed');
});
