import assert from 'node:assert/strict';
import test from 'node:test';
import { Agent } from '../claiming-agent.ts';
import { serveIdentity } from '../served-identity.ts';
import { deedsEnvironment, doDeeds, type Expected } from './deeds.ts';

// What is written down of agents, clients and people, and told on the event bus.

type Served = Awaited<ReturnType<typeof serveIdentity>>;

const actionsOf = (expected: readonly Expected[]) =>
  expected.map((each) => each.join(' ')).toSorted();

/** The entries of identity, but for keys and tokens that were issued, once there are as many. */
async function entriesOf({ service }: Served, count: number): Promise<readonly string[]> {
  const log = await service.engines.audit.open();
  for (;;) {
    const { records } = await log.list({ tenant: 'default', category: 'identity', limit: 100 });
    const found = records
      .map(({ entry }) => [entry.action, entry.subject ?? ''] as const)
      .filter(([action]) => action !== 'TOKEN_ISSUED' && action !== 'KEY_ROTATED');
    if (found.length >= count) return actionsOf(found);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** What the bus has been told, in its order. */
async function toldOf({ service }: Served, stream: string) {
  const { bus } = service.engines;
  while ((await bus.waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const { messages } = await bus.read({ stream, limit: 200 });
  return messages.map(({ name, event }) => ({ name, data: event.data as Record<string, string> }));
}

test('what is given and taken back is written down once, and told on the event bus', async (t) => {
  const served = await serveIdentity(t, { ...deedsEnvironment, SERVICE_ENABLE_BUS: '1' });
  const expected = await doDeeds(served.base);
  assert.deepEqual(await entriesOf(served, expected.length), actionsOf(expected));

  const [, id = ''] = expected[0] ?? [];
  const agents = await toldOf(served, 'SERVICE_AGENT');
  const own = agents.filter(({ data }) => data['agent_id'] === id);
  assert.deepEqual(
    own.map(({ name, data: { from, to } }) => [name, from, to]),
    [
      ['agent.registered', undefined, 'unclaimed'],
      ['agent.state', 'unclaimed', 'pending_claim'],
      ['agent.claimed', 'pending_claim', 'claimed'],
      ['agent.revoked', 'claimed', 'revoked'],
    ],
  );
  const given = await toldOf(served, 'SERVICE_IDENTITY');
  const count = (wanted: string) => expected.filter(([action]) => action === wanted).length;
  const names = given.map(({ name }) => name ?? '').filter((name) => !name.endsWith('key_rotated'));
  assert.deepEqual(names.toSorted(), [
    ...['identity.claim_denied', 'identity.client_registered', 'identity.consent_given'],
    ...['identity.consent_refused', 'identity.consent_revoked', 'identity.refresh_reuse_detected'],
    ...['identity.scopes_widened', ...Array(count('TOKEN_REVOKED')).fill('identity.token_revoked')],
  ]);
  const widened = given.find(({ name }) => name === 'identity.scopes_widened');
  assert.equal(widened?.data['scope'], 'provider:github:read');
  assert.equal(widened.data['subject'], id);
  assert.match(widened.data['by'] ?? '', /^usr_/);
  assert.doesNotMatch(JSON.stringify([agents, given]), /ada@|"(?:clm|cvt|art|ort|oac)_|eyJ/);
});

test('nothing is told where the bus is off', async (t) => {
  const served = await serveIdentity(t);
  const { id } = await new Agent(served.base).register({ type: 'anonymous' });
  assert.deepEqual(await entriesOf(served, 1), [`REGISTRATION_CREATED ${id}`]);
  assert.deepEqual(await toldOf(served, 'SERVICE_AGENT'), []);
  assert.deepEqual(await toldOf(served, 'SERVICE_IDENTITY'), []);
});

test('what nobody claims is told to have expired', async (t) => {
  const served = await serveIdentity(t, { SERVICE_ENABLE_BUS: '1' });
  const { id } = await new Agent(served.base).register({ type: 'anonymous' });
  served.advance(49 * 3_600_000);
  const isOver = async () =>
    (await toldOf(served, 'SERVICE_AGENT')).some(({ data: { agent_id, to } }) => {
      return agent_id === id && to === 'expired';
    });
  while (!(await isOver())) served.advance(60_000);
});

test('a token leaves when its entry is on the disk, and not at all where it cannot be', async (t) => {
  const { base, service } = await serveIdentity(t);
  const agent = new Agent(base);
  const { assertion } = await agent.register({ type: 'anonymous' });
  const { audit } = service.engines;
  const append = audit.append.bind(audit);
  const reached = Promise.withResolvers<void>();
  const writing = Promise.withResolvers<void>();
  t.mock.method(audit, 'append', async (event: Parameters<typeof append>[0]) => {
    if (event.action !== 'TOKEN_ISSUED') return append(event);
    reached.resolve();
    await writing.promise;
    return append(event);
  });
  let isAnswered = false;
  const asked = agent.exchange(assertion).finally(() => {
    isAnswered = true;
  });
  await reached.promise;
  assert.equal((await agent.whoami('x')).status, 401);
  assert.equal(isAnswered, false);
  writing.resolve();
  assert.equal((await asked).status, 200);

  t.mock.method(audit, 'append', () => Promise.reject(new Error('the disk is full')));
  const refused = await agent.exchange(assertion);
  assert.ok(refused.status >= 500, JSON.stringify(refused));
  assert.equal(refused.body['access_token'], undefined);
});
