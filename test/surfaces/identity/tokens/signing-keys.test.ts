import assert from 'node:assert/strict';
import test from 'node:test';
import { planDrop, planKeys } from '../../../../runtime/surfaces/identity/keys/key-plan.ts';
import type { SigningKeyRow } from '../../../../runtime/surfaces/identity/records/signing-keys.ts';
import { ask } from '../agent.ts';
import { Agent, codeOn, personAt } from '../claiming-agent.ts';
import { type ServedIdentity, serveIdentity } from '../served-identity.ts';

const minute = 60_000;
const day = 1440 * minute;

/** Plan every ten minutes for as many days; gives the keys after each step. */
function rotated(days: number): SigningKeyRow[][] {
  let keys: SigningKeyRow[] = [];
  const steps: SigningKeyRow[][] = [];
  for (let now = 0; now < days * day; now += 10 * minute) {
    const made = { kid: `key-${now}`, alg: 'ES256', public: '{}', private: 'sealed' };
    const { add, change } = planKeys(
      keys.filter(({ state }) => state !== 'retired'),
      made,
      now,
    );
    const changes = new Map(change.map((each) => [each.kid, each]));
    keys = [...keys.map((key) => ({ ...key, ...changes.get(key.kid) })), ...add];
    steps.push(keys);
  }
  return steps;
}

test('one key signs at any time, each for thirty days', () => {
  const steps = rotated(100);
  const signing = steps.map((keys) => keys.filter(({ state }) => state === 'active'));
  assert.ok(signing.every(({ length }) => length === 1));
  const kids = new Set(signing.map(([key]) => key?.kid));
  assert.equal(kids.size, 4);
});

test('a key is published before it signs, and for as long as what it has signed lives', () => {
  const keys = rotated(100).at(-1) ?? [];
  const [first, ...others] = keys.filter(({ active_at }) => active_at !== null);
  assert.equal(first?.created_at, first?.active_at, 'nobody has older ones before the first');
  for (const { created_at, active_at } of others) {
    assert.ok((active_at ?? 0) - created_at >= 20 * minute);
  }
  const retired = keys.filter(({ state }) => state === 'retired');
  assert.equal(retired.length, 3);
  for (const { retiring_at, retired_at, private: secret } of retired) {
    assert.ok((retired_at ?? 0) - (retiring_at ?? 0) >= 75 * minute);
    assert.equal(secret, '', 'what signs no more is not kept');
  }
});

test('a key that is dropped signs no more, and has a successor at once where it has signed', () => {
  const made = { kid: 'new', alg: 'ES256', public: '{}', private: 'sealed' };
  const key = (kid: string, state: SigningKeyRow['state']): SigningKeyRow => {
    const times = { created_at: 0, active_at: 0, retiring_at: null, retired_at: null };
    return { ...made, kid, state, ...times };
  };
  const all = [key('old', 'retiring'), key('now', 'active'), key('next', 'pending')];
  const dropped = (kid: string) => ({ kid, state: 'retired', retired_at: 7, private: '' });
  assert.deepEqual(planDrop(all, 'now', made, 7), {
    add: [],
    change: [dropped('now'), { kid: 'next', state: 'active', active_at: 7 }],
  });
  const [added] = planDrop(all.slice(0, 2), 'now', made, 7)?.add ?? [];
  assert.deepEqual([added?.kid, added?.state, added?.active_at], ['new', 'active', 7]);
  for (const kid of ['old', 'next']) {
    assert.deepEqual(planDrop(all, kid, made, 7), { add: [], change: [dropped(kid)] });
  }
  assert.equal(planDrop(all, 'other', made, 7), undefined);
});

/** What the operator does at the terminal. */
async function typed({ service }: ServedIdentity, ...words: readonly string[]) {
  const command = service.commands['keys'];
  assert.ok(command);
  return command(words, {});
}

test('what a dropped key has signed is worth nothing at once, and all else goes on', async (t) => {
  const served = await serveIdentity(t, { SERVICE_AUTH: 'required' });
  const { base, service, advance } = served;
  const agent = new Agent(base);
  const { claimToken, assertion } = await agent.register({ type: 'anonymous' });
  const asked = await agent.claim({ claim_token: claimToken, email: 'ada@example.com' });
  const { verification_uri: link = '' } = asked.body['claim_attempt'] as Record<string, string>;
  const person = await personAt(base, link, 'ada@example.com');
  await person.send('/agent/claim/confirm');
  const claimed = await agent.complete(claimToken, codeOn(person));
  const { refresh_token: refreshToken, identity_assertion: held } = claimed.body;
  const other = await agent.register({ type: 'anonymous' });
  const token = (await agent.exchange(held)).body['access_token'];
  const kids = async () => {
    const { json } = await ask(`${base}/.well-known/jwks.json`);
    return json.keys.map(({ kid }: { readonly kid: string }) => kid);
  };
  assert.equal((await agent.whoami(token)).status, 200);
  const [kid, ...none] = await kids();
  assert.deepEqual(none, []);
  assert.ok((await typed(served, 'list')).startsWith(`${kid}  active`));

  advance(1000);
  assert.equal(await typed(served, 'drop', kid), `${kid} is dropped, with all that it has signed`);
  assert.equal((await agent.whoami(token)).status, 401);
  for (const each of [assertion, held, other.assertion]) {
    assert.equal((await agent.exchange(each)).body['error'], 'invalid_grant');
  }
  const [next, ...more] = await kids();
  assert.ok(next !== kid && more.length === 0);
  const refreshed = await agent.send('POST', '/agent/identity', {
    ...{ type: 'refresh', refresh_token: refreshToken },
  });
  const again = await agent.exchange(refreshed.body['identity_assertion']);
  assert.equal((await agent.whoami(again.body['access_token'])).status, 200);
  await assert.rejects(typed(served, 'drop', kid), /there is no key/);
  await assert.rejects(typed(served, 'drop'), /keys takes one of/);

  const log = await service.engines.audit.open();
  const states = async () => {
    const { records } = await log.list({ tenant: 'default', action: 'KEY_ROTATED', limit: 9 });
    return records.map(({ entry }) => [entry.subject, entry.payload['state']]);
  };
  const expected = [
    [next, 'active'],
    [kid, 'dropped'],
    [kid, 'active'],
  ];
  while ((await states()).length < expected.length) await new Promise(setImmediate);
  assert.deepEqual(await states(), expected);
});
