import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { storeWith } from '#contract/house/store';
import type { CommerceTables } from '../../generated/surfaces/commerce/tables.ts';
import type { Hold } from '../../runtime/surfaces/commerce/budgets/rules.ts';
import {
  BudgetExceeded,
  createSpendings,
} from '../../runtime/surfaces/commerce/budgets/spending.ts';
import { balancesOf } from '../../runtime/surfaces/commerce/ledger/balances.ts';
import { checkLedger } from '../../runtime/surfaces/commerce/ledger/check-ledger.ts';
import { createLedger } from '../../runtime/surfaces/commerce/ledger/ledger.ts';
import { createPaymentLists } from '../../runtime/surfaces/commerce/ledger/payment-lists.ts';
import {
  createPaymentRecords,
  type PaymentRecords,
} from '../../runtime/surfaces/commerce/records/payment-records.ts';
import { PostgresServer } from '../runtime/store/postgres-server.ts';
import { paymentRow } from '../surfaces/commerce/payment-row.ts';

const server = await PostgresServer.start();
after(() => server.stop());

const day = 86_400_000;
const hold: Hold = {
  ...{ rule: 'agents', holder: 'agent 1', since: 0, until: day },
  ...{ limit: '0.1', takes: '0.01' },
};

test('two replicas on PostgreSQL claim no more than a budget allows, and their ledger agrees', async (t) => {
  const replicas = (await (await server.database(t)).replicas(2)).map((store) => {
    const own = storeWith<CommerceTables>(store);
    return { own, records: createPaymentRecords(own, Date.now) };
  });
  const [first] = replicas;
  assert.ok(first);
  const held = JSON.stringify([hold]);
  const rows = Array.from({ length: 24 }, () => paymentRow({ held }));
  const outcomes = await Promise.allSettled(
    rows.map(async (row, at) => {
      const records = replicas[at % 2]?.records ?? first.records;
      await records.claim(row);
      return row;
    }),
  );
  const claimed = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  for (const each of outcomes) {
    if (each.status === 'rejected') assert.ok(each.reason instanceof BudgetExceeded, each.reason);
  }
  assert.equal(claimed.length, 10);

  // Both replicas take every step of every payment at once: one of them does.
  const both = (move: (records: PaymentRecords) => Promise<boolean>) =>
    Promise.all(replicas.map(({ records }) => move(records)));
  for (const [at, row] of claimed.entries()) {
    await both((records) => records.move(row, ['claimed'], 'settling'));
    const paid = await both((records) =>
      records.move(row, ['settling'], 'executing', { transaction_hash: '0x1' }),
    );
    assert.equal(paid.filter(Boolean).length, 1);
    const to = at % 2 === 0 ? 'delivered' : 'refund_due';
    await both((records) => records.move(row, ['executing'], to));
  }
  const [spent] = await createSpendings(first.own).look('default', [hold]);
  assert.equal(spent?.used, '0.05', 'what goes back leaves the budget, once');
  const [ledger, lists] = [createLedger(first.own), createPaymentLists(first.own)];
  const report = await checkLedger('default', {
    ...{ ledger, lists, evidence: async () => 'unknown' as const },
    ...{ evidenceFromMs: 0, atOnce: 10 },
  });
  assert.deepEqual(report.problems, []);
  const sums = balancesOf(await Array.fromAsync(ledger.entries('default')));
  assert.deepEqual(sums, { funds: 100_000n, unearned: 0n, earned: -50_000n, refundable: -50_000n });
});
