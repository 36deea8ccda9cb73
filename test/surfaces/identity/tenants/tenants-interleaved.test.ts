import assert from 'node:assert/strict';
import test from 'node:test';
import { ask, bearer, exchange, post, postForm, rpc } from '../agent.ts';
import { serveIdentity } from '../served-identity.ts';

const actions = ['register', 'register', 'exchange', 'call', 'revoke', 'who'] as const;
type Action = (typeof actions)[number];

const rounds = 3;
const length = 14;

/** Numbers from 0 that look random and are the same for the same seed (Park and Miller). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** One who does things at a tenant, and what came of each. */
class Actor {
  readonly seen: string[] = [];
  readonly #base: string;
  #assertion = '';
  #token = '';

  constructor(base: string) {
    this.#base = base;
  }

  async act(action: Action): Promise<void> {
    this.seen.push(`${action} ${await this.#do(action)}`);
  }

  async #do(action: Action): Promise<number> {
    const base = this.#base;
    switch (action) {
      case 'register': {
        const { status, json } = await post(`${base}/agent/identity`, { type: 'anonymous' });
        this.#assertion = json.identity_assertion ?? this.#assertion;
        return status;
      }
      case 'exchange': {
        const { status, json } = await exchange(base, this.#assertion, { resource: base });
        this.#token = json.access_token ?? this.#token;
        return status;
      }
      case 'call':
        return (await rpc(base, 'tools/list', {}, bearer(this.#token))).status;
      case 'revoke':
        return (await postForm(`${base}/oauth2/revoke`, { token: this.#token })).status;
      case 'who':
        return (await ask(`${base}/agent/identity`, { headers: bearer(this.#token) })).status;
    }
  }
}

test('what one tenant does changes nothing for another, in whatever order', async (t) => {
  const names = Array.from({ length: rounds }, (_, round) =>
    ['a', 'b', 'c', 'd'].map((each) => each + round),
  );
  const { base } = await serveIdentity(t, {
    SERVICE_AUTH: 'required',
    // So few that each tenant uses them up.
    SERVICE_REGISTRATIONS_PER_NETWORK: '3',
    SERVICE_TENANTS: JSON.stringify(names.flat().map((id) => ({ id }))),
  });
  const outcomes = new Set<string>();
  for (const [round, ids] of names.entries()) {
    const random = randomFrom(round + 7);
    const [alone1, alone2, mixed1, mixed2] = ids.map((id) => new Actor(`${base}/t/${id}`));
    assert.ok(alone1 && alone2 && mixed1 && mixed2);
    const script = (): Action[] => [
      ...(['register', 'exchange'] as const),
      ...Array.from({ length }, () => actions[random(actions.length)] ?? 'call'),
    ];
    const [first, second] = [script(), script()];
    for (const action of first) await alone1.act(action);
    for (const action of second) await alone2.act(action);
    const [rest1, rest2] = [[...first], [...second]];
    while (rest1.length + rest2.length > 0) {
      const isFirst = rest2.length === 0 || (rest1.length > 0 && random(2) === 0);
      const action = (isFirst ? rest1 : rest2).shift();
      if (action) await (isFirst ? mixed1 : mixed2).act(action);
    }
    assert.deepEqual(mixed1.seen, alone1.seen, `round ${round}`);
    assert.deepEqual(mixed2.seen, alone2.seen, `round ${round}`);
    for (const each of [...alone1.seen, ...alone2.seen]) outcomes.add(each);
  }
  // The scripts meet the ends of quotas, and revoked tokens.
  for (const each of ['register 200', 'register 429', 'call 200', 'call 401']) {
    assert.ok(outcomes.has(each), [...outcomes].join(', '));
  }
});
