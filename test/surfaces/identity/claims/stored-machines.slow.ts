import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { Agent, codeOn, personAt, type Told } from '../claiming-agent.ts';
import { type ServedIdentity, serveIdentity } from '../served-identity.ts';

// The claim and token machines as they are stored, driven from outside in random orders: what holds
// for the pure machines (claim-machine.test.ts) has to hold of the store, over restarts too.

const hints = ['ada@example.com', 'eve@example.com'] as const;
const postClaim = 'provider:github:read';

/** What the test knows of one registration. */
interface Known {
  readonly claimToken: string;
  readonly assertions: string[];
  /** Refresh tokens, the newest last. */
  readonly refreshTokens: string[];
  link: string;
  userCode: string;
  readback: string;
  /** Whose address the live attempt is for. */
  hint: string;
  /** A person at that address has agreed, with the attempt that is live. */
  hasAgreed: boolean;
  isClaimed: boolean;
  isRevoked: boolean;
}

/** The server under test, which restarts keep in one folder. */
class Real {
  served: ServedIdentity;
  readonly #restart: () => Promise<ServedIdentity>;

  constructor(served: ServedIdentity, restart: () => Promise<ServedIdentity>) {
    this.served = served;
    this.#restart = restart;
  }

  get agent(): Agent {
    return new Agent(this.served.base);
  }

  async restart(): Promise<void> {
    this.served = await this.#restart();
  }
}

interface Model {
  readonly known: Known[];
}

type Command = fc.AsyncCommand<Model, Real>;

/** Do something with one of the registrations that there are. */
function withOne(
  name: string,
  pick: number,
  act: (real: Real, known: Known) => Promise<void>,
): Command {
  const chosen = ({ known }: Model) => known[pick % Math.max(1, known.length)];
  return {
    check: (model) => chosen(model) !== undefined,
    async run(model, real) {
      const known = chosen(model);
      if (known) await act(real, known);
      for (const each of model.known) await checkInvariants(real, each);
    },
    toString: () => `${name}(${pick})`,
  };
}

/** Nothing of after the claim without a person who has agreed; what is over stays so. */
async function checkInvariants(real: Real, known: Known): Promise<void> {
  for (const [index, assertion] of known.assertions.entries()) {
    const told = await exchange(real, assertion);
    if (known.isRevoked) assert.notEqual(told.status, 200, 'what is revoked gives nothing');
    if (told.status !== 200) continue;
    const scopes = String(told.body['scope']).split(' ');
    if (!known.isClaimed) {
      assert.equal(index, 0);
      assert.ok(!scopes.includes(postClaim), 'a scope of after the claim without a person');
    } else {
      assert.notEqual(index, 0, 'the assertion of before the claim is over');
    }
  }
}

async function exchange({ served }: Real, assertion: string): Promise<Told> {
  // Sixty in a minute are the most.
  served.advance(2000);
  return new Agent(served.base).exchange(assertion);
}

async function take(known: Known, { body }: Told): Promise<void> {
  const identity = body['identity'] as
    | { readonly refresh_token?: { readonly value: string } }
    | undefined;
  if (typeof body['identity_assertion'] === 'string') {
    assert.ok(known.hasAgreed, 'it is claimed only where a person has agreed');
    known.isClaimed = true;
    known.assertions.push(body['identity_assertion']);
  }
  if (identity?.refresh_token) known.refreshTokens.push(identity.refresh_token.value);
}

const register: Command = {
  check: ({ known }) => known.length < 3,
  async run({ known }, { agent }) {
    const scopes = ['mcp.tools', 'api.read', postClaim];
    const { claimToken, assertion = '' } = await agent.register({ type: 'anonymous', scopes });
    known.push({
      ...{ claimToken, assertions: [assertion], refreshTokens: [] },
      ...{ link: '', userCode: '', readback: '', hint: '' },
      ...{ hasAgreed: false, isClaimed: false, isRevoked: false },
    });
  },
  toString: () => 'register',
};

const mint = (pick: number, hint: string): Command =>
  withOne(`mint to ${hint}`, pick, async ({ agent }, known) => {
    const told = await agent.claim({ claim_token: known.claimToken, email: hint });
    if (told.status !== 200) return;
    assert.ok(!known.isClaimed && !known.isRevoked, 'what is over gets no attempt');
    const attempt = told.body['claim_attempt'] as Readonly<Record<string, string>>;
    known.link = String(attempt['verification_uri']).replace(/^https?:\/\/[^/]+/, '');
    Object.assign(known, { userCode: attempt['user_code'], readback: '', hint, hasAgreed: false });
  });

/** What somebody does on the page, who may be the wrong one. */
const onPage = (pick: number, email: string, what: 'confirm' | 'deny' | 'enter'): Command =>
  withOne(`${email}: ${what}`, pick, async (real, known) => {
    if (known.link === '') return;
    const { base } = real.served;
    const person = await personAt(base, base + known.link, email);
    if (person.page.status !== 200) return;
    const action = what === 'enter' ? '/agent/identity/claim/complete' : `/agent/claim/${what}`;
    if (!person.page.text.includes(`action="${action}`)) return;
    assert.equal(email, known.hint, 'nobody else is shown a form');
    if (what !== 'deny') known.hasAgreed = true;
    await person.send(action, what === 'enter' ? { user_code: known.userCode } : {});
    if (person.page.status !== 200) return;
    if (what === 'confirm') known.readback = codeOn(person);
    if (what === 'enter') known.isClaimed = true;
  });

