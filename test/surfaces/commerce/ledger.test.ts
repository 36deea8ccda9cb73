import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { storeWith } from '#contract/house/store';
import type {
  CommerceTables,
  LedgerTransferRow,
  PaymentRow,
} from '../../../generated/surfaces/commerce/tables.ts';
import {
  balancesIn,
  balancesOf,
  differences,
} from '../../../runtime/surfaces/commerce/ledger/balances.ts';
import {
  checkLedger,
  type Evidence,
} from '../../../runtime/surfaces/commerce/ledger/check-ledger.ts';
import { createLedger } from '../../../runtime/surfaces/commerce/ledger/ledger.ts';
import { createPaymentLists } from '../../../runtime/surfaces/commerce/ledger/payment-lists.ts';
import { exportedLedger } from '../../../runtime/surfaces/commerce/operator/export.ts';
import { createPaymentRecords } from '../../../runtime/surfaces/commerce/records/payment-records.ts';
import { openStore } from '../../runtime/store/replicas.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { paymentRow } from './payment-row.ts';

type State = PaymentRow['state'];

/** Every step that the engine takes, and what it writes down with it. */
const steps: readonly (readonly [from: readonly State[], to: State])[] = [
  [['claimed'], 'settling'],
  [['claimed'], 'executing'],
  [['claimed', 'settling'], 'rejected'],
  [['settling'], 'executing'],
  [['settling'], 'delivered'],
  [['settling'], 'pending'],
  [['settling', 'pending'], 'refund_due'],
  [['settling', 'pending'], 'delivered'],
  [['settling', 'pending'], 'failed'],
  [['executing'], 'settling'],
  [['executing'], 'delivered'],
  [['executing'], 'refund_due'],
  [['executing'], 'rejected'],
  [['delivered'], 'refund_due'],
  [['refund_due'], 'refunded'],
  // What the processor of cards tells later: disputes, refunds that were made there, charges that came late.
  [['executing'], 'disputed'],
  [['delivered'], 'disputed'],
  [['refund_due'], 'disputed'],
  [['disputed'], 'delivered'],
  [['disputed'], 'refund_due'],
  [['executing'], 'refunded'],
  [['delivered'], 'refunded'],
  [['refunded'], 'refund_due'],
  [['rejected', 'failed'], 'refund_due'],
];

async function openLedger(t: Parameters<typeof openStore>[0]) {
  const store = storeWith<CommerceTables>(await openStore(t, { dataDir: temporaryDirectory(t) }));
  let now = 1_700_000_000_000;
  const records = createPaymentRecords(store, () => ++now);
  return { store, records, lists: createPaymentLists(store), ledger: createLedger(store) };
}

const nothingElse = {
  evidence: async (): ReturnType<Evidence> => 'unknown',
  evidenceFromMs: 0,
  atOnce: 10,
} as const;

