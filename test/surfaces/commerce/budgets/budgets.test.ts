import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Caller } from '#contract/caller';
import { storeWith } from '#contract/house/store';
import { planSpending, type RawSpending } from '#contract/payment/spending';
import type { CommerceTables } from '../../../../generated/surfaces/commerce/tables.ts';
import { decimalOf, exact } from '../../../../runtime/surfaces/commerce/budgets/decimal.ts';
import { budgetsFor, plansFor } from '../../../../runtime/surfaces/commerce/budgets/rules.ts';
import {
  BudgetExceeded,
  createSpendings,
} from '../../../../runtime/surfaces/commerce/budgets/spending.ts';
import { createPaymentRecords } from '../../../../runtime/surfaces/commerce/records/payment-records.ts';
import { openStore } from '../../../runtime/store/replicas.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { paymentRow } from '../payment-row.ts';

const day = 86_400_000;
const now = Date.parse('2026-11-23T10:00:00Z');

const agent: Caller = {
  ...{ tenant: 'default', subject: 'person', registration: 'reg-1', grant: 'grant-1' },
  ...{ client: 'c', scopes: new Set(['mcp.tools']), transport: 'mcp' },
};

const rules = (raw: RawSpending) => planSpending(raw);

const daily: RawSpending = {
  budgets: {
    agents: { of: 'agent', per: '1d', amount: '0.05' },
    consents: { of: 'consent', per: '1d', amount: '1' },
    searches: { of: 'operation', on: ['tool:search'], per: '1h', amount: '3' },
    all: { of: 'tenant', per: '1d', amount: '100' },
  },
};

const spent = (caller: Caller, target = 'tool:other', price = '0.01') => ({
  ...{ caller, target, price, now },
});

async function openCounting(t: Parameters<typeof openStore>[0]) {
  const store = storeWith<CommerceTables>(await openStore(t, { dataDir: temporaryDirectory(t) }));
  return {
    store,
    spendings: createSpendings(store),
    records: createPaymentRecords(store, () => now),
  };
}

test('sums of decimals are exact to the eighteenth digit', () => {
  const decimal = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 33n })).map(([value]) => value);
  fc.assert(fc.property(decimal, (value) => assert.equal(exact(decimalOf(value)), value)));
  assert.equal(decimalOf(exact('0.1') + exact('0.2')), '0.3');
  assert.equal(
    decimalOf(exact('999999999999999.999999999999999999')),
    '999999999999999.999999999999999999',
  );
  assert.equal(decimalOf(0n), '0');
});

test('a payment counts for its agent, its consent, its operation and its tenant, each in its span', () => {
  const holds = budgetsFor(rules(daily), spent(agent, 'tool:search'));
  assert.deepEqual(
    holds.map(({ rule, holder, until }) => [rule, holder, new Date(until).toISOString()]),
    [
      ['agents', 'agent reg-1', '2026-11-24T00:00:00.000Z'],
      ['consents', 'consent grant-1', '2026-11-24T00:00:00.000Z'],
      ['searches', 'operation tool:search', '2026-11-23T11:00:00.000Z'],
      ['all', 'tenant', '2026-11-24T00:00:00.000Z'],
    ],
  );
  const stranger: Caller = { ...agent, isAnonymous: true };
  const { grant: _, registration: __, ...nobody } = stranger;
  assert.deepEqual(
    budgetsFor(rules(daily), spent(nobody)).map(({ rule }) => rule),
    ['all'],
  );
  const [first, second] = ['2001:db8::1', '2001:db8::2'].map((address) =>
    budgetsFor(rules(daily), { ...spent(nobody), address }).map(({ holder }) => holder),
  );
  assert.equal(first?.length, 2, 'strangers count by where they call from');
  assert.match(first?.[0] ?? '', /^address /);
  assert.deepEqual(first, second, 'and one network is one of them');
});

test('a plan is for those who hold one of its scopes, or are of one of its tenants', () => {
  const plans = rules({
    plans: {
      readers: { scopes: ['audit:read'], uses: 3, per: '1d' },
      acme: { tenants: ['acme'], uses: 5, per: '1d' },
      trial: { on: ['tool:search'], uses: 1, per: '1h' },
    },
  });
  const names = (caller: Caller, target?: string) =>
    plansFor(plans, spent(caller, target)).map(({ rule }) => rule);
  assert.deepEqual(names(agent), []);
  assert.deepEqual(names(agent, 'tool:search'), ['plan trial']);
  assert.deepEqual(names({ ...agent, scopes: new Set(['audit:read']) }), ['plan readers']);
  assert.deepEqual(names({ ...agent, tenant: 'acme' }), ['plan acme']);
  assert.deepEqual(names({ ...agent, scopes: 'all', isAnonymous: true }, 'tool:search'), []);
});

