import assert from 'node:assert/strict';
import test from 'node:test';
import { shared } from '../../common-server.ts';
import { Agent, codeOn, personAt } from '../claiming-agent.ts';
import { serveIdentity } from '../served-identity.ts';

const grace = 30_000;

interface Claimed {
  readonly agent: Agent;
  readonly first: string;
  advance(ms: number): void;
}

const serve = shared(serveIdentity);
let people = 0;

/** An agent that a person has claimed, somebody new in each test, with its first refresh token. */
async function claimed(): Promise<Claimed> {
  const { base, advance } = await serve();
  // What the tests before have used of the limits of an hour is over.
  advance(3_600_000);
  const agent = new Agent(base);
  const email = `ada-${people++}@example.com`;
  const { claimToken, link = '' } = await agent.register({ type: 'service_auth', email });
  const person = await personAt(base, link, email);
  await person.send('/agent/claim/confirm');
  const done = await agent.complete(claimToken, codeOn(person));
  assert.equal(done.status, 200, JSON.stringify(done.body));
  return { agent, first: refreshTokenOf(done.body), advance };
}

function refreshTokenOf(body: Readonly<Record<string, unknown>>): string {
  const identity = body['identity'] as { readonly refresh_token: { readonly value: string } };
  return identity.refresh_token.value;
}

function refresh(agent: Agent, token: string) {
  return agent.send('POST', '/agent/identity', { type: 'refresh', refresh_token: token });
}

test('a refresh token gives a new assertion, and another one in its place', async () => {
  const { agent, first } = await claimed();
  assert.match(first, /^art_/);
  const { status, body } = await refresh(agent, first);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body['type'], 'refresh');
  assert.notEqual(refreshTokenOf(body), first);
  const exchanged = await agent.exchange(body['identity_assertion']);
  assert.equal(exchanged.status, 200, JSON.stringify(exchanged.body));
});

test('whoever lost the answer gets the same successor within the grace, also many at once', async () => {
  const { agent, first, advance } = await claimed();
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(agent, first)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const successors = new Set(answers.map(({ body }) => refreshTokenOf(body)));
  assert.equal(successors.size, 1);
  advance(grace - 1000);
  assert.equal(refreshTokenOf((await refresh(agent, first)).body), [...successors][0]);
});

for (const [when, ms] of [
  ['within one millisecond', 0],
  ['while the clock is set back', -5000],
] as const) {
  test(`whoever lost the answer gets it again ${when}, and a thief does not`, async () => {
    const { agent, first, advance } = await claimed();
    advance(1000);
    const tokens = [first];
    for (let rotation = 0; rotation < 3; rotation++) {
      const { status, body } = await refresh(agent, tokens.at(-1) ?? '');
      assert.equal(status, 200, JSON.stringify(body));
      tokens.push(refreshTokenOf(body));
      advance(ms);
    }
    const [newest, spent, stolen] = tokens.toReversed();
    const repeated = await refresh(agent, spent ?? '');
    assert.equal(repeated.status, 200, JSON.stringify(repeated.body));
    assert.equal(refreshTokenOf(repeated.body), newest);
    assert.equal((await refresh(agent, stolen ?? '')).status, 400, 'its successor was spent');
    assert.equal((await refresh(agent, newest ?? '')).status, 400, 'the family has ended');
  });
}

test('a token that comes again after the grace takes its family along (RFC 9700 section 4.14.2)', async () => {
  const { agent, first, advance } = await claimed();
  const { body } = await refresh(agent, first);
  const second = refreshTokenOf(body);
  advance(grace + 1000);
  const stolen = await refresh(agent, first);
  assert.deepEqual([stolen.status, stolen.body['error']], [400, 'invalid_refresh_token']);
  const after = await refresh(agent, second);
  assert.deepEqual([after.status, after.body['error']], [400, 'invalid_refresh_token']);
});

test('a token that is revoked gives nothing any more, and neither does one of thirty days', async () => {
  const { agent, first, advance } = await claimed();
  const { body } = await refresh(agent, first);
  const second = refreshTokenOf(body);
  advance(30 * 86_400_000 + 1000);
  assert.equal((await refresh(agent, second)).status, 400);
  const other = await claimed();
  const revoked = await fetch(new URL('/oauth2/revoke', other.agent.base), {
    method: 'POST',
    body: new URLSearchParams({ token: other.first }),
  });
  assert.equal(revoked.status, 200);
  assert.equal((await refresh(other.agent, other.first)).status, 400);
});

test('the token endpoint takes it as well, and says invalid_grant where it is worth nothing', async () => {
  const { agent, first } = await claimed();
  const form = { grant_type: 'refresh_token', resource: agent.base };
  const { status, body } = await agent.token({ ...form, refresh_token: first });
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(String(body['refresh_token']), /^art_/);
  assert.equal((await agent.whoami(body['access_token'])).status, 200);
  const unknown = await agent.token({ ...form, refresh_token: 'art_nothing' });
  assert.deepEqual([unknown.status, unknown.body['error']], [400, 'invalid_grant']);
});
