import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { Agent } from '../claiming-agent.ts';
import { serveIdentity } from '../served-identity.ts';
import { startVouching } from '../vouching.ts';

// Several assertions at the same time of somebody who is new here: each gets what it would get alone,
// one after the other (matching: the provider is known to speak for them, or it is a new person).

async function start(t: TestContext) {
  const provider = await startVouching(t);
  const { base } = await serveIdentity(t, {
    ...{ SERVICE_REGISTRATIONS_PER_NETWORK: '1000', SERVICE_AUTH: 'required' },
    ...provider.env,
  });
  const agent = new Agent(base);
  const register = async (sub: string) =>
    agent.send('POST', '/agent/identity', {
      ...{ type: 'identity_assertion', assertion: await provider.jag(base, { sub }) },
    });
  const claim = async (claim_token: string, sub: string) => {
    const assertion = await provider.jag(base, { sub });
    return agent.claim({ type: 'identity_assertion', claim_token, assertion });
  };
  return { agent, register, claim };
}

test('of one new person, all are that person, and one registration', async (t) => {
  const { register } = await start(t);
  const told = await Promise.all(['u1', 'u1', 'u1'].map(register));
  assert.deepEqual(
    told.map(({ status, body }) => [status, body['status']]),
    Array(3).fill([200, 'claimed']),
  );
  assert.equal(new Set(told.map(({ body }) => body['registration_id'])).size, 1);
});

test('of one new person, three agents are claimed', async (t) => {
  const { agent, claim } = await start(t);
  const made = await Promise.all([0, 1, 2].map(() => agent.register({ type: 'anonymous' })));
  const told = await Promise.all(made.map(({ claimToken }) => claim(claimToken, 'u1')));
  assert.deepEqual(
    told.map(({ status, body }) => [status, body['status']]),
    Array(3).fill([200, 'claimed']),
  );
  const people = await Promise.all(
    told.map(async ({ body }) => {
      const { body: token } = await agent.exchange(body['identity_assertion']);
      return (await agent.whoami(token['access_token'])).body['subject'];
    }),
  );
  assert.equal(new Set(people).size, 1);
});

test('of three subjects with one address, the first is that person and the others have to agree', async (t) => {
  const { register } = await start(t);
  const told = await Promise.all(['u1', 'u2', 'u3'].map(register));
  assert.deepEqual(told.map(({ status }) => status).toSorted(), [200, 401, 401]);
  const asked = told.filter(({ status }) => status === 401).map(({ body }) => body['error']);
  assert.deepEqual(asked, ['interaction_required', 'interaction_required']);
});
