import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { storeWith } from '#contract/house/store';
import type {
  CheckoutSessionRow,
  CommerceTables,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { createSessions } from '../../../../runtime/surfaces/commerce/checkout/sessions.ts';
import {
  recurrenceOf,
  requireRecurrence,
} from '../../../../runtime/surfaces/commerce/mandates/recurrence.ts';
import {
  createShownMandates,
  type PermissionUse,
} from '../../../../runtime/surfaces/commerce/mandates/shown-mandates.ts';
import { openStore } from '../../../runtime/store/replicas.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';

type Json = Readonly<Record<string, unknown>>;

const open = (...constraints: readonly Json[]) => ({
  ...{ id: 'm', hasEnd: true, claims: { vct: 'mandate.payment.open.1', constraints } },
});
const often = (frequency: string, max_occurrences?: number) => ({
  ...{ type: 'payment.agent_recurrence', frequency },
  ...(max_occurrences !== undefined && { max_occurrences }),
});
const budget = (max: unknown, currency = 'USD') => ({ type: 'payment.budget', max, currency });
const day = 86_400_000;

test('a permission is used as often as it says, and no sooner (AP2 0.2, agent recurrence)', () => {
  const from = Date.parse('2026-01-31T10:00:00Z');
  const nextOf: Readonly<Record<string, string>> = {
    ON_DEMAND: '2026-01-31T10:00:00Z',
    DAILY: '2026-02-01T10:00:00Z',
    WEEKLY: '2026-02-07T10:00:00Z',
    BIWEEKLY: '2026-02-14T10:00:00Z',
    MONTHLY: '2026-02-28T10:00:00Z',
    QUARTERLY: '2026-04-30T10:00:00Z',
    ANNUALLY: '2027-01-31T10:00:00Z',
  };
  for (const [frequency, text] of Object.entries(nextOf)) {
    const recurrence = recurrenceOf(open(often(frequency, 2)));
    const next = Date.parse(text);
    const one = [{ amount: 5, at: from }];
    requireRecurrence(recurrence, [], 5, from);
    requireRecurrence(recurrence, one, 5, next);
    if (next > from) {
      assert.throws(() => requireRecurrence(recurrence, one, 5, next - 1), /too short ago/);
    }
    const two = [...one, { amount: 5, at: next }];
    assert.throws(() => requireRecurrence(recurrence, two, 5, next + 900 * day), /2 times/);
  }
});

test('a budget is in whole dollars and counts what was bought before (AP2 0.2, budget)', () => {
  const recurrence = recurrenceOf(open(often('ON_DEMAND'), budget(1.15), budget(9)));
  assert.deepEqual(recurrence.budgets, [115, 900]);
  const before = [
    { amount: 50, at: 0 },
    { amount: 40, at: 0 },
  ];
  requireRecurrence(recurrence, before, 25, 1);
  assert.throws(() => requireRecurrence(recurrence, before, 26, 1), /115 cents, of which 90/);
});

test('what cannot be counted is refused', () => {
  const refused = [
    [open(often('HOURLY')), /names no frequency/],
    [open(often('DAILY', 1.5)), /names no frequency, or no number/],
    [open(budget('9')), /none in dollars/],
    [open(budget(9, 'EUR')), /none in dollars/],
    [{ ...open(often('DAILY')), hasEnd: false }, /names no end/],
  ] as const;
  for (const [mandate, why] of refused) assert.throws(() => recurrenceOf(mandate), why);
  assert.deepEqual(recurrenceOf(open()).agents, []);
});

async function openSessions(t: TestContext) {
  const store = storeWith<CommerceTables>(await openStore(t, { dataDir: temporaryDirectory(t) }));
  const clock = { now: Date.parse('2026-11-01T10:00:00Z') };
  const now = () => clock.now;
  const sessions = createSessions(store, now);
  const begin = async (id: string) => {
    const row: CheckoutSessionRow = {
      ...{ tenant: 'default', id, protocol: 'ucp', subject: 's', platform: '', demands: '' },
      ...{ state: 'open', lines: '[]', attempt: 0, fault: '', payment: '' },
      ...{ created_at: now(), changed_at: now(), expires_at: now() + day },
    };
    await sessions.add(row, 1000);
    return row;
  };
  return { sessions, begin, clock, kept: createShownMandates(store, now) };
}

const use = (more: Partial<PermissionUse> = {}): PermissionUse => ({
  ...{ kind: 'payment', permission: 'p', reference: 'r', amount: 40, ...more },
});

test('of purchases at once a permission allows as many as it says', async (t) => {
  const { begin, kept } = await openSessions(t);
  const recurrence = recurrenceOf(open(often('ON_DEMAND', 5), budget(1.5)));
  const ids = Array.from({ length: 8 }, (_, at) => `s${at}`);
  for (const id of ids) await begin(id);
  const kinds = await Promise.allSettled(
    ids.map((id) => kept.keep('default', id, [use({ recurrence })])),
  );
  assert.equal(kinds.filter(({ status }) => status === 'fulfilled').length, 3);
  assert.equal(
    (await Promise.allSettled(ids.map((id) => kept.keep('default', id, [use()])))).filter(
      ({ status }) => status === 'fulfilled',
    ).length,
    0,
    'nor is it good for one by itself then',
  );
});

test('the same session may show it again, and one that was given up does not count', async (t) => {
  const { begin, kept, sessions, clock } = await openSessions(t);
  const first = await begin('first');
  await begin('second');
  await kept.keep('default', 'first', [use({ reference: 'old' })]);
  await kept.keep('default', 'first', [use({ kind: 'checkout', reference: 'new' })]);
  assert.equal(await kept.referenceFor('default', 'first'), 'new');
  await assert.rejects(kept.keep('default', 'second', [use()]), /good for one/);
  await sessions.change(first, { state: 'canceled' });
  await kept.keep('default', 'second', [use()]);
  clock.now += day;
  await begin('third');
  await kept.keep('default', 'third', [use()]);
});

test('of several permissions all are kept, or none', async (t) => {
  const { begin, kept } = await openSessions(t);
  for (const id of ['first', 'second']) await begin(id);
  await kept.keep('default', 'first', [use({ permission: 'taken' })]);
  const both = [use({ permission: 'free' }), use({ permission: 'taken' })];
  await assert.rejects(kept.keep('default', 'second', both), /good for one/);
  await kept.keep('default', 'first', [use({ permission: 'free' })]);
});