const complete = (pick: number): Command =>
  withOne('complete', pick, async ({ agent }, known) => {
    const told = await agent.complete(known.claimToken, known.readback || 'BBBB-BBBB');
    if (told.status !== 200) return;
    assert.ok(!known.isClaimed, 'a code counts once');
    await take(known, told);
  });

const poll = (pick: number, way: 'view' | 'token'): Command =>
  withOne(`poll ${way}`, pick, async ({ served, agent }, known) => {
    served.advance(20_000);
    const told =
      way === 'view' ? await agent.view(known.claimToken) : await agent.pollToken(known.claimToken);
    if (told.status === 200) await take(known, told);
  });

const refresh = (pick: number, back: number): Command =>
  withOne(`refresh ${back}`, pick, async ({ served, agent }, known) => {
    const token = known.refreshTokens.at(-1 - back);
    if (token === undefined) return;
    // Past the grace in which a lost answer comes again.
    served.advance(31_000);
    const told = await agent.send('POST', '/agent/identity', {
      ...{ type: 'refresh', refresh_token: token },
    });
    if (told.status === 200) {
      assert.equal(back, 0, 'a spent refresh token is worth nothing');
      assert.ok(!known.isRevoked);
      return take(known, told);
    }
    // Either way the family is over now, or was.
    known.refreshTokens.length = 0;
  });

const revoke = (pick: number): Command =>
  withOne('revoke', pick, async (real, known) => {
    if (!known.isClaimed || known.isRevoked) return;
    const person = await personAt(real.served.base, '/agents', known.hint);
    if (!person.page.text.includes('action="/agents/revoke')) return;
    // Of several that act for one person, the first on the page.
    const was = await real.agent.view(known.claimToken);
    await person.send('/agents/revoke');
    const is = await real.agent.view(known.claimToken);
    if (was.status === 200 && is.status === 410) known.isRevoked = true;
  });

const expire = (ms: number): Command => ({
  check: () => true,
  async run(model, real) {
    real.served.advance(ms);
    for (const each of model.known) await checkInvariants(real, each);
  },
  toString: () => `wait ${ms}`,
});

const restart: Command = {
  check: () => true,
  async run(model, real) {
    await real.restart();
    for (const each of model.known) await checkInvariants(real, each);
  },
  toString: () => 'restart',
};

// Most often the same agent and the person whom it asks, or little would come to pass.
const pick = fc.constantFrom(0, 0, 0, 0, 1);
const [ada, eve] = hints;
const person = fc.constantFrom(ada, ada, ada, ada, eve);
const commands = fc.commands(
  [
    fc.constant(register),
    fc.tuple(pick, person).map(([each, hint]) => mint(each, hint)),
    fc
      .tuple(pick, person, fc.constantFrom('confirm', 'confirm', 'confirm', 'deny', 'enter'))
      .map(([each, who, what]) => onPage(each, who, what)),
    pick.map(complete),
    pick.map(complete),
    fc.tuple(pick, fc.constantFrom('view', 'token')).map(([each, way]) => poll(each, way)),
    fc.tuple(pick, fc.constantFrom(0, 0, 0, 1)).map(([each, back]) => refresh(each, back)),
    pick.map((each) => refresh(each, 0)),
    fc.tuple(pick, person).map(([each, who]) => onPage(each, who, 'confirm')),
    pick.map(revoke),
    fc.constantFrom(5000, 5000, 5000, 600_000, 86_400_000).map(expire),
    fc.constant(restart),
  ],
  { maxCommands: 30, size: 'max' },
);

/** How often each thing came to pass, so that a test in which nothing happens is noticed. */
const seen = { claimed: 0, refreshed: 0, revoked: 0, restarted: 0 };

async function start(t: TestContext): Promise<{ readonly real: Real; stop(): Promise<void> }> {
  const ends: (() => unknown)[] = [];
  const collect = { after: (end: () => unknown) => void ends.push(end) } as never;
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  const { dataDir } = await serveIdentity(t);
  const env = {
    SERVICE_PROVIDER: 'github',
    SERVICE_PROVIDER_AUTH_JSON: '{"github":"a token of the operator"}',
    ...{ SERVICE_AUTH: 'required', SERVICE_DATA_DIR: `${dataDir}-stored` },
    ...{ SERVICE_REGISTRATIONS_PER_NETWORK: '1000', SERVICE_REGISTRATIONS_PER_HOUR: '1000' },
  };
  const begin = () => serveIdentity(collect, env);
  const restarted = async () => {
    seen.restarted += 1;
    await stop();
    return begin();
  };
  return { real: new Real(await begin(), restarted), stop };
}

test('whatever comes in whatever order, what is stored gives nobody more than a person has agreed to', async (t) => {
  // It keeps the clock of the test going while another one restarts.
  await serveIdentity(t);
  await fc.assert(
    fc.asyncProperty(commands, async (way) => {
      const model: Model = { known: [] };
      const { real, stop } = await start(t);
      try {
        await register.run(model, real);
        await mint(0, ada).run(model, real);
        await fc.asyncModelRun(() => ({ model, real }), way);
      } finally {
        await stop();
      }
      for (const { isClaimed, isRevoked, assertions } of model.known) {
        if (isClaimed) seen.claimed += 1;
        if (isRevoked) seen.revoked += 1;
        if (assertions.length > 2) seen.refreshed += 1;
      }
    }),
    { numRuns: 20, endOnFailure: true },
  );
  t.diagnostic(JSON.stringify(seen));
  assert.ok(
    Object.values(seen).every((count) => count > 0),
    JSON.stringify(seen),
  );
});
