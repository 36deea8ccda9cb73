import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  type Act,
  type Attempt,
  act,
  isLive,
  stateOf,
} from '../../../../runtime/surfaces/identity/claim/attempt.ts';
import {
  type Claimable,
  claimedBy,
  claimStatus,
  mintRefusal,
  registrationStatus,
} from '../../../../runtime/surfaces/identity/claim/claiming.ts';

const windowMs = 86_400_000;
const attemptMs = 600_000;
const hints = ['ada@example.com', 'eve@example.com'] as const;

interface Stored extends Attempt {
  readonly hint: string;
  /** A person, whose address the attempt is bound to, has agreed on the page. */
  readonly agreed: boolean;
  readonly checks: number;
}

/** A registration with its attempts, as a store would keep them. */
interface World {
  now: number;
  registration: Claimable & { readonly user: string; readonly epoch: number };
  attempts: Stored[];
  completions: number;
}

type Step =
  | { readonly kind: 'mint'; readonly hint: string }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'revoke' | 'restart' }
  | {
      readonly kind: 'act';
      readonly back: number;
      readonly person: string;
      readonly act: PersonAct;
    };

type PersonAct = 'open' | 'confirm' | 'deny' | 'enter right' | 'enter wrong' | 'right' | 'wrong';

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('mint' as const), hint: fc.constantFrom(...hints) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 5_000, attemptMs - 1, attemptMs, windowMs),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ kind: 'restart' as const }, { kind: 'revoke' as const }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      back: fc.constantFrom(0, 0, 0, 1, 2),
      person: fc.constantFrom(...hints),
      act: fc.constantFrom<PersonAct>(
        'open',
        'confirm',
        'deny',
        'enter right',
        'enter wrong',
        'right',
        'wrong',
      ),
    }),
  },
);

function deedOf(what: PersonAct, user: string): Act {
  switch (what) {
    case 'open':
    case 'confirm':
    case 'deny':
      return { kind: what, user };
    case 'enter right':
    case 'enter wrong':
      return { kind: 'enter', user, isRight: what === 'enter right' };
    case 'right':
    case 'wrong':
      return { kind: 'hand_in', isRight: what === 'right' };
  }
}

function take(world: World, step: Step): void {
  const { registration, now } = world;
  switch (step.kind) {
    case 'wait':
      world.now += step.ms;
      return;
    case 'restart':
      Object.assign(world, JSON.parse(JSON.stringify(world)));
      return;
    case 'revoke':
      if (registration.revokedAt === 0) world.registration = { ...registration, revokedAt: now };
      return;
    case 'mint':
      mint(world, step.hint);
      return;
    case 'act':
      actOn(world, step);
      return;
  }
}

function mint(world: World, hint: string): void {
  const { registration, attempts, now } = world;
  const newest = attempts.at(-1);
  if (mintRefusal(registration, { newest, minted: attempts.length, hint }, now)) return;
  if (newest) {
    attempts[attempts.length - 1] = {
      ...newest,
      ...act(newest, { kind: 'supersede' }, now).attempt,
    };
  }
  const expiresAt = Math.min(now + attemptMs, registration.expiresAt);
  attempts.push({
    state: 'initiated',
    wrong: 0,
    user: '',
    expiresAt,
    hint,
    agreed: false,
    checks: 0,
  });
}

function actOn(world: World, step: Extract<Step, { kind: 'act' }>): void {
  const { registration, attempts, now } = world;
  const index = attempts.length - 1 - step.back;
  const before = attempts[index];
  if (!before) return;
  // The page is shown to nobody else, and to nobody once the registration is not to be claimed.
  const isPerson = step.act !== 'right' && step.act !== 'wrong';
  if (isPerson && step.person !== before.hint) return;
  if (registrationStatus(registration, true, now) !== 'pending_claim') return;
  const { attempt, refused } = act(before, deedOf(step.act, step.person), now);
  const agrees = step.act === 'confirm' || step.act === 'enter right';
  const isCheck = refused === 'wrong_code' || attempt.state === 'completed';
  attempts[index] = {
    ...before,
    ...attempt,
    agreed: before.agreed || (agrees && !refused),
    checks: before.checks + (isCheck && !refused?.startsWith('completed') ? 1 : 0),
  };
  if (attempt.state === 'completed' && !refused) {
    const { user, claimed_at, epoch } = claimedBy(attempt.user, registration, now);
    world.registration = { ...registration, user, claimedAt: claimed_at, epoch };
    world.completions += 1;
  }
}

