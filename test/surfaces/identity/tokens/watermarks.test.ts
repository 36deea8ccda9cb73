import assert from 'node:assert/strict';
import test from 'node:test';
import { Agent, codeOn, personAt } from '../claiming-agent.ts';
import { serveIdentity } from '../served-identity.ts';

// From when on the tokens of somebody count again: as exact as a millisecond, and remembered for as
// long as a token lives that it concerns.

const hour = 3_600_000;

test('what a tenant has given is over for as long as the longest token of the terminal lives', async (t) => {
  const served = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const { service, base, advance } = served;
  const mint = () => service.commands['token']?.([], { minutes: '1440' });
  const call = async (token: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: {} });
    const accept = 'application/json, text/event-stream';
    const answer = await fetch(`${base}/mcp`, {
      ...{ method: 'POST', body, headers: { ...headers, accept } },
    });
    return answer.status;
  };
  const token = await mint();
  assert.equal(await call(token), 200);
  advance(1000);
  await service.commands['tenants']?.(['revoke', 'default'], {});
  assert.equal(await call(token), 401);
  for (const hours of [1.5, 3, 18]) {
    advance(hours * hour);
    assert.equal(await call(token), 401, `${hours} hours later`);
  }
  assert.equal(await call(await mint()), 200, 'what is given since then counts');
});

test('a token that was issued within the millisecond of the claim is over, and the next is not', async (t) => {
  const { base } = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const agent = new Agent(base);
  const email = 'ada@example.com';
  const { claimToken, assertion } = await agent.register({ type: 'anonymous' });
  const { body } = await agent.claim({ claim_token: claimToken, email });
  const { verification_uri: link = '' } = body['claim_attempt'] as Record<string, string>;
  const person = await personAt(base, link, email);
  await person.send('/agent/claim/confirm');
  // The clock stands still all the time.
  const early = (await agent.exchange(assertion)).body['access_token'];
  assert.equal((await agent.whoami(early)).status, 200);
  const claimed = await agent.complete(claimToken, codeOn(person));
  assert.equal((await agent.whoami(early)).status, 401);
  const issued = await agent.exchange(claimed.body['identity_assertion']);
  assert.equal((await agent.whoami(issued.body['access_token'])).status, 200);

  const revoke = new URLSearchParams({ token: String(claimed.body['refresh_token']) });
  await fetch(`${base}/oauth2/revoke`, { method: 'POST', body: revoke });
  assert.equal((await agent.whoami(issued.body['access_token'])).status, 401);
  const next = await agent.exchange(claimed.body['identity_assertion']);
  assert.equal((await agent.whoami(next.body['access_token'])).status, 200);
});