test('what a later file says of a name wins, and none takes it away', () => {
  const later: RawSpending = {
    budgets: { agents: { of: 'agent', per: '1h', amount: '7' }, consents: 'none' },
    approve_above: { amount: '10' },
  };
  const both = planSpending(daily, later);
  assert.deepEqual(
    both.budgets.map(({ name, amount }) => [name, amount]),
    [
      ['agents', '7'],
      ['searches', '3'],
      ['all', '100'],
    ],
  );
  assert.equal(both.approveAbove, '10');
  assert.equal(planSpending(later, { approve_above: 'none' }).approveAbove, undefined);
});

test('of many payments at once no more are claimed than the budget allows, to the last digit', async (t) => {
  const { records, spendings } = await openCounting(t);
  const holds = budgetsFor(rules(daily), spent(agent));
  const rows = Array.from({ length: 12 }, () => paymentRow({ held: JSON.stringify(holds) }));
  const outcomes = await Promise.allSettled(rows.map((row) => records.claim(row)));
  const claimed = outcomes.filter(({ status }) => status === 'fulfilled');
  assert.equal(claimed.length, 5);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof BudgetExceeded);
  }
  const [agents, consents] = await spendings.look('default', holds);
  assert.deepEqual([agents?.used, agents?.allows], ['0.05', false]);
  assert.equal(consents?.used, '0.05', 'what one budget refused counts for none');
  assert.deepEqual(
    (await spendings.look('other', holds)).map(({ used }) => used),
    ['0', '0', '0'],
    'tenants share nothing',
  );
});

test('what was refused, never came or goes back leaves the budget; the same claim again counts once', async (t) => {
  const { records, spendings } = await openCounting(t);
  const holds = budgetsFor(rules(daily), spent(agent));
  const used = async () => (await spendings.look('default', holds))[0]?.used;
  const held = JSON.stringify(holds);
  const refused = paymentRow({ held, claim: 'same' });
  await records.claim(refused);
  assert.equal((await records.claim(paymentRow({ held, claim: 'same' }))).kind, 'used');
  assert.equal(await used(), '0.01');
  await records.move(refused, ['claimed', 'settling'], 'rejected');
  assert.equal(await used(), '0');
  const again = paymentRow({ held, claim: 'same' });
  assert.equal((await records.claim(again)).kind, 'claimed');
  await records.move(again, ['claimed'], 'settling');
  await records.move(again, ['settling'], 'executing');
  assert.equal(await used(), '0.01');
  await Promise.all([
    records.move(again, ['executing'], 'refund_due'),
    records.move(again, ['executing'], 'refund_due'),
  ]);
  assert.equal(await used(), '0');
  await records.move(again, ['refund_due'], 'refunded');
  assert.equal(await used(), '0');
});

test('a refund that is made again leaves the budget once', async (t) => {
  const { records, spendings } = await openCounting(t);
  const holds = budgetsFor(rules(daily), spent(agent));
  const used = async () => (await spendings.look('default', holds))[0]?.used;
  const rows = [1, 2].map(() => paymentRow({ held: JSON.stringify(holds) }));
  for (const row of rows) {
    await records.claim(row);
    await records.move(row, ['claimed'], 'settling');
    await records.move(row, ['settling'], 'executing');
  }
  const [row] = rows;
  assert.ok(row);
  await records.move(row, ['executing'], 'refund_due');
  assert.equal(await used(), '0.01');
  await records.move(row, ['refund_due'], 'refunded');
  await records.move(row, ['refunded'], 'refund_due');
  assert.equal(await used(), '0.01', 'the other one is spent still');
});

test('uses of a plan are counted across all who ask at once, and those of a span that is over are forgotten', async (t) => {
  const { spendings, store } = await openCounting(t);
  const plans = rules({ plans: { trial: { uses: 3, per: '1d' } } });
  const holds = plansFor(plans, spent(agent));
  const taken = await Promise.all(
    Array.from({ length: 9 }, () => spendings.takeOne('default', holds)),
  );
  assert.equal(taken.filter(Boolean).length, 3);
  await spendings.giveBack('default', holds);
  assert.ok(await spendings.takeOne('default', holds));
  assert.equal(await spendings.takeOne('default', holds), undefined);
  await spendings.forget(now);
  assert.equal(await spendings.takeOne('default', holds), undefined, 'the span is not over');
  await spendings.forget(now + 2 * day);
  assert.deepEqual(
    await store.db.selectFrom('spending').selectAll().where('tenant', '=', 'default').execute(),
    [],
  );
});