function checkInvariants(world: World, before: World['registration']): void {
  const { registration, attempts, now, completions } = world;
  const completed = attempts.filter(({ state }) => state === 'completed');
  assert.equal(completed.length, completions);
  assert.ok(completions <= 1, 'a registration is claimed once');
  assert.equal(registration.epoch, completions, 'assertions of before the claim are dead');
  assert.equal(registration.claimedAt > 0, completions === 1);
  if (before.claimedAt > 0) assert.equal(registration.user, before.user, 'its user stays');
  for (const { agreed, user, hint } of completed) {
    assert.ok(agreed, 'a person has agreed');
    assert.equal(user, hint, 'the person to whom it is bound');
    assert.equal(registration.user, user);
  }
  assert.ok(attempts.filter((each) => isLive(each, now)).length <= 1, 'one attempt is live');
  for (const [index, each] of attempts.entries()) {
    if (index < attempts.length - 1) assert.ok(!isLive(each, now), 'the newest alone is live');
    assert.ok(each.wrong <= 5 && each.checks <= 5 + 1);
    assert.equal(each.state === 'locked', each.wrong === 5 && each.state !== 'superseded');
  }
  assert.ok(attempts.length <= 10, 'attempts are bounded');
  const status = claimStatus(registration, attempts.at(-1), now);
  if (status === 'claimed') assert.equal(completions, 1);
  if (status === 'pending' || status === 'confirmed') assert.equal(completions, 0);
}

test('whatever happens in whatever order, nobody is bound without having agreed (5.1)', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60 }), (way) => {
      const now = 1_800_000_000_000;
      const registration = {
        claimedAt: 0,
        revokedAt: 0,
        expiresAt: now + windowMs,
        user: '',
        epoch: 0,
      };
      const world: World = { now, registration, attempts: [], completions: 0 };
      for (const step of way) {
        const before = world.registration;
        take(world, step);
        checkInvariants(world, before);
      }
    }),
    { numRuns: 3000 },
  );
});

test('what has ended takes no act any more and says how it has ended', () => {
  const over = ['completed', 'denied', 'superseded', 'locked'] as const;
  const deeds: readonly Act[] = [
    { kind: 'open', user: 'u' },
    { kind: 'confirm', user: 'u' },
    { kind: 'deny', user: 'u' },
    { kind: 'enter', user: 'u', isRight: true },
    { kind: 'hand_in', isRight: true },
    { kind: 'supersede' },
  ];
  for (const state of over) {
    for (const deed of deeds) {
      const attempt = { state, wrong: 0, user: 'u', expiresAt: 10 };
      assert.deepEqual(act(attempt, deed, 5), { attempt, refused: state });
      assert.deepEqual(act(attempt, deed, 10), { attempt, refused: state }, 'also later');
    }
  }
  const attempt = { state: 'confirmed', wrong: 0, user: 'u', expiresAt: 10 } as const;
  for (const deed of deeds) {
    assert.deepEqual(act(attempt, deed, 10), { attempt, refused: 'expired' });
  }
  assert.equal(stateOf(attempt, 9), 'confirmed');
});

test('the fifth wrong code locks, whoever enters it, and the right one is worth nothing then', () => {
  let attempt: Attempt = { state: 'confirmed', wrong: 0, user: 'u', expiresAt: 10 };
  for (const n of [1, 2, 3, 4, 5]) {
    const deed: Act =
      n % 2 === 0
        ? { kind: 'enter', user: 'u', isRight: false }
        : { kind: 'hand_in', isRight: false };
    const { attempt: next, refused } = act(attempt, deed, 1);
    assert.equal(refused, 'wrong_code');
    attempt = next;
  }
  assert.equal(attempt.state, 'locked');
  assert.equal(act(attempt, { kind: 'hand_in', isRight: true }, 1).refused, 'locked');
});

test('the code of the agent alone claims nothing, and tells nothing before a person has agreed', () => {
  const attempt = { state: 'opened', wrong: 0, user: 'u', expiresAt: 10 } as const;
  for (const isRight of [true, false]) {
    const outcome = act(attempt, { kind: 'hand_in', isRight }, 1);
    assert.deepEqual(outcome, { attempt, refused: 'not_confirmed' });
  }
});

test('nobody else goes on with what one person has opened', () => {
  const attempt = { state: 'opened', wrong: 0, user: 'u', expiresAt: 10 } as const;
  for (const kind of ['open', 'confirm', 'deny'] as const) {
    assert.equal(act(attempt, { kind, user: 'v' }, 1).refused, 'other_person');
  }
  assert.equal(
    act(attempt, { kind: 'enter', user: 'v', isRight: true }, 1).refused,
    'other_person',
  );
});

test('the address is fixed once its person has agreed; ten attempts are the most', () => {
  const registration = { claimedAt: 0, revokedAt: 0, expiresAt: 100 };
  const newest = { state: 'confirmed', expiresAt: 50, hint: 'a' } as const;
  const refusal = (hint: string, now: number, minted = 1) =>
    mintRefusal(registration, { newest, minted, hint }, now);
  assert.equal(refusal('b', 10), 'hint_is_fixed');
  assert.equal(refusal('a', 10), undefined, 'the same address may have a new link');
  assert.equal(refusal('b', 50), undefined, 'the attempt is over');
  assert.equal(refusal('a', 10, 10), 'too_many');
  assert.equal(refusal('a', 100), 'expired');
  assert.equal(
    mintRefusal({ ...registration, claimedAt: 1 }, { newest, minted: 1, hint: 'a' }, 5),
    'claimed',
  );
  assert.equal(
    mintRefusal(
      { ...registration, claimedAt: 1, revokedAt: 2 },
      { newest, minted: 1, hint: 'a' },
      5,
    ),
    'revoked',
  );
});