test('whatever becomes of payments, in whatever order, the ledger says where their money is', async (t) => {
  const { store, records, lists, ledger } = await openLedger(t);
  const step = fc.tuple(fc.nat(4), fc.nat(steps.length - 1));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('settle-first', 'authorize' as const), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 30 }),
      async (flows, rounds) => {
        const tenant = crypto.randomUUID();
        const rows = flows.map((flow, at) =>
          paymentRow({ tenant, flow, amount: String(10n ** BigInt(at * 9) + 7n) }),
        );
        for (const row of rows) assert.equal((await records.claim(row)).kind, 'claimed');
        for (const round of rounds) {
          // Several at once, as replicas and jobs do; what an engine would never do is a bug that it hears of.
          await Promise.all(
            round.map(async ([which, how]) => {
              const [from, to] = steps[how] ?? [[], 'claimed'];
              const row = rows[which % rows.length];
              if (row) await records.move(row, from, to, { transaction_hash: '0x1' });
            }),
          );
        }
        const report = await checkLedger(tenant, { lists, ledger, ...nothingElse });
        assert.deepEqual(report.problems, []);
        const all: LedgerTransferRow[] = [];
        for await (const entry of ledger.entries(tenant)) all.push(entry);
        const sums = balancesOf(all);
        assert.equal(sums.funds + sums.unearned + sums.earned + sums.refundable, 0n);
        const held = report.holdings.reduce((sum, { amount }) => sum + amount, 0n);
        assert.equal(sums.funds, held);
        assert.ok(sums.funds >= 0n && sums.earned <= 0n && sums.unearned <= 0n);
        for (const row of await store.db
          .selectFrom('payment')
          .selectAll()
          .where('tenant', '=', tenant)
          .execute()) {
          const own = all.filter(({ payment }) => payment === row.id);
          assert.deepEqual(differences(balancesOf(own), balancesIn(row)), []);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('of many who take the same step at once, one writes an entry', async (t) => {
  const { records, ledger } = await openLedger(t);
  const row = paymentRow();
  await records.claim(row);
  await records.move(row, ['claimed'], 'settling');
  const moved = await Promise.all(
    Array.from({ length: 50 }, () => records.move(row, ['settling'], 'executing')),
  );
  assert.equal(moved.filter(Boolean).length, 1);
  assert.equal((await ledger.ofPayments(row.tenant, [row.id])).length, 1);
});

test('a state is not reached where its entry cannot be written', async (t) => {
  const { store, records } = await openLedger(t);
  const row = paymentRow();
  await records.claim(row);
  await records.move(row, ['claimed'], 'settling');
  await store.db.schema.dropTable('ledger_transfer').execute();
  await assert.rejects(records.move(row, ['settling'], 'executing'));
  assert.equal((await records.find(row.tenant, row.id))?.state, 'settling');
});

test('an entry that was removed, changed or never came to be is found', async (t) => {
  const { store, records, lists, ledger } = await openLedger(t);
  const row = paymentRow();
  await records.claim(row);
  await records.move(row, ['claimed'], 'settling');
  await records.move(row, ['settling'], 'executing', { transaction_hash: '0xabc' });
  await records.move(row, ['executing'], 'delivered');
  const check = (more: { readonly evidence?: Evidence } = {}) =>
    checkLedger(row.tenant, { lists, ledger, ...nothingElse, ...more });
  assert.deepEqual((await check()).problems, []);
  const missing = await check({ evidence: async () => 'missing' });
  assert.match(
    missing.problems.join(),
    /10000 of payment .* came with 0xabc, of which there is no/,
  );

  const change = (set: Partial<Record<'amount', string>>) =>
    store.db
      .updateTable('ledger_transfer')
      .set(set)
      .where('tenant', '=', row.tenant)
      .where('debit', '=', 'unearned')
      .execute();
  await change({ amount: '9999' });
  assert.match(
    (await check()).problems.join(),
    /is delivered, and its entries differ in unearned, earned/,
  );
  await change({ amount: '10000' });
  await store.db.deleteFrom('ledger_transfer').where('tenant', '=', row.tenant).execute();
  assert.match((await check()).problems.join(), /differ in funds, earned/);
});

test('the sums of a day are told by rail, asset and agent, as CSV (RFC 4180)', async (t) => {
  const { records, ledger } = await openLedger(t);
  const paid = async (some: Partial<PaymentRow>, to: readonly State[]) => {
    const row = paymentRow(some);
    await records.claim(row);
    let from: State = 'claimed';
    for (const next of ['settling', 'executing', ...to] as State[]) {
      await records.move(row, [from], next);
      from = next;
    }
  };
  await paid({ subject: '=cmd|"x",1' }, ['delivered']);
  await paid({ subject: '=cmd|"x",1', amount: '5' }, ['refund_due', 'refunded']);
  await paid({ subject: 'b', rail: 'mpp', amount: '1500000' }, ['refund_due']);
  const unitOf = () => ({ symbol: 'USDC', decimals: 6 });
  const lines = (await exportedLedger(ledger.entries('default'), unitOf)).split('\r\n');
  const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
  assert.deepEqual(lines, [
    'day,rail,network,asset,unit,agent,payments,received,returned,earned,refundable,unearned',
    `2023-11-14,mpp,eip155:84532,${asset},USDC,b,1,1.5,0,0,1.5,0`,
    `2023-11-14,x402,eip155:84532,${asset},USDC,"'=cmd|""x"",1",2,0.010005,0.000005,0.01,0,0`,
  ]);
});
